package health

import (
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/evidence"
)

// unblockSteps are the steps that let the deletion of a resource finish. The finalizers of Kubernetes itself go when what they
// wait for is gone; behind any other one is a controller.
func unblockSteps(ref evidence.Ref, o evidence.Object) []diagnose.Fix {
	names := finalizersOf(o)
	if len(names) == 0 && ref.Kind == "Application" && ref.Group == "argoproj.io" { // nothing else holds one
		names = []string{"resources-finalizer.argocd.argoproj.io"}
	}
	if len(names) == 1 {
		if step, known := advice.BehindFinalizer(ref, names[0]); known {
			return []diagnose.Fix{step}
		}
	}
	show := advice.SeeFinalizer(ref)
	fix := diagnose.Fix{Text: "Check that the controller behind the finalizer still runs: it may have been deleted first. Remove the finalizer manually only when it has nothing left to clean up"}
	if len(names) > 0 {
		show.Text = "Check whether the finalizer is gone"
		return []diagnose.Fix{fix, show}
	}
	return []diagnose.Fix{show, fix}
}

func finalizersOf(o evidence.Object) []string {
	list, _ := o.At("metadata", "finalizers").([]any)
	var names []string
	for _, v := range list {
		if s, ok := v.(string); ok {
			names = append(names, s)
		}
	}
	return names
}

// finalizerClause names what blocks a deletion, for the end of a clause.
func finalizerClause(o evidence.Object) string {
	return message.After(", blocked by finalizer ", strings.Join(finalizersOf(o), ", "))
}
