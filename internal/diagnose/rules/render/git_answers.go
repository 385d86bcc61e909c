package render

import (
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
)

// hostAnswers completes the finding about a host that says "unknown error: remote: " and its reason, which is often missing.
func hostAnswers(r rendered, out diagnose.Finding, host string) diagnose.Finding {
	f, repo := &r.s.Failure, repository(r.in, r.s)
	out.Says.Text = strings.TrimPrefix(strings.TrimPrefix(out.Says.Text, "unknown error: "), "remote")
	out.Says.Text = strings.TrimLeft(out.Says.Text, ": ")
	out.Fix = []diagnose.Fix{{Text: "Check the state of the Git host and its own services: it answered, so the network is not the reason"}}
	if repo != unnamedRepository {
		out.Fix = append(out.Fix, lsRemote(r.in, repo, "See whether it answers again"))
	}
	switch {
	case f.Has("internal api"):
		out.Title, out.Short, out.Says = "GitLab on "+host+" cannot reach its own API", "GitLab cannot reach its own API", diagnose.Said{}
		out.Why = because(r.s, "Its SSH or HTTP front end cannot reach GitLab's own API: GitLab is overloaded, starting or partly down.", out.Why)
		out.Fix[0].Text = "Check GitLab's services (gitlab-ctl status, or its pods) and its load. If Argo CD polls it too often, configure a webhook and raise timeout.reconciliation"
	case f.Has("not in expected format"):
		out.Title = "repoURL is not a path that " + host + " knows"
		out.Fix = advice.Steps("Copy the URL for cloning by SSH from the host into repoURL (Azure DevOps: git@ssh.dev.azure.com:v3/ORGANIZATION/PROJECT/REPOSITORY)")
	case out.Says.Text == "":
		return refusesSilently(r.in, r.s, out, host)
	}
	return out
}

// brokeOff completes the finding about a transfer that began and did not end.
func brokeOff(r rendered, out diagnose.Finding) diagnose.Finding {
	out.Title, out.Short, out.Says = "Fetch from "+gitHost(r.in, r.s)+" broke off", "Fetch from the Git host broke off", diagnose.Said{}
	out.Why = inSource(r.s) + "The host answered, and the transfer was cut off: by the host or a proxy, or because the repo-server ran out of memory or disk space. Large repositories are affected most."
	out.Confidence = diagnose.Likely
	out.Fix = []diagnose.Fix{
		{Text: "Refresh the application; if it fails again, look at the memory of the repo-server", Command: diagnose.Shell("argocd app get %s --refresh", advice.AppName(r.in))},
		ofRepoServer(r.in, "See whether the repo-server was killed or evicted (Last State), and give it more memory if it was", "describe pods -l PODS"),
	}
	return out
}

// refusesSilently completes the finding about a host whose reason is lost: Argo CD keeps the first line of an answer, and GitLab begins
// its refusals with an empty one.
func refusesSilently(in *diagnose.In, s *diagnose.Statement, out diagnose.Finding, host string) diagnose.Finding {
	repo := repository(in, s)
	out.Title, out.Short = fmt.Sprintf("Git host %s returns an error without a reason", host), "Git host returns an error without a reason"
	out.Why = inSource(s) + "The host answered, and Argo CD keeps only the first line of the answer, which is empty. GitLab refuses like this where the project does not exist, or the key or user has no access to it."
	if repo == unnamedRepository {
		out.Fix = []diagnose.Fix{{Text: "Find the repository that fails, and check its URL and the access of its key or user on the Git host", Command: listRepositories}}
		return out
	}
	out.Why = strings.Replace(out.Why, "The host answered", "The host answered the request for "+repo, 1)
	out.Fix = []diagnose.Fix{
		{Text: "On the Git host, check that the URL is right, and that Argo CD's deploy key or user is enabled for this repository"},
		storeGitCredentials(repo, "If it is not, give it access, or store credentials that have it"),
	}
	return out
}

var answer = pattern.MustCompile(`(?i)(?:status code: |returned error: |HTTP )([345]\d\d)\b`)

// httpStatus is the status with which the host refuses, other than those about credentials and names; empty where it is none.
func httpStatus(f *message.Failure) string {
	m := answer.FindStringSubmatch(f.Flat())
	if m == nil || m[1] == "401" || m[1] == "403" || m[1] == "404" || strings.HasPrefix(m[1], "30") {
		return ""
	}
	return m[1]
}

// refusesRequest completes the finding about a host that answers with an HTTP error.
func refusesRequest(r rendered, out diagnose.Finding, host, status string) diagnose.Finding {
	out.Title, out.Says = fmt.Sprintf("Git host %s answers HTTP %s", host, status), diagnose.Said{}
	out.Confidence = diagnose.Certain
	test := reachGit(&r.s.Failure, r, host, repository(r.in, r.s))
	switch {
	case status == "429":
		out.Title = fmt.Sprintf("Git host %s limits the rate of requests", host)
		out.Why = inSource(r.s) + "Argo CD asks it too often: every application polls its repository, and hosts limit anonymous callers most."
		out.Fix = []diagnose.Fix{
			pollLess(r.in),
			{Text: "Check whether Argo CD has credentials for this URL, which raises the limit", Command: "argocd repo list"},
		}
	case status[0] == '4':
		out.Why = inSource(r.s) + "The host refuses the request itself: most often the URL is wrong for this host, or the stored credentials contain a line break or another character that HTTP does not allow."
		out.Fix = append([]diagnose.Fix{storeGitCredentials(repository(r.in, r.s), "Compare the URL with the one that the host shows for cloning, and store the credentials again")}, test...)
	default:
		out.Why = inSource(r.s) + "The host, or a proxy in front of it, has a failure of its own. Other applications with a repository on this host may be affected too."
		out.Fix = append([]diagnose.Fix{{Text: "Check the status of the Git host"}}, test...)
	}
	return out
}
