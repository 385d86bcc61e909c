package apply

import (
	"cmp"
	"fmt"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
)

var Conflict = &diagnose.Rule{
	ID: "apply/conflict",
	Doc: diagnose.Doc{
		Title:    "The object was modified at the same moment",
		What:     "Somebody else wrote the object between Argo CD's reading and writing it. It is a race, and the next sync most often succeeds. When it keeps happening, two controllers fight over the object.",
		Decisive: "\"the object has been modified\".",
		Example:  "Operation cannot be fulfilled on horizontalpodautoscalers.autoscaling \"web\": the object has been modified; please apply your changes to the latest version and try again",
		Fix:      "Sync again; if it comes back, find who else writes the object.",
	},
	Sync:  diagnose.Advice{Verdict: diagnose.SyncSafe, Why: "it was a race, and a new attempt reads the object anew"},
	Needs: statement.RefusalNeeds,
	Check: statement.Refused(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		if !s.Failure.Has("object has been modified", "apply your changes to the latest version", "uid in precondition", "precondition failed", "resourceversion conflict", "too many conflicts", "the resourceversion") {
			return diagnose.Finding{}, false
		}
		ref := statement.Subject(s)
		return diagnose.Finding{
			Resource: ref, Confidence: diagnose.Certain,
			Title: statement.Name(s) + " was modified by somebody else at the same moment",
			Why:   fmt.Sprintf("Something else wrote %s while Argo CD was applying it: %s", statement.Name(s), statement.Words(s)),
			Fix: []diagnose.Fix{
				advice.Sync(in, "Sync again"),
				{Text: "If it comes back, see who else writes it", Command: diagnose.Shell("kubectl %sget %s --show-managed-fields -o yaml", advice.InNamespace(ref), cmp.Or(ref.Resource(), "RESOURCE"))},
			},
		}, true
	}),
}
