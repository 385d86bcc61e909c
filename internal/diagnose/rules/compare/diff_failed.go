package compare

import (
	"cmp"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
	"github.com/argo-why/argo-why/internal/text"
)

var DiffFailed = &diagnose.Rule{
	ID: "compare/diff-failed",
	Doc: diagnose.Doc{
		Title:    "Argo CD cannot compute the difference",
		What:     "Desired and live state are both there, but Argo CD cannot compare them: a field is not in the schema it knows, a list entry lacks its key, a version cannot be converted, or a custom diff or health script fails.",
		Decisive: "\"failed to calculate diff\" for a reason of the diff itself, not a refusal of a server-side dry run.",
		Example:  "error calculating structured merge diff: error building typed value from live resource: .spec.podReplacementPolicy: field not declared in schema",
		Fix:      "Upgrade Argo CD or the CRD so that both know the field, use ServerSideDiff=true, or ignore the field.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/user-guide/diff-strategies/"},
	},
	Sync: diagnose.Advice{Verdict: diagnose.SyncUnknown, Why: "what would change cannot be computed"},
	Check: statement.Each(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		f := &s.Failure
		engine := f.Has("not declared in schema", "structured merge diff", "building typed value", "unknown conversion", "associative list", "stack traceback", "<string>:", "jq path", "ignoredifferences", "jsonpointer", "json pointer", "normalizing")
		if f.Stage != message.StageCompare && !f.Has("structured merge diff", "error building typed value") || f.DryRun && !engine {
			return diagnose.Finding{}, false
		}
		out := diagnose.Finding{
			Confidence: diagnose.CertainIf(engine || f.Has("diff")),
			Title:      "Argo CD cannot compute the difference",
			Why:        "Desired and live state cannot be compared: " + text.Sentence(message.LastClause(f.Cause)),
			Fix: []diagnose.Fix{
				{Text: "Have the API server compute the difference instead of Argo CD", Command: diagnose.Shell("kubectl -n %s annotate application %s argocd.argoproj.io/compare-options=ServerSideDiff=true --overwrite", cmp.Or(in.App().Metadata.Namespace, "argocd"), cmp.Or(in.App().Metadata.Name, "APP"))},
			},
		}
		switch {
		case f.Has("not declared in schema"):
			out.Why = "Argo CD's copy of the schema does not know a field that the object has: " + text.Sentence(message.LastClause(f.Cause)) + " Kubernetes, a CRD or Argo CD is older than the manifest."
			out.Fix = append(out.Fix, diagnose.Fix{Text: "Or bring Argo CD (its built-in schema) or the CRD up to the version of the manifest"})
		case f.Has("stack traceback", "<string>:"):
			out.Title = "a Lua script of Argo CD's customizations fails"
			out.Why = "A health, ignore or action script for this kind ends with an error: " + text.Sentence(message.LastClause(f.Cause))
			out.Fix = []diagnose.Fix{{Text: "Correct resource.customizations of this kind", Command: diagnose.Shell("kubectl -n %s get cm argocd-cm -o yaml", advice.ArgoNamespace(in))}}
		}
		return out, true
	}),
}
