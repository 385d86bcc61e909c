package render

import (
	"cmp"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/text"
)

var Jsonnet = &diagnose.Rule{
	ID: "render/jsonnet",
	Doc: diagnose.Doc{
		Title:    "Jsonnet cannot be evaluated",
		What:     "The Jsonnet of the application has an error, or imports a file that is neither beside it nor in the library path.",
		Decisive: "The message comes from Jsonnet.",
		Example:  "Failed to evaluate jsonnet \"main.jsonnet\": RUNTIME ERROR: couldn't open import \"grafana.libsonnet\"",
		Fix:      "Fix the Jsonnet, vendor the library, or add its directory to spec.source.directory.jsonnet.libs.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/user-guide/jsonnet/"},
	},
	Sync: nothingRenders,
	Check: rendering(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		if !s.Failure.Has("jsonnet") && !(s.Failure.Mentions("libsonnet", ".jsonnet") && s.Failure.Has("runtime error", "static error", "import")) {
			return diagnose.Finding{}, false
		}
		path := cmp.Or(in.App().Source(s.Failure.Source).Path, ".")
		return diagnose.Finding{
			Confidence: diagnose.Certain,
			Title:      "the Jsonnet of " + path + " cannot be evaluated",
			Why:        "Jsonnet stops" + sourceOf(s) + ": " + text.Sentence(s.Failure.Line(message.MaxClause)),
			Fix:        []diagnose.Fix{{Text: "Evaluate it where you can see it, with the same library path", Command: diagnose.Shell("jsonnet -J vendor %s/main.jsonnet", path)}},
		}, true
	}),
}
