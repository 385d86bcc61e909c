package render

import (
	"cmp"
	"fmt"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/text"
)

var InvalidYAML = &diagnose.Rule{
	ID: "render/invalid-yaml",
	Doc: diagnose.Doc{
		Title:    "A manifest is not valid YAML or no Kubernetes object",
		What:     "A file in the application's directory cannot be read as YAML or JSON, or what it holds has no kind, apiVersion or name.",
		Decisive: "A YAML or JSON parse error, or \"Object 'Kind' is missing\", outside of Helm and Kustomize.",
		Example:  "failed to unmarshal manifest: error converting YAML to JSON: yaml: line 2: mapping values are not allowed in this context",
		Fix:      "Fix the file, or keep files that are no manifests out with directory.exclude.",
	},
	Sync: nothingRenders,
	Check: rendering(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		f := &s.Failure
		if !f.Has("yaml:", "converting yaml", "unmarshal", "is missing in", "invalid character", "cannot unmarshal", "failed to parse", "error parsing", "invalid yaml", "decoding json", "did not find expected", "mapping values", "duplicate key", "already set in map", "'kind' is missing", "unexpected end of json", "found multiple objects in", "single objects are allowed", "control characters") {
			return diagnose.Finding{}, false
		}
		path := cmp.Or(in.App().Source(f.Source).Path, ".")
		return diagnose.Finding{
			Confidence: diagnose.Certain,
			Title:      "a manifest in " + path + " cannot be read",
			Why:        fmt.Sprintf("A file of %s%s is no valid manifest: %s", path, sourceOf(s), text.Sentence(f.Line(message.MaxClause))),
			Fix: []diagnose.Fix{
				{Text: "Find the file", Command: diagnose.Shell("kubectl apply --dry-run=client -R -f %s", path)},
				{Text: "If it is no manifest at all, leave it out: spec.source.directory.exclude"},
			},
		}, true
	}),
}
