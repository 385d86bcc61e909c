package unhealthy

import (
	"fmt"
	"slices"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/evidence"
)

// IsSilent reports whether a custom resource has no status at all.
func IsSilent(ref evidence.Ref, o evidence.Object) bool {
	return o != nil && o.At("status") == nil && !advice.BuiltIn(ref) && ref.Kind != "CustomResourceDefinition"
}

// Silence says what it means that a custom resource has no status, and what helps: what it owns shows whether its operator is at work.
func Silence(in *diagnose.In, ref evidence.Ref, owned []evidence.Node) (why string, fix []diagnose.Fix) {
	if n := firstUnhealthy(owned); n != nil {
		return fmt.Sprintf("Its operator has worked on it, but has written no status yet, which Argo CD's health check goes by. Below it, %s is %s.", n.Ref(), n.HealthStatus()),
			append([]diagnose.Fix{{Text: fmt.Sprintf("Check the status and events of the %s first", n.Kind), Command: diagnose.Shell("kubectl %sdescribe %s", advice.InNamespace(n.Ref()), n.Ref().Resource())}}, advice.OperatorSteps(ref, false)...)
	}
	made, healthy := madeOf(ref, owned)
	if len(made) == 0 {
		watches := ""
		if ref.Namespace != "" {
			watches = ", does not watch this namespace"
		}
		return fmt.Sprintf("Its controller is not running%s, or never writes a status.", watches),
			append(advice.OperatorSteps(ref, true), advice.HealthCheck(in, "If nothing ever writes a status of this kind, call it healthy", ref, "always"))
	}
	are := "exists"
	switch {
	case healthy && len(made) > 1:
		are = "are Healthy"
	case healthy:
		are = "is Healthy"
	case len(made) > 1:
		are = "exist"
	}
	why = fmt.Sprintf("Its operator has worked on it: %s %s. But it has written no status, which Argo CD's health check goes by.", advice.Names(made), are)
	fix = append([]diagnose.Fix{writeStatus(ref)}, advice.OperatorSteps(ref, false)...)
	if ref.Kind == "SealedSecret" {
		return why, fix
	}
	return why, append(fix, advice.HealthCheck(in, "If it cannot be upgraded, call this kind healthy", ref, "always: its operator writes no status"))
}

// writeStatus is the step after which the operator of a kind writes its status.
func writeStatus(ref evidence.Ref) diagnose.Fix {
	if ref.Kind == "SealedSecret" {
		return diagnose.Fix{Text: "Let the Sealed Secrets controller write it: --update-status (updateStatus: true in the values of its chart)"}
	}
	return diagnose.Fix{Text: "Upgrade its operator, if its version writes no status of this kind"}
}

// firstUnhealthy is the first of what an object owns that is not healthy; nil where there is none.
func firstUnhealthy(owned []evidence.Node) *evidence.Node {
	for i := range owned {
		if health := owned[i].HealthStatus(); health != "" && health != "Healthy" {
			return &owned[i]
		}
	}
	return nil
}

// madeOf is what the operator of an object made of it: the workloads, which are healthy, else what it owns directly.
func madeOf(ref evidence.Ref, owned []evidence.Node) (made []evidence.Ref, healthy bool) {
	var workloads []evidence.Ref
	for i := range owned {
		n := &owned[i]
		switch {
		case n.HealthStatus() != "" && slices.Contains([]string{"Deployment", "StatefulSet", "DaemonSet"}, n.Kind):
			workloads = append(workloads, n.Ref())
		case slices.ContainsFunc(n.ParentRefs, func(p evidence.Parent) bool { return p.Ref().Same(ref) }):
			made = append(made, n.Ref())
		}
	}
	if len(workloads) > 0 {
		return workloads, true
	}
	return made, false
}
