package health

import (
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
	"github.com/argo-why/argo-why/internal/evidence"
)

// userPatch sets the user of every container that the kubelet would refuse for the same reason, or the next one fails as soon as the first
// is repaired: in the pod where that concerns no other container. which says what user it has to be.
func userPatch(s *unhealthy.Resource, which string) string {
	image := s.ContainerSpec().Text("image")
	var alike []string
	others := false
	for _, c := range slices.Concat(s.Object.List("spec", "initContainers"), s.Object.List("spec", "containers")) {
		switch _, set := c.Number("securityContext", "runAsUser"); {
		case set:
		case !demandsUser(s.Object, c) || c.Text("image") != image:
			others = true
		case c.Text("name") != s.Symptom.Container:
			alike = append(alike, c.Text("name"))
		}
	}
	if len(alike) == 0 || others || image == "" {
		return s.PatchContainer("securityContext:", "  runAsUser: 1000   # "+which+message.After("; also for ", strings.Join(alike, ", ")))
	}
	lines := []string{"  runAsUser: 1000   # " + which}
	if s.Object.At("spec", "securityContext", "fsGroup") == nil && slices.ContainsFunc(s.Object.List("spec", "volumes"), writable) {
		lines = append(lines, "  fsGroup: 1000   # so that this user may write to its volumes")
	}
	return s.PatchPod("securityContext:", lines...)
}

// demandsUser reports whether a container must not run as root, by its own setting or else by that of its pod.
func demandsUser(pod, container evidence.Object) bool {
	if own := container.At("securityContext", "runAsNonRoot"); own != nil {
		return own == true
	}
	return pod.At("spec", "securityContext", "runAsNonRoot") == true
}

// writable reports whether containers can usually write to a volume of a pod.
func writable(v evidence.Object) bool {
	return v.At("emptyDir") != nil || v.At("persistentVolumeClaim") != nil || v.At("ephemeral") != nil
}
