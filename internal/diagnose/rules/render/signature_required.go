package render

import (
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
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
		if statement.IsRefusal(s) && !s.Refusal || !s.Failure.Has("commit signature", "not signed", "signature verification", "no signature found", "is not allowed in appproject", "signed with key", "invalid signature on", "signature made with") || s.Failure.Has("admission webhook", "image") {
			return diagnose.Finding{}, false
		}
		project := advice.Project(in)
		keys := diagnose.Fix{Text: "List the keys that the project allows (spec.signatureKeys)", Command: diagnose.Shell("argocd proj get %s -o yaml", project)}
		out := diagnose.Finding{
			Confidence: diagnose.Certain, Kind: diagnose.KindForbidden,
			Title: unsigned(&s.Failure),
			Why:   fmt.Sprintf("Project %s only deploys commits signed with one of its GnuPG keys.", project),
			Says:  said(s),
			Fix:   []diagnose.Fix{signedOnTop, keys},
		}
		key := signingKey.FindStringSubmatch(s.Failure.Text)
		switch {
		case s.Failure.Has("good signature") && key != nil:
			out.Title, out.Says = "Key "+key[1]+" is not allowed to sign in project "+project.String(), diagnose.Said{}
			out.Why = "The commit has a good signature. " + out.Why
			out.Fix = []diagnose.Fix{{Text: "If you trust this key, allow it in the project, in Git if the AppProject is defined there", Command: diagnose.Shell("argocd proj add-signature-key %s %s", project, key[1])},
				{Text: "Otherwise push a commit on top that is signed with a key that the project allows"}, keys}
		case s.Failure.Has("verification result was invalid"):
			out.Why += " It is signed, but Argo CD does not accept the signature: the key has expired or was revoked, or its owner is not trusted."
			out.Fix = append([]diagnose.Fix{{Text: "Compare the keys in Argo CD with the one that signed, and import its current version (argocd gpg add --from FILE)", Command: "argocd gpg list"}}, out.Fix...)
		case s.Failure.Has("could not verify"):
			out.Why += " Argo CD could not check the signature of this commit: most often the key that signed it was not imported into Argo CD."
			out.Says = diagnose.Said{}
			out.Fix = append([]diagnose.Fix{{Text: "Compare the keys in Argo CD with the one that signed, and import it if it is missing (argocd gpg add --from FILE)", Command: "argocd gpg list"}}, out.Fix...)
		case s.Failure.Has("not signed"):
			out.Title, out.Says = strings.Replace(out.Title, "has no accepted signature", "is not signed", 1), diagnose.Said{}
		case s.Failure.Has("local manifests"):
			out.Title, out.Says = "Local manifests are refused: project "+project.String()+" requires signatures", diagnose.Said{}
			out.Fix = []diagnose.Fix{{Text: "Commit the manifests with a signature, and sync from Git"}, keys}
		}
		return out, true
	}),
}

// signedOnTop is the step that gives Argo CD a commit that it accepts: it checks the one that it deploys, not those before.
var signedOnTop = diagnose.Fix{
	Text:    "Push a commit on top that is signed with a key that the project allows (where a tag is deployed: create it again with git tag -s)",
	Command: "git commit -S --allow-empty -m 'Sign for deployment' && git push",
}

var signingKey = pattern.MustCompile(`\bkey ([0-9A-F]{8,40})\b`)

var signedRevision = pattern.MustCompile(`revision '?([0-9a-f]{7,64})\b`)

// unsigned names the commit, where the message does.
func unsigned(f *message.Failure) string {
	if m := signedRevision.FindStringSubmatch(f.Text); m != nil {
		return "Commit " + text.Revision(m[1]) + " has no accepted signature"
	}
	return "The commit has no accepted signature"
}
