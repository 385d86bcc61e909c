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
		Title:    "PodDisruptionBudget allows no evictions",
		What:     "The budget requires as many healthy pods as there are now, so none can be evicted. Node drains, node upgrades and the cluster autoscaler wait for it. It does not stop a rollout of the workload itself.",
		Decisive: "status.disruptionsAllowed is 0 while the budget requires as many pods as there are, or condition DisruptionAllowed=False.",
		Example:  "Cannot evict pod as it would violate the pod's disruption budget.",
		Fix:      "Run more replicas than the budget requires, or require fewer.",
		Links:    []string{"https://kubernetes.io/docs/tasks/run-application/configure-pdb/"},
	},
	Sync:       alreadyApplied,
	Recognises: about{{kind: "policy/PodDisruptionBudget"}},
	Check: func(in *diagnose.In) diagnose.Outcome {
		if shown(in) != nil {
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
		Title:    fmt.Sprintf("PDB/%s allows no evictions", ref.Name),
		Why:      "Node drains and scale-downs of the cluster have to wait for it.",
		Evidence: []diagnose.Quote{{From: ref.String(), Text: said}},
		Fix: []diagnose.Fix{
			{Text: "In Git, run one more replica than it requires, or allow one unavailable pod", Patch: fmt.Sprintf("# on %s\nspec:\n  maxUnavailable: 1%s\n", ref, insteadOf(o))},
			{Text: "Compare what it requires with what is running", Command: diagnose.Shell("kubectl %sget pdb %s -o wide", advice.InNamespace(ref), ref.Name)},
		},
	}
	switch {
	case !known:
	case expected == 0:
		f.Title = fmt.Sprintf("PDB/%s selects no pods", ref.Name)
		f.Why = "It counts no pods at the moment, so it protects none."
		f.Fix[0] = diagnose.Fix{Text: "Check that spec.selector in Git matches the labels of the pods that it is for", Command: diagnose.Shell("kubectl %sget pods --show-labels", advice.InNamespace(ref))}
		if c := o.Condition("DisruptionAllowed"); c.Text("reason") == "SyncFailed" {
			f.Title, f.Why = fmt.Sprintf("PDB/%s allows no evictions", ref.Name), "Kubernetes cannot count its pods."
			f.Says = says("Its status says", c.Text("message"))
			f.Fix[0] = diagnose.Fix{Text: "Correct spec.selector in Git: it has to select pods of a Deployment, StatefulSet or another kind with a scale subresource"}
		}
	case healthy < desired:
		f.Why = fmt.Sprintf("It requires %d healthy pods, but only %d of %d are healthy. The cause is in the unhealthy pods.", int(desired), int(healthy), int(expected))
		f.Fix = append([]diagnose.Fix{{Text: "Find out why its other pods are not healthy", Command: diagnose.Shell("kubectl %sget pods", advice.InNamespace(ref))}}, f.Fix...)
	case desired < expected:
		f.Why = fmt.Sprintf("It requires %d healthy pods, and %d of %d are healthy. None can be evicted until another one is healthy.", int(desired), int(healthy), int(expected))
	default:
		f.Why = fmt.Sprintf("It requires %d of %d pods to be healthy, so none can be evicted, and a node drain does not finish.", int(desired), int(expected))
		if !fixedNumber(o) { // it grows with the replicas
			f.Fix[0].Text = "In Git, allow one unavailable pod: with this budget, more replicas do not help"
		}
	}
	return f
}

// fixedNumber reports whether a budget requires a number of pods, so that one more than that can be evicted; else a share of all, or none
// may be unavailable.
func fixedNumber(o evidence.Object) bool {
	_, number := o.Number("spec", "minAvailable")
	return number || o.At("spec") == nil
}

// insteadOf marks what takes the place of another field: a budget may set only one of the two.
func insteadOf(o evidence.Object) string {
	if o.At("spec", "maxUnavailable") != nil {
		return ""
	}
	return "   # instead of minAvailable"
}
