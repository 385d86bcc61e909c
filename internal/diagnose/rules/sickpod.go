package rules

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/argo-why/argo-why/internal/evidence"
)

// How much a pod tells, by what Argo CD shows of it in the tree.
const (
	rankLeaving = iota
	rankRunning
	rankPending
	rankFailing
)

// podReason is what kubectl shows of a pod, without "Init:" in front of what an init container does.
func podReason(n *evidence.Node) string {
	return strings.TrimPrefix(n.InfoValue("Status Reason"), "Init:")
}

func podRank(n *evidence.Node) int {
	reason := podReason(n)
	switch {
	case reason == "Completed", reason == "Succeeded", reason == "Terminating", reason == "Evicted", reason == "NodeShutdown", reason == "Shutdown":
		return rankLeaving // others take its place
	case reason == "Pending", reason == "ContainerCreating", reason == "PodInitializing", reason == "SchedulingGated":
		return rankPending
	case reason == "" && n.HealthStatus() != "Degraded", reason == "Running", reason == "NotReady":
		return rankRunning
	case strings.Contains(reason, "/"): // Init:0/2
		return rankRunning
	}
	return rankFailing
}

// tellingPods finds for each resource of the application the pod to look at: the one that tells most, the newest of several.
func tellingPods(tree *evidence.Tree, nodes map[evidence.Ref]*evidence.Node) map[evidence.Ref]*evidence.Node {
	out := map[evidence.Ref]*evidence.Node{}
	if tree == nil {
		return out
	}
	for i := range tree.Nodes {
		n := &tree.Nodes[i]
		if !isUnwellPod(n) {
			continue
		}
		root := rootOf(func(ref evidence.Ref) *evidence.Node { return nodes[ref] }, n)
		out[root] = worse(out[root], n)
	}
	return out
}

func isUnwellPod(n *evidence.Node) bool {
	return n.Kind == "Pod" && n.Group == "" && n.HealthStatus() != "Healthy"
}

// worse is the one of two pods that tells more; so far may be nil.
func worse(soFar, n *evidence.Node) *evidence.Node {
	if soFar == nil || tellsMore(n, soFar) > 0 {
		return n
	}
	return soFar
}

// rootOf climbs to the resource of the application that a node belongs to: from a ReplicaSet to its Deployment. find looks a
// node up: [evidence.Tree.Find], or an index for who asks often.
func rootOf(find func(evidence.Ref) *evidence.Node, n *evidence.Node) evidence.Ref {
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

func tellsMore(a, b *evidence.Node) int {
	return cmp.Or(cmp.Compare(podRank(a), podRank(b)), cmp.Compare(restartCount(a), restartCount(b)), a.CreatedAt.Compare(b.CreatedAt.Time), cmp.Compare(b.Name, a.Name))
}

// worstPod is the pod among the nodes that tells most, nil when all are well.
func worstPod(nodes []evidence.Node) *evidence.Node {
	var worst *evidence.Node
	for i := range nodes {
		if isUnwellPod(&nodes[i]) {
			worst = worse(worst, &nodes[i])
		}
	}
	return worst
}

func restartCount(n *evidence.Node) int {
	count, err := strconv.Atoi(n.InfoValue("Restart Count"))
	if err != nil {
		return 0
	}
	return count
}

// hasLog reports whether a container of the pod ever ran.
func hasLog(n *evidence.Node) bool {
	switch reason := podReason(n); reason {
	case "ErrImagePull", "ImagePullBackOff", "InvalidImageName", "ErrImageNeverPull", "CreateContainerConfigError", "CreateContainerError", "Terminating":
		return false
	}
	return true
}

// logOf is the log that tells: of the run that ended, where the container was started again.
func logOf(n *evidence.Node) evidence.LogQuery {
	again := podReason(n) == "CrashLoopBackOff" || restartCount(n) > 0
	return evidence.LogQuery{Namespace: n.Namespace, Pod: n.Name, Container: failedContainer(n), Previous: again}
}

// container is one container of a pod, with its specification and its state.
type container struct {
	name         string
	init         bool
	spec, status evidence.Object
}

// containersOf lists the containers of a pod that have a state, init containers first.
func containersOf(pod evidence.Object) []container {
	var out []container
	for _, list := range []string{"initContainerStatuses", "containerStatuses"} {
		for _, st := range pod.List("status", list) {
			name := st.Text("name")
			out = append(out, container{name: name, init: list == "initContainerStatuses", status: st, spec: containerSpec(pod, name)})
		}
	}
	return out
}

// containerSpecs are the specifications of a pod's containers, init containers first.
func containerSpecs(pod evidence.Object) []evidence.Object {
	return append(pod.List("spec", "initContainers"), pod.List("spec", "containers")...)
}

// containerSpec is the specification of one container, nil where there is none of that name.
func containerSpec(pod evidence.Object, name string) evidence.Object {
	for _, c := range containerSpecs(pod) {
		if c.Text("name") == name {
			return c
		}
	}
	return nil
}

// ready reports whether nothing is wrong with the container: an init container that is through counts.
func (c container) ready() bool {
	if done, ok := c.status.Number("state", "terminated", "exitCode"); ok && c.init {
		return done == 0
	}
	if c.init && c.spec.Text("restartPolicy") != "Always" {
		return false
	}
	ready, _ := c.status.At("ready").(bool)
	return ready
}

func (c container) restarts() int {
	n, _ := c.status.Number("restartCount")
	return int(n)
}

// ended is how the container ended last: in its state, else in the one before. ok is false when it never did.
func (c container) ended() (reason string, code int, ok bool) {
	for _, state := range []string{"state", "lastState"} {
		if n, ended := c.status.Number(state, "terminated", "exitCode"); ended {
			return c.status.Text(state, "terminated", "reason"), int(n), true
		}
	}
	return "", 0, false
}

// message is what the container left behind when it ended (terminationMessagePath).
func (c container) message() string {
	return cmp.Or(c.status.Text("state", "terminated", "message"), c.status.Text("lastState", "terminated", "message"))
}
