package unhealthy

import (
	"slices"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/pods"
	"github.com/argo-why/argo-why/internal/evidence"
)

const (
	// restlessFor is how long ago a container may have been killed that runs again. It runs longer than that before the next time only
	// where what kills it is rare.
	restlessFor = 30 * time.Minute
	// maxRestless bounds how many pods are read that are ready and were restarted.
	maxRestless = 3
)

// addRestless adds what is ready at the moment because Kubernetes has just restarted it once more.
func (p *Picture) addRestless(in *diagnose.In) {
	tree := p.Tree
	if tree == nil {
		tree = restlessTree(in)
	}
	if tree == nil || in.Waiting() {
		return
	}
	left := maxRestless
	for i := range tree.Nodes {
		n := &tree.Nodes[i]
		if n.Kind != "Pod" || n.Group != "" || n.HealthStatus() != "Healthy" || pods.Restarts(n) < pods.RestlessRestarts || left == 0 {
			continue
		}
		left--
		object, read := diagnose.Look(in, evidence.FactObject(n.Query()))
		events, _ := diagnose.Look(in, evidence.FactEvents(n.Query()))
		if !read || in.Waiting() {
			continue
		}
		root := pods.RootOf(tree.Find, n)
		known := slices.ContainsFunc(p.Resources, func(s *Resource) bool { return s.Ref == root })
		if a, ok := pods.Restless(n, object, events, in.Now().Add(-restlessFor)); ok && !known {
			p.Tree = tree
			p.Resources = append(p.Resources, &Resource{Ref: root, Status: "Degraded", Pod: n, Object: object, Events: events, Examined: true, Concealed: Overlooked, Symptom: a, node: tree.Find(root)})
		}
	}
}

// HasServices reports whether the application has a Service.
func HasServices(in *diagnose.In) bool {
	return slices.ContainsFunc(in.App().Status.Resources, func(r evidence.ResourceStatus) bool { return r.Kind == "Service" && r.Group == "" })
}

// restlessTree is the tree of an application with Services, of which it is read anyway where a person asks; else where it costs nothing.
func restlessTree(in *diagnose.In) *evidence.Tree {
	read := diagnose.Peek[*evidence.Tree]
	if HasServices(in) {
		read = diagnose.Look[*evidence.Tree]
	}
	tree, _ := read(in, evidence.FactTree)
	return tree
}
