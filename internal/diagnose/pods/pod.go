package pods

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/argo-why/argo-why/internal/evidence"
)

// FailedContainer is the container that the pod's health names: `container "migrate" failed with exit code 3`.
func FailedContainer(n *evidence.Node) string {
	if n.Health == nil {
		return ""
	}
	if _, rest, ok := strings.Cut(n.Health.Message, `container "`); ok {
		name, _, _ := strings.Cut(rest, `"`)
		return name
	}
	if _, rest, ok := strings.Cut(n.Health.Message, "failed container="); ok {
		name, _, _ := strings.Cut(rest, " ")
		return name
	}
	return ""
}

// How much a pod can tell, by what Argo CD shows of it in the tree.
const (
	rankLeaving = iota
	rankRunning
	RankPending
	RankFailing
)

// Reason is what kubectl shows of a pod, without "Init:" in front of what an init container does.
func Reason(n *evidence.Node) string {
	return strings.TrimPrefix(n.InfoValue("Status Reason"), "Init:")
}

// Initialises reports whether the init containers of a pod are not through.
func Initialises(n *evidence.Node) bool {
	return strings.HasPrefix(n.InfoValue("Status Reason"), "Init:")
}

// Rank is how much a pod can tell about the failure.
func Rank(n *evidence.Node) int {
	reason := Reason(n)
	switch {
	case reason == "Completed", reason == "Succeeded", reason == "Terminating", reason == "Evicted", reason == "NodeShutdown", reason == "Shutdown":
		return rankLeaving // others take its place
	case reason == "Pending", reason == "ContainerCreating", reason == "PodInitializing", reason == "SchedulingGated":
		return RankPending
	case reason == "" && n.HealthStatus() != "Degraded", reason == "Running", reason == "NotReady":
		return rankRunning
	case strings.Contains(reason, "/"): // Init:0/2
		return rankRunning
	}
	return RankFailing
}

// ByResource finds for each resource of the application the pod to look at: the most informative one, the newest of several.
func ByResource(tree *evidence.Tree, nodes map[evidence.Ref]*evidence.Node) map[evidence.Ref]*evidence.Node {
	out := map[evidence.Ref]*evidence.Node{}
	if tree == nil {
		return out
	}
	for i := range tree.Nodes {
		n := &tree.Nodes[i]
		if !isUnhealthyPod(n) {
			continue
		}
		root := RootOf(func(ref evidence.Ref) *evidence.Node { return nodes[ref] }, n)
		out[root] = worseOf(out[root], n)
	}
	return out
}

func isUnhealthyPod(n *evidence.Node) bool {
	return n.Kind == "Pod" && n.Group == "" && n.HealthStatus() != "Healthy"
}

// worseOf is the more informative of two pods; soFar can be nil.
func worseOf(soFar, n *evidence.Node) *evidence.Node {
	if soFar == nil || moreInformative(n, soFar) > 0 {
		return n
	}
	return soFar
}

// RootOf climbs to the resource of the application that a node belongs to: from a ReplicaSet to its Deployment. find looks a
// node up: [evidence.Tree.Find], or an index where many are looked up.
func RootOf(find func(evidence.Ref) *evidence.Node, n *evidence.Node) evidence.Ref {
	for range 10 { // deeper than any chain of owners; a cycle ends here
		if len(n.ParentRefs) == 0 {
			break
		}
		parent := find(n.ParentRefs[0].Ref())
		if parent == nil {
			break
		}
		n = parent
	}
	return n.Ref()
}

func moreInformative(a, b *evidence.Node) int {
	return cmp.Or(cmp.Compare(Rank(a), Rank(b)), cmp.Compare(Restarts(a), Restarts(b)), a.CreatedAt.Compare(b.CreatedAt.Time), cmp.Compare(b.Name, a.Name))
}

// Worst is the most informative pod among the nodes, nil when all are healthy.
func Worst(nodes []evidence.Node) *evidence.Node {
	var worst *evidence.Node
	for i := range nodes {
		if isUnhealthyPod(&nodes[i]) {
			worst = worseOf(worst, &nodes[i])
		}
	}
	return worst
}

// Restarts is how often the containers of a pod were restarted, as the tree shows it.
func Restarts(n *evidence.Node) int {
	count, err := strconv.Atoi(n.InfoValue("Restart Count"))
	if err != nil {
		return 0
	}
	return count
}

// HasLog reports whether a container of the pod ever ran.
func HasLog(n *evidence.Node) bool {
	switch reason := Reason(n); reason {
	case "ErrImagePull", "ImagePullBackOff", "InvalidImageName", "ErrImageNeverPull", "SignatureValidationFailed", "CreateContainerConfigError", "CreateContainerError", "Terminating":
		return false
	}
	return true
}

// LogQuery asks for the decisive log: that of the previous run, where the container was restarted.
func LogQuery(n *evidence.Node) evidence.LogQuery {
	again := Reason(n) == "CrashLoopBackOff" || Restarts(n) > 0
	return evidence.LogQuery{Namespace: n.Namespace, Pod: n.Name, Container: FailedContainer(n), Previous: again}
}
