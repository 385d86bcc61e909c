package render

import (
	"fmt"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
	"github.com/argo-why/argo-why/internal/text"
)

var SignatureRequired = &diagnose.Rule{
	ID: "render/signature-required",
	Doc: diagnose.Doc{
		Title:    "The commit is not signed by an allowed key",
		What:     "The project demands commits signed with one of its GnuPG keys. The commit has no signature, or one by another key, so Argo CD refuses to deploy it.",
		Decisive: "The condition says that the signature of the revision could not be verified, or is by a key the project does not allow.",
		Example:  "Could not verify commit signature on revision '910788d9…', check logs for more information.",
		Fix:      "Sign the commit with an allowed key, or add the key to the project's signatureKeys and to Argo CD.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/user-guide/gpg-verification/"},
	},
	Sync: advice.Blocked("Argo CD deploys nothing from a commit whose signature it cannot verify"),
	Check: statement.Each(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		if statement.IsRefusal(s) && !s.Refusal || !s.Failure.Has("commit signature", "not signed", "signature verification", "no signature found", "is not allowed in appproject", "signed with key", "invalid signature on") || s.Failure.Has("admission webhook", "image") {
			return diagnose.Finding{}, false
		}
		return diagnose.Finding{
			Confidence: diagnose.Certain, Kind: diagnose.KindForbidden,
			Title: "the commit is not signed by a key that the project allows",
			Why:   fmt.Sprintf("Project %s demands signed commits: %s", advice.Project(in), text.Sentence(s.Failure.Line(message.MaxClause))),
			Fix: []diagnose.Fix{
				{Text: "See which keys the project allows", Command: diagnose.Shell("argocd proj get %s -o yaml", advice.Project(in))},
				{Text: "Sign the commit with one of them and push, or allow the key", Command: diagnose.Shell("argocd proj add-signature-key %s KEYID", advice.Project(in))},
			},
		}, true
	}),
}
