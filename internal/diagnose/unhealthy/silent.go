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
func Silence(ref evidence.Ref, owned []evidence.Node) (why string, fix []diagnose.Fix) {
	works := allHealthy(owned)
	if len(works) == 0 {
		watches := ""
		if ref.Namespace != "" {
			watches = ", does not watch this namespace"
		}
		return fmt.Sprintf("Its controller is not running%s, or never writes a status.", watches),
			append(advice.OperatorSteps(ref, true), diagnose.Fix{Text: "If nothing ever writes a status of this kind, call it healthy in argocd-cm", Patch: advice.HealthCheck(ref, "always")})
	}
	is := "is"
	if len(works) > 1 {
		is = "are"
	}
	why = fmt.Sprintf("What it consists of is there: %s %s Healthy. Only its status is missing, which Argo CD's health check goes by: its operator has written none.", advice.Names(works), is)
	fix = append(fix, diagnose.Fix{Text: "Upgrade its operator, if its version writes no status of this kind"})
	fix = append(fix, advice.OperatorSteps(ref, false)...)
	return why, append(fix, diagnose.Fix{Text: "If it cannot be upgraded, call this kind healthy in argocd-cm", Patch: advice.HealthCheck(ref, "always: its operator writes no status")})
}

// allHealthy are the workloads among what an object owns, if all that has a health is Healthy: nil otherwise. Pods only count with
// those who own them.
func allHealthy(owned []evidence.Node) []evidence.Ref {
	var out []evidence.Ref
	for i := range owned {
		n := &owned[i]
		if health := n.HealthStatus(); health != "" && health != "Healthy" {
			return nil
		}
		if slices.Contains([]string{"Deployment", "StatefulSet", "DaemonSet"}, n.Kind) && n.HealthStatus() == "Healthy" {
			out = append(out, n.Ref())
		}
	}
	return out
}
