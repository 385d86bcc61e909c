package health

import (
	"fmt"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
	"github.com/argo-why/argo-why/internal/evidence"
)

// misfit is what of a probe that nobody answers does not fit its container: it asks a port that no container of the pod declares, or one
// that does not exist by that name. Empty where the port fits, or the pod declares none.
func misfit(s *unhealthy.Resource, field, answer string) (why string, fix diagnose.Fix) {
	c := s.ContainerSpec()
	declared := portsOf(s.Object.List("spec", "containers"))
	kind, port := probedPort(c, field)
	lower := strings.ToLower(answer)
	if port == "" || len(declared) == 0 || !message.HasAny(lower, "refused", "failed to connect", "deadline exceeded", "timeout", "timed out") {
		return "", fix
	}
	if slices.ContainsFunc(declared, servicePort{target: port}.is) {
		return "", fix
	}
	own := portsOf([]evidence.Object{c})
	if len(own) == 0 {
		own = declared
	}
	return fmt.Sprintf("Port %s is no port of the container, which declares %s.", port, declaredText(own)),
		diagnose.Fix{Text: fmt.Sprintf("Correct the port of the %s probe in Git", strings.TrimSuffix(field, "Probe")), Patch: s.PatchContainer(field+":", "  "+kind+":", fmt.Sprintf("    port: %d   # now %s", own[0].number, port))}
}

// probedPort is the port that a probe of a container asks, by its number or name, and how.
func probedPort(c evidence.Object, field string) (kind, port string) {
	for _, kind := range []string{"httpGet", "tcpSocket", "grpc"} {
		if port := numberOrName(c, field, kind, "port"); port != "" {
			return kind, port
		}
	}
	return "", ""
}

// numberOrName is a port as a manifest has it: a number, or the name of one; empty where there is none.
func numberOrName(o evidence.Object, path ...string) string {
	if n, ok := o.Number(path...); ok {
		return fmt.Sprint(int(n))
	}
	return o.Text(path...)
}
