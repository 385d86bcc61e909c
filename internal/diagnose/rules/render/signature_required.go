package render

import (
	"fmt"
	"regexp"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
	"github.com/argo-why/argo-why/internal/text"
)

var SignatureRequired = &diagnose.Rule{
	ID: "render/signature-required",
	Doc: diagnose.Doc{
		Title:    "Commit signature not accepted",
		What:     "The project only accepts commits signed with one of its GnuPG keys. The commit has no signature, or one by another key, so Argo CD refuses to deploy it.",
		Decisive: "The condition says that the signature of the revision could not be verified, or is by a key the project does not allow.",
		Example:  "Could not verify commit signature on revision '910788d9…', check logs for more information.",
		Fix:      "Sign the commit with an allowed key, or add the key to the project's signatureKeys and to Argo CD.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/user-guide/gpg-verification/"},
	},
	Sync: advice.Blocked("the project only deploys commits with a valid signature"),
	Check: statement.Each(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		if statement.IsRefusal(s) && !s.Refusal || !s.Failure.Has("commit signature", "not signed", "signature verification", "no signature found", "is not allowed in appproject", "signed with key", "invalid signature on") || s.Failure.Has("admission webhook", "image") {
			return diagnose.Finding{}, false
		}
		return diagnose.Finding{
			Confidence: diagnose.Certain, Kind: diagnose.KindForbidden,
			Title: unsigned(&s.Failure),
			Why:   fmt.Sprintf("Project %s only deploys commits signed with one of its GnuPG keys.", advice.Project(in)),
			Says:  said(s),
			Fix: []diagnose.Fix{
				{Text: "Sign the commit with an allowed key and push, or allow the key that signed it", Command: diagnose.Shell("argocd proj add-signature-key %s %s", advice.Project(in), signedWith(&s.Failure))},
				{Text: "List the keys that the project allows (spec.signatureKeys)", Command: diagnose.Shell("argocd proj get %s -o yaml", advice.Project(in))},
			},
		}, true
	}),
}

var signingKey = regexp.MustCompile(`\bkey ([0-9A-F]{8,40})\b`)

// signedWith is the key that the commit is signed with, or what to put in its place.
func signedWith(f *message.Failure) string {
	if m := signingKey.FindStringSubmatch(f.Text); m != nil {
		return m[1]
	}
	return "KEYID"
}

var signedRevision = regexp.MustCompile(`revision '?([0-9a-f]{7,64})\b`)

// unsigned names the commit, where the message does.
func unsigned(f *message.Failure) string {
	if m := signedRevision.FindStringSubmatch(f.Text); m != nil {
		return "Commit " + text.Revision(m[1]) + " has no accepted signature"
	}
	return "The commit has no accepted signature"
}
