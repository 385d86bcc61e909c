package health

import (
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
	"github.com/argo-why/argo-why/internal/evidence"
)

// contradictsHealth reports whether a workload's own status, or all that it owns, says that it is fine.
func contradictsHealth(p *unhealthy.Picture, s *unhealthy.Resource) bool {
	if s.Pod != nil || s.Ref.Group != "apps" {
		return false
	}
	if wellBelow(p, s) {
		return true
	}
	if s.Object == nil {
		return false
	}
	want, ok := s.Object.Number("spec", "replicas")
	updated, _ := s.Object.Number("status", "updatedReplicas")
	available, _ := s.Object.Number("status", "availableReplicas")
	seen, _ := s.Object.Number("status", "observedGeneration")
	generation, _ := s.Object.Number("metadata", "generation")
	return ok && want > 0 && updated == want && available == want && seen >= generation &&
		s.Object.Condition("Progressing").Text("status") != "False"
}

// statusCounts are numbers of an object's status as evidence.
func statusCounts(o evidence.Object, fields ...string) string {
	var out []string
	for _, field := range fields {
		n, _ := o.Number("status", field)
		out = append(out, fmt.Sprintf("%s %d", field, int(n)))
	}
	return strings.Join(out, ", ")
}

// wellBelow reports whether the workload has pods and everything below it is healthy. Of a StatefulSet that says nothing:
// pods that it should have and has not are not in the tree.
func wellBelow(p *unhealthy.Picture, s *unhealthy.Resource) bool {
	if s.Ref.Kind != "Deployment" {
		return false
	}
	count := 0
	for _, n := range p.Descendants(s.Ref) {
		if h := n.HealthStatus(); h != "" && h != "Healthy" {
			return false
		}
		if n.Kind == "Pod" {
			count++
		}
	}
	return count > 0
}
