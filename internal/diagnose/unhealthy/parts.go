package unhealthy

import (
	"cmp"
	"slices"

	"github.com/argo-why/argo-why/internal/diagnose/pods"
	"github.com/argo-why/argo-why/internal/evidence"
)

// maxParts bounds how many workloads of one custom resource are looked at besides its worst.
const maxParts = 5

// addParts adds the further workloads of custom resources whose pods are in trouble: an operator runs several, and each can fail for a
// reason of its own.
func (p *Picture) addParts(nodes map[evidence.Ref]*evidence.Node) {
	var parts []*Resource
	for _, s := range p.Resources {
		if s.Pod != nil && !s.isChild() && s.Ref.Group != "apps" && s.Ref.Group != "batch" && !s.Leaving() {
			parts = append(parts, p.partsOf(s, nodes)...)
		}
	}
	p.Resources = append(p.Resources, parts...)
}

// partsOf are the workloads below a resource that are in trouble, other than that of its most telling pod.
func (p *Picture) partsOf(s *Resource, nodes map[evidence.Ref]*evidence.Node) []*Resource {
	find := func(ref evidence.Ref) *evidence.Node {
		if ref.Same(s.Ref) {
			return nil // climb no further
		}
		return nodes[ref]
	}
	worst := pods.RootOf(find, s.Pod)
	var out []*Resource
	below := p.Descendants(s.Ref)
	for i := range below {
		w := nodes[below[i].Ref()]
		if len(out) == maxParts || w == nil || !isWorkload(w) || w.Ref().Same(worst) || w.HealthStatus() == "Healthy" || pods.RootOf(find, w) != w.Ref() {
			continue
		}
		if pod := pods.Worst(p.Descendants(w.Ref())); pod != nil && pods.Rank(pod) >= pods.RankPending {
			part := &Resource{Ref: w.Ref(), Of: s.Ref, Status: cmp.Or(w.HealthStatus(), s.Status), Since: s.Since, node: w, Pod: pod}
			if w.Health != nil {
				part.Text = w.Health.Message
			}
			out = append(out, part)
		}
	}
	return out
}

// isWorkload reports whether it is of a kind of Kubernetes' own that runs pods.
func isWorkload(n *evidence.Node) bool {
	return n.Group == "apps" && slices.Contains([]string{"Deployment", "StatefulSet", "DaemonSet"}, n.Kind) || n.Group == "batch" && n.Kind == "Job"
}
