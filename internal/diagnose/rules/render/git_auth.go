package render

import (
	"fmt"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/message"
)

var GitAuth = &diagnose.Rule{
	ID: "render/git-auth",
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
		// The host answered and then closed the connection: without a network error that is a refusal in words not known here.
		closed := f.Has("could not read from remote repository") && f.Network() == message.NetworkOK
		if peerOf(in, s) != peerGit || !f.AuthRefused() && !closed {
			return diagnose.Finding{}, false
		}
		repo := repository(in, s)
		return diagnose.Finding{
			Confidence: diagnose.CertainIf(f.AuthRefused()),
			Shared:     "git host " + host(in, s),
			Title:      fmt.Sprintf("Git host %s rejects Argo CD's credentials", host(in, s)),
			Why:        fmt.Sprintf("Argo CD cannot read %s%s.", repo, sourceOf(s)),
			Says:       said(s),
			Fix: []diagnose.Fix{
				{Text: "Store valid credentials; their URL must be the repoURL or a prefix of it", Command: diagnose.Shell("argocd repo add %s%s", repo, gitCredentialFlags(repo))},
				{Text: "Check which credentials Argo CD has for this URL, and whether they work", Command: diagnose.Shell("argocd repo get %s", repo)},
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
