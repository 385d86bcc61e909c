package render

import (
	"fmt"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/diagnose/repourl"
	"github.com/argo-why/argo-why/internal/evidence"
)

// registration is what Argo CD's list of repositories says about one. The list has no credential templates: one may give credentials to a
// repository that is not on it.
type registration int

const (
	listUnknown registration = iota
	notListed
	listedOnly // without a user name; an SSH key does not show
	listedWithUser
)

// repositories are those on Argo CD's list: worth a call where a person asked, by a rule that says that it may read them.
func repositories(in *diagnose.In) ([]evidence.Repository, bool) {
	if slices.Contains(in.Rule().Needs, evidence.KindRepositories) {
		return diagnose.Look(in, evidence.FactRepositories)
	}
	return diagnose.Peek(in, evidence.FactRepositories)
}

// registrationOf finds a repository on the list, as Argo CD compares URLs.
func registrationOf(in *diagnose.In, repo string) registration {
	repos, known := repositories(in)
	if !known || repo == unnamedRepository {
		return listUnknown
	}
	out, wanted := notListed, repourl.Normal(repo)
	for _, r := range repos {
		url := repourl.Normal(r.Repo)
		switch {
		case url == wanted && r.Username != "":
			return listedWithUser
		case url == wanted:
			out = listedOnly
		case out == notListed && strings.HasPrefix(wanted, url):
			out = listUnknown // it may be a template
		}
	}
	return out
}

// testedWith is the user of a repository's entry whose last test of the connection succeeded; empty where there is none.
func testedWith(in *diagnose.In, repo string) (user string) {
	repos, _ := repositories(in)
	for _, r := range repos {
		if repourl.Normal(r.Repo) == repourl.Normal(repo) && r.ConnectionState.Status == evidence.ConnectionSuccessful {
			return r.Username
		}
	}
	return ""
}

// lfsOf reports whether Argo CD fetches the LFS objects of a repository, and whether that is known.
func lfsOf(in *diagnose.In, repo string) (lfs, known bool) {
	repos, _ := repositories(in)
	for _, r := range repos {
		if repourl.Normal(r.Repo) == repourl.Normal(repo) {
			return r.EnableLFS, true
		}
	}
	return false, false
}

// failedRepository is the only repository of Git among the sources to which Argo CD has no connection; empty where it is none or several.
func failedRepository(in *diagnose.In) string {
	repos, _ := repositories(in)
	failed := ""
	for _, src := range in.App().Spec.Sources {
		for _, r := range repos {
			if src.Chart != "" || r.ConnectionState.Status != evidence.ConnectionFailed || repourl.Normal(r.Repo) != repourl.Normal(src.RepoURL) || failed == src.RepoURL {
				continue
			}
			if failed != "" {
				return ""
			}
			failed = src.RepoURL
		}
	}
	return failed
}

// storeGitCredentials is the step that stores credentials of the kind that the transport of the URL takes.
func storeGitCredentials(repo, text string) diagnose.Fix {
	if repo == unnamedRepository {
		return diagnose.Fix{Text: text + ". See which repository fails", Command: listRepositories}
	}
	return diagnose.Fix{Text: text, Command: diagnose.Shell("argocd repo add %s%s", repo, gitCredentialFlags(repo))}
}

// listRepositories has Argo CD test the connection to all repositories, and shows the result.
const listRepositories = "argocd repo list --refresh hard"

// gitCredentialFlags are those the transport of the URL takes.
func gitCredentialFlags(repo string) diagnose.Raw {
	if repourl.IsSSH(repo) {
		return " --ssh-private-key-path KEYFILE --upsert"
	}
	return " --username USER --password TOKEN --upsert"
}

// theRepository is a repository within a sentence.
func theRepository(repo string) string {
	if repo == unnamedRepository {
		return "a repository of this application"
	}
	return repo
}

// tryYourself is the step that reads a repository with other credentials than Argo CD's, which tells a wrong URL from wrong credentials.
func tryYourself(repo, text string) diagnose.Fix {
	if repo == unnamedRepository {
		return diagnose.Fix{Text: text + ". See which repository fails", Command: listRepositories}
	}
	return diagnose.Fix{Text: text, Command: diagnose.Shell("git ls-remote %s", repo)}
}

// browsed is the address of a page about a repository, in front of what makes it one.
var browsed = pattern.MustCompile(`^(https?://[^/]+/[^/]+/[^/]+?(?:/[^/]+?)*?)(?:\.git)?/(?:-/)?(?:tree|blob|src|browse|commits?)(?:/.*)?$`)

// webPage is the finding about a repoURL that was copied from the address bar of a browser: hosts answer that one must log in, or that
// there is no such repository.
func webPage(r rendered) (diagnose.Finding, bool) {
	src, _ := gitSource(r.in, r.s)
	m := browsed.FindStringSubmatch(src.RepoURL)
	if m == nil {
		return diagnose.Finding{}, false
	}
	url := m[1] + ".git"
	return diagnose.Finding{
		Confidence: diagnose.Likely,
		Title:      "repoURL is the address of a web page, not of a Git repository",
		Short:      "repoURL is a web page, not a Git repository",
		Why:        inSource(r.s) + fmt.Sprintf("%s shows files in a browser. Git needs the URL for cloning, and the Application has path and targetRevision for the rest.", src.RepoURL),
		Fix: []diagnose.Fix{
			inApplication(r.in, diagnose.Fix{Text: "Set repoURL to the URL for cloning, " + url + ", in Git if the Application is defined there", Command: diagnose.Shell("argocd app set %s%s --repo %s", advice.AppName(r.in), gitPosition(r), url)}),
			{Text: "If it is private, check that Argo CD has credentials for that URL", Command: "argocd repo list; argocd repocreds list"},
		},
	}, true
}

// gitPosition is the flag that says which of several sources has the repository that git could not read.
func gitPosition(r rendered) diagnose.Raw {
	_, number := gitSource(r.in, r.s)
	return positionOf(r.s, number)
}

// httpsURL is the URL for HTTPS of a repository that is read by SSH, and whether the host's form of it is known.
func httpsURL(repo string) (string, bool) {
	rest := strings.TrimPrefix(repo, "ssh://")
	_, rest, ok := strings.Cut(rest, "@")
	if !ok || repourl.Host(repo) == "" {
		return "", false
	}
	if path, azure := strings.CutPrefix(rest, "ssh.dev.azure.com:v3/"); azure {
		if p := strings.Split(strings.Trim(path, "/"), "/"); len(p) == 3 {
			return fmt.Sprintf("https://dev.azure.com/%s/%s/_git/%s", p[0], p[1], p[2]), true
		}
		return "", false
	}
	host, path, ok := strings.Cut(rest, ":")
	if !ok || strings.HasPrefix(repo, "ssh://") || strings.Contains(host, "azure") || strings.Contains(host, "visualstudio") {
		return "", false
	}
	return "https://" + host + "/" + path, true
}
