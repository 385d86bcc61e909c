package render

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/diagnose/repourl"
	"github.com/argo-why/argo-why/internal/evidence"
)

var GitAuth = &diagnose.Rule{
	ID:    "render/git-auth",
	Needs: []evidence.Kind{evidence.KindRepositories},
	Doc: diagnose.Doc{
		Title:    "Git credentials rejected",
		What:     "Argo CD cannot read the repository: no credentials are configured for this URL, or the host rejects them (rotated, expired, deploy key removed). Nothing can be rendered.",
		Decisive: "The Git host answers 401 or 403, or SSH ends with \"Permission denied (publickey)\" or cannot use the key.",
		Example:  "git@github.com: Permission denied (publickey)",
		Fix:      "Renew the credentials, and check that the URL of the credential (or credential template) is a prefix of the application's repoURL.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/user-guide/private-repositories/"},
	},
	Sync: nothingRenders,
	Check: during(message.CallGit).rendering(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		f := &s.Failure
		if name, key := missingCredentials(f); name != "" && makingSource(in, f).Chart == "" {
			return credentialsMissing(renderedOf(in, s), name, key), true
		}
		// The host answered and then closed the connection: without a network error that is a refusal in words not known here.
		closed := f.Has("could not read from remote repository") && f.Network() == message.NetworkOK
		signIn := loginPage.MatchString(f.Flat())
		// GitHub was not asked for the token of an App, or did not answer.
		unasked := f.Network() == message.NetworkProxy || f.Has("could not refresh installation") && f.Network() != message.NetworkOK
		if unasked || peerOf(in, s) != peerGit || !f.AuthRefused() && !closed && !signIn {
			return diagnose.Finding{}, false
		}
		r := renderedOf(in, s)
		out, ok := webPage(r)
		if !ok {
			out, ok = firstOf(gitAuthFaults, r, f.Flat())
		}
		switch {
		case ok:
		case closed && !f.AuthRefused():
			out = denied(r, nil)
			if answer := hostSays(f); answer != "" {
				out.Says = diagnose.Said{Who: "The Git host says", Text: answer}
			}
			out.Confidence = diagnose.Likely
		default:
			out = rejected(r)
			out.Confidence = diagnose.CertainIf(f.AuthRefused())
			out.Short = cmp.Or(out.Short, "Git host rejects Argo CD's credentials")
		}
		out.Title = strings.Replace(out.Title, "Git host "+noHost, "A Git host", 1)
		out.Shared, out.OutsideGit = "Git host "+host(in, s), true
		return out, true
	}),
}

// rejected is the finding about credentials that a host refuses, or that are missing.
func rejected(r rendered) diagnose.Finding {
	repo := repository(r.in, r.s)
	out := diagnose.Finding{
		Title: fmt.Sprintf("Git host %s rejects Argo CD's credentials", host(r.in, r.s)),
		Why:   inSource(r.s) + fmt.Sprintf("Argo CD cannot read %s.", theRepository(repo)),
		Says:  said(r.s),
		Fix: []diagnose.Fix{
			storeGitCredentials(repo, "Store valid credentials; their URL must be the repoURL or a prefix of it"),
			{Text: "Check which credentials Argo CD has for this URL, and whether they work", Command: listRepositories},
		},
	}
	out.Says.Text = requested.ReplaceAllString(out.Says.Text, "")
	if answer := hostSays(&r.s.Failure); answer != "" {
		out.Says = diagnose.Said{Who: "The Git host says", Text: answer}
	}
	if repo == unnamedRepository {
		out.Fix = []diagnose.Fix{storeGitCredentials(repo, "Store valid credentials; their URL must be the repoURL or a prefix of it")}
		return out
	}
	if registrationOf(r.in, repo) == notListed {
		out.Title = fmt.Sprintf("Argo CD probably has no credentials for %s", shortRepository(repo))
		out.Short = "Argo CD probably lacks credentials for a Git repository"
		out.Why = inSource(r.s) + fmt.Sprintf("%s does not let it read the repository, and no repository with this URL is registered in Argo CD (a credential template can still cover it).", host(r.in, r.s))
		out.Fix[1] = compareURLs
	}
	if user := testedWith(r.in, repo); user != "" {
		out.Why += fmt.Sprintf(" Argo CD's last test of the connection, with user %s, succeeded: they expired or were changed since, or they may list the repository and not fetch it.", user)
		out.Fix[0].Text = "Check that the token is valid and may read code, and that the host takes this user name with it; store what works under the same URL"
	}
	if plain, user := withoutUser(repo); user != "" {
		out.Why += fmt.Sprintf(" The URL contains the user name %s, which Git uses instead of the stored one.", user)
		out.Fix[0] = storeGitCredentials(plain, "Store valid credentials under the URL without the user name")
		out.Fix[1] = inApplication(r.in, diagnose.Fix{Text: "Then set repoURL to the same URL, in Git if the Application is defined there", Command: diagnose.Shell("argocd app set %s%s --repo %s", advice.AppName(r.in), gitPosition(r), plain)})
	}
	return out
}

// hostRemark is what a Git host says before git sums it up.
var hostRemark = pattern.MustCompile(`(?:remote: +|ERROR: )(?:error: )?(.+?)(?: fatal: | error: | To https?:|$)`)

// hostSays is the reason that the Git host gives, as far as it fits in a sentence; empty where it gives none.
func hostSays(f *message.Failure) string {
	m := hostRemark.FindStringSubmatch(f.Flat())
	if m == nil {
		return ""
	}
	said := strings.TrimSpace(strings.ReplaceAll(m[1], "remote: ", ""))
	said = strings.TrimSpace(strings.TrimPrefix(said, "ERROR: "))
	for i := 0; i < len(said)-1; i++ { // whole sentences
		if said[i] == '.' && said[i+1] == ' ' && i > message.MaxClause {
			return said[:i+1]
		}
	}
	if i := strings.Index(said, " See http"); i > 0 {
		said = said[:i]
	}
	return said
}

// compareURLs is the step that finds credentials stored under another URL.
var compareURLs = diagnose.Fix{
	Text:    "Or compare the URLs that have credentials: scheme, host, port and a slash at the end must be the same",
	Command: "argocd repo list; argocd repocreds list",
}

// withoutUser is an HTTPS URL without the user name in it, and that name; empty where it has none.
func withoutUser(repo string) (plain, user string) {
	scheme, rest, ok := strings.Cut(repo, "://")
	authority, path, _ := strings.Cut(rest, "/")
	name, host, found := strings.Cut(authority, "@")
	if !ok || !found || !strings.HasPrefix(scheme, "http") || repourl.Host(repo) == "" {
		return repo, ""
	}
	user, _, _ = strings.Cut(name, ":")
	return scheme + "://" + host + "/" + path, user
}

// loginPage is how a host answers that sends callers without valid credentials to its login page instead of refusing them.
var loginPage = pattern.MustCompile(`status code: (?:203|30[12378])\b|unexpected content-type: text/html`)
