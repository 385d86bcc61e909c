package pods

import (
	"github.com/argo-why/argo-why/internal/evidence"
)

// MaxControllers is how many controllers' events are read: the same refusal hits all pods of an application.
const MaxControllers = 3

// ControllersWithout are the controllers that lack pods: they have none, or say that some are missing while those that exist
// are healthy.
func ControllersWithout(tree *evidence.Tree) []evidence.Node {
	var out []evidence.Node
	owners := podOwners(tree, func(n *evidence.Node) bool { return true })
	troubled := podOwners(tree, func(n *evidence.Node) bool { return n.HealthStatus() != "Healthy" })
	for _, n := range tree.Nodes {
		switch n.Kind {
		case "ReplicaSet", "StatefulSet", "DaemonSet", "Job":
		default:
			continue
		}
		switch n.HealthStatus() {
		case "Healthy", "Suspended", "Missing":
			continue
		}
		lacks := !owners[n.Ref()] || n.Kind != "Job" && n.HealthStatus() != "" && !troubled[n.Ref()] // a Job under way has its pods
		if lacks && len(out) < MaxControllers {
			out = append(out, n)
		}
	}
	return out
}

// podOwners are the objects that own such a pod, directly or through others.
func podOwners(tree *evidence.Tree, which func(*evidence.Node) bool) map[evidence.Ref]bool {
	parents := map[evidence.Ref][]evidence.Parent{}
	for _, n := range tree.Nodes {
		parents[n.Ref()] = n.ParentRefs
	}
	owners := map[evidence.Ref]bool{}
	var climb func(evidence.Ref)
	climb = func(ref evidence.Ref) {
		for _, p := range parents[ref] {
			owner := p.Ref()
			if !owners[owner] { // also ends a cycle
				owners[owner] = true
				climb(owner)
			}
		}
	}
	for i := range tree.Nodes {
		if n := &tree.Nodes[i]; n.Kind == "Pod" && which(n) {
			climb(n.Ref())
		}
	}
	return owners
}
