package render

import (
	"cmp"
	"fmt"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/text"
)

var Kustomize = &diagnose.Rule{
	ID: "render/kustomize",
	Doc: diagnose.Doc{
		Title:    "kustomize build fails",
		What:     "Kustomize cannot build the overlay: a file or base is missing, a patch has no target, an id is used twice, or a remote base cannot be fetched. Its message is a chain; the last clause is the cause.",
		Decisive: "kustomize build ends with an error.",
		Example:  "Error: accumulating resources: … no matches for Id Deployment.v1.apps/web.[noNs]; failed to find unique target for patch",
		Fix:      "Fix the overlay; kustomize build shows the same error locally.",
	},
	Sync: nothingRenders,
	Check: rendering(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		f := &s.Failure
		if f.Command != nil && f.Command.TimedOut() || !kustomizeWords(f) {
			return diagnose.Finding{}, false
		}
		path := cmp.Or(in.App().Source(f.Source).Path, ".")
		return diagnose.Finding{
			Confidence: diagnose.Certain,
			Title:      "kustomize cannot build " + path,
			Why:        fmt.Sprintf("kustomize build fails%s: %s", sourceOf(s), text.Sentence(message.LastClause(f.Core()))),
			Fix:        []diagnose.Fix{{Text: "Build it where you can see it (with the options Argo CD uses, see kustomize.buildOptions in argocd-cm)", Command: diagnose.Shell("kustomize build %s", path)}},
		}, true
	}),
}

func kustomizeWords(f *message.Failure) bool {
	return f.Command != nil && f.Command.Tool == "kustomize" || f.Has("kustomize build", "kustomize: ", "accumulating resources", "accumulation err", "kustomize version", "kustomize edit") || f.Mentions("kustomization") && !f.Has("unmarshal")
}
