package unhealthy

import (
	"cmp"
	"slices"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/pods"
	"github.com/argo-why/argo-why/internal/evidence"
)

// around is the picture with the resource that a rule is asked about in front, which alone is examined; nil where that is healthy.
func around(in *diagnose.In) *Picture {
	tree, ok := diagnose.Get(in, evidence.FactTree)
	if in.Waiting() {
		return &Picture{Unread: true}
	}
	p := List(in, tree)
	p.Unread = !ok
	first := p.hook(in)
	if i := slices.IndexFunc(p.Resources, func(s *Resource) bool { return s.Ref == in.About() }); i >= 0 {
		first = cmp.Or(first, p.Resources[i])
		p.Resources = slices.Delete(p.Resources, i, i+1)
	}
	if first == nil {
		return nil
	}
	if first.Since == 0 { // nothing says since when; a sync that waits for it has not seen it healthy
		first.Since = in.RunningFor()
	}
	p.Resources = slices.Insert(p.Resources, 0, first)
	p.examine(in)
	return p
}

// hook is a hook that a rule is asked about and that runs or failed, with its worst pod; nil where it is none. Argo CD lists it as a resource of the
// application only at times, and never with a health.
func (p *Picture) hook(in *diagnose.In) *Resource {
	ref := in.About()
	results := in.App().CurrentOperation().Results()
	i := slices.IndexFunc(results, func(r evidence.ResourceResult) bool { return r.IsHook() && r.Ref().Same(ref) })
	node := p.Tree.Find(ref)
	if i < 0 || node == nil {
		return nil
	}
	s := &Resource{Ref: ref, node: node, Status: "Progressing", hook: true}
	if results[i].Failed() {
		s.Status = "Degraded"
	}
	if node.Health != nil {
		s.Status, s.Text = node.HealthStatus(), node.Health.Message
	}
	switch ref.Kind {
	case "Pod":
		s.Pod = node
	case "Job":
		s.Pod = pods.OfJob(p.Tree, ref)
	default:
		s.Pod = pods.Worst(p.Descendants(ref))
	}
	return s
}
