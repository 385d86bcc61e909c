package apply

import (
	"cmp"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
)

var Conflict = &diagnose.Rule{
	ID: "apply/conflict",
	Doc: diagnose.Doc{
		Title:    "Resource changed while being applied",
		What:     "Something else changed the resource between the moment Argo CD read it and the moment it applied it. This is a race, and the next sync usually succeeds. If it keeps happening, two controllers are fighting over the resource.",
		Decisive: "\"the object has been modified\".",
		Example:  "Operation cannot be fulfilled on horizontalpodautoscalers.autoscaling \"web\": the object has been modified; please apply your changes to the latest version and try again",
		Fix:      "Sync again. If it keeps happening, find out what else changes the resource.",
	},
	Sync:  diagnose.Advice{Verdict: diagnose.SyncSafe, Why: "it was a race, and a new sync reads the latest version first"},
	Needs: statement.RefusalNeeds,
	Check: statement.Refused(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		if !s.Failure.Has("object has been modified", "apply your changes to the latest version", "uid in precondition", "precondition failed", "resourceversion conflict", "too many conflicts", "the resourceversion") {
			return diagnose.Finding{}, false
		}
		ref := statement.Subject(s)
		return diagnose.Finding{
			Resource: ref, Confidence: diagnose.Certain,
			Title: sentence(statement.Name(s), "changed while being applied"),
			Why:   "Something else changed it at the same time, so the API server refused the outdated version that Argo CD sent.",
			Fix: []diagnose.Fix{
				advice.Sync(in, "Sync again"),
				{Text: "If it keeps happening, check what else changes it", Command: diagnose.Shell("kubectl %sget %s --show-managed-fields -o yaml", advice.InNamespace(ref), cmp.Or(ref.Resource(), "RESOURCE"))},
			},
		}, true
	}),
}
