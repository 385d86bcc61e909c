package render

import (
	"fmt"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/text"
)

var GitAuth = &diagnose.Rule{
	ID: "render/git-auth",
	Doc: diagnose.Doc{
		Title:    "The git host refuses Argo CD's credentials",
		What:     "Argo CD may not read the repository: no credentials are configured for this URL, or the host refuses them (rotated, expired, a deploy key removed). Nothing can be rendered.",
		Decisive: "The git host answers 401 or 403, or SSH ends with \"Permission denied (publickey)\" or cannot use the key.",
		Example:  "git@github.com: Permission denied (publickey)",
		Fix:      "Rotate the credentials, and check that the URL of the credential (or credential template) is a prefix of the application's repoURL.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/user-guide/private-repositories/"},
	},
	Sync: nothingRenders,
	Check: rendering(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		f := &s.Failure
		// The host talked to us and then closed: without a network error that is a refusal in words not known here.
		closed := f.Has("could not read from remote repository") && f.Network() == message.NetworkOK
		if peerOf(in, s) != peerGit || !f.AuthRefused() && !closed {
			return diagnose.Finding{}, false
		}
		repo := repository(in, s)
		return diagnose.Finding{
			Confidence: diagnose.CertainIf(f.AuthRefused()),
			Shared:     "git host " + host(in, s),
			Title:      fmt.Sprintf("git host %s refuses Argo CD's credentials", host(in, s)),
			Why:        fmt.Sprintf("Argo CD may not read %s%s: %s", repo, sourceOf(s), text.Sentence(f.Line(message.MaxClause))),
			Fix: []diagnose.Fix{
				{Text: "See which credentials Argo CD has for this URL, and whether they work", Command: diagnose.Shell("argocd repo get %s", repo)},
				{Text: "Store working ones; the credential's URL must be the repoURL or a prefix of it", Command: diagnose.Shell("argocd repo add %s%s", repo, gitCredentialFlags(repo))},
			},
		}, true
	}),
}

// gitCredentialFlags are those the transport of the URL takes.
func gitCredentialFlags(repo string) diagnose.Raw {
	if isSSH(repo) {
		return " --ssh-private-key-path KEYFILE --upsert"
	}
	return " --username USER --password TOKEN --upsert"
}
