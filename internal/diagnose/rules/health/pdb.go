package health

import (
	"cmp"
	"fmt"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
	"github.com/argo-why/argo-why/internal/evidence"
)

var PDB = &diagnose.Rule{
	ID:              "health/pdb",
	Needs:           needs,
	ExplainedByEach: isPodCause,
	Doc: diagnose.Doc{
		Title:    "A disruption budget allows no eviction",
		What:     "A PodDisruptionBudget lets no pod be evicted: as many pods are healthy as it demands, or fewer. Draining a node, an autoscaler that removes one and a node upgrade wait for it. It does not stop a rollout of the workload itself.",
		Decisive: "status.disruptionsAllowed is 0 while the budget demands as many pods as there are, or condition DisruptionAllowed=False.",
		Example:  "Cannot evict pod as it would violate the pod's disruption budget.",
		Fix:      "Run more replicas than the budget demands, or demand less.",
		Links:    []string{"https://kubernetes.io/docs/tasks/run-application/configure-pdb/"},
	},
	Sync:       alreadyApplied,
	Recognises: about{{kind: "policy/PodDisruptionBudget"}},
	Check: func(in *diagnose.In) diagnose.Outcome {
		if look(in) != nil {
			return reporting(func(_ *diagnose.In, _ *unhealthy.Picture, s *unhealthy.Resource) (diagnose.Finding, bool) {
				return budgetFinding(s.Ref, s.Object, cmp.Or(s.Text, "health "+s.Status)), true
			})(in)
		}
		var found []diagnose.Finding
		for _, o := range freeObjects(in, isKind("PodDisruptionBudget")) {
			allowed, known := o.Number("status", "disruptionsAllowed")
			if expected, _ := o.Number("status", "expectedPods"); known && allowed == 0 && expected > 0 {
				f := budgetFinding(o.Ref(), o, "disruptionsAllowed 0")
				found = appendNote(found, f, diagnose.Possible) // it waits for the next drain
			}
		}
		return diagnose.Found(found...)
	},
}

func budgetFinding(ref evidence.Ref, o evidence.Object, said string) diagnose.Finding {
	healthy, known := o.Number("status", "currentHealthy")
	desired, _ := o.Number("status", "desiredHealthy")
	expected, _ := o.Number("status", "expectedPods")
	f := diagnose.Finding{
		Resource: ref, Confidence: diagnose.CertainIf(known),
		Title:    fmt.Sprintf("%s allows no pod to be evicted", ref),
		Why:      fmt.Sprintf("%s lets no pod go: draining a node or scaling the cluster down waits for it.", ref),
		Evidence: []diagnose.Quote{{From: ref.String(), Text: said}},
		Fix: []diagnose.Fix{
			{Text: "See what it demands and what there is", Command: diagnose.Shell("kubectl %sget pdb %s -o wide", advice.InNamespace(ref), ref.Name)},
			{Text: "Run one replica more than it demands, or let it tolerate one missing", Patch: fmt.Sprintf("# on %s\nspec:\n  maxUnavailable: 1   # instead of minAvailable\n", ref)},
		},
	}
	switch {
	case !known:
	case healthy < desired:
		f.Why = fmt.Sprintf("%s demands %d healthy pods, and %d of %d are: no further one may go. The pods that are not healthy hold the cause.", ref, int(desired), int(healthy), int(expected))
	case desired < expected:
		f.Why = fmt.Sprintf("%s demands %d healthy pods, and %d of %d are: no further one may go until another is healthy.", ref, int(desired), int(healthy), int(expected))
	default:
		f.Why = fmt.Sprintf("%s demands %d healthy pods of %d, so that none may ever go: draining a node waits for ever.", ref, int(desired), int(expected))
	}
	return f
}
