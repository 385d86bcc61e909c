package pods

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

var (
	nodeReason = pattern.MustCompile(`(\d+) (node\(s\) (?:[^,.{]|\{[^}]*\})+|Insufficient [a-z0-9./\-]*[a-z0-9]|Too many pods|(?:cannot|[A-Z])[^,.]*)`)
	oldReason  = pattern.MustCompile(`([A-Z][A-Za-z ]+) \((\d+)\)`)
	allNodes   = pattern.MustCompile(`0/(\d+) nodes are available`)
)

// Unseen is the reason of a pod that no scheduler has looked at.
const Unseen = "Unseen"

// unseen reports whether a pod has no node, and neither a condition nor an event that a scheduler writes within a moment.
func unseen(pod evidence.Object, events []evidence.Event) bool {
	return pod.Text("status", "phase") == "Pending" && pod.Text("spec", "nodeName") == "" && len(pod.List("status", "conditions")) == 0 &&
		len(pod.List("spec", "containers")) > 0 && !slices.ContainsFunc(events, func(e evidence.Event) bool { return e.Reason == "FailedScheduling" || e.Reason == "Scheduled" })
}

// NodeReason is why some nodes do not take a pod, in the scheduler's words, and how many they are.
type NodeReason struct {
	Text  string
	Nodes int
}

// NodeReasons are the reasons of a message of the scheduler, in its order.
func NodeReasons(said string) []NodeReason {
	body := said
	if _, rest, ok := strings.Cut(said, "nodes are available:"); ok {
		body = rest
	} else if _, rest, ok := strings.Cut(said, "following predicates::"); ok {
		body = rest
	}
	body, _, _ = strings.Cut(body, "preemption:")
	var out []NodeReason
	add := func(reason, count string) {
		if n, err := strconv.Atoi(count); err == nil {
			out = append(out, NodeReason{strings.TrimSpace(reason), n})
		}
	}
	for _, m := range nodeReason.FindAllStringSubmatch(body, -1) {
		add(m[2], m[1])
	}
	for _, m := range oldReason.FindAllStringSubmatch(body, -1) {
		add(m[1], m[2])
	}
	return out
}

// DecisiveReason is why the nodes that come closest do not take a pod: the first of [DecidingReasons].
func DecisiveReason(said string) NodeReason { return DecidingReasons(said)[0] }

// DecidingReasons are why the nodes that come close do not take a pod, the closest first; there is always one. The scheduler checks a
// node in a fixed order (is it cordoned or tainted, does it match the selector, has it room) and names the first check that fails: a
// node that lacks memory is one that the pod may run on, one that does not match its selector is not.
func DecidingReasons(said string) []NodeReason {
	all := NodeReasons(said)
	if len(all) == 0 {
		return []NodeReason{{Text: text.Clip(said, message.MaxClause)}}
	}
	count := NodeCount(said)
	for _, r := range all { // older schedulers name each check that fails
		if r.Elsewhere() && count > 0 && r.Nodes >= count {
			return []NodeReason{r}
		}
	}
	slices.SortStableFunc(all, func(a, b NodeReason) int {
		return cmp.Or(cmp.Compare(closeness(b.Text), closeness(a.Text)), cmp.Compare(b.Nodes, a.Nodes))
	})
	if all[0].Cordoned() { // which a node is asked first: fewer of them than of those not meant for the pod say little about it
		for i, r := range all {
			if r.Elsewhere() && r.Nodes > all[0].Nodes {
				return all[i : i+1]
			}
		}
	}
	least := min(closeness(all[0].Text), outOfOrder)
	return slices.DeleteFunc(all, func(r NodeReason) bool { return closeness(r.Text) < least })
}

// Cordoned reports whether the nodes were cordoned.
func (r NodeReason) Cordoned() bool {
	return strings.Contains(r.Text, "were unschedulable") || strings.Contains(r.Text, "node.kubernetes.io/unschedulable")
}

// OfLabels reports whether the nodes do not have the labels that the pod requires.
func (r NodeReason) OfLabels() bool {
	return r.Elsewhere() && !strings.Contains(r.Text, "taint") && !strings.Contains(r.Text, "volume node affinity")
}

// Elsewhere reports whether the nodes are not meant for the pod, or the pod is not meant for them: its selector, their taints.
func (r NodeReason) Elsewhere() bool { return closeness(r.Text) == elsewhere }

// NodeCount is how many nodes the scheduler speaks of, 0 where it does not say.
func NodeCount(said string) int {
	if m := allNodes.FindStringSubmatch(said); m != nil {
		n, _ := strconv.Atoi(m[1])
		return n
	}
	return 0
}

// How near a node that is refused for a reason comes to taking the pod.
const (
	excluded   = iota // no ordinary pod runs there
	elsewhere         // it is not meant for the pod
	outOfOrder        // it may be, once it is in order
	closest           // it is, and lacks something
)

func closeness(reason string) int {
	switch {
	case reserved.MatchString(reason):
		return excluded
	case passing.MatchString(reason):
		return outOfOrder
	case strings.Contains(reason, "taint"), strings.Contains(reason, "node affinity/selector"), strings.Contains(reason, "node selector"), strings.Contains(reason, "didn't match node affinity"), strings.Contains(reason, "didn't match Pod's node affinity"), strings.Contains(reason, "volume node affinity"):
		return elsewhere
	}
	return closest
}

var (
	// reserved are the taints of nodes that are not for ordinary pods.
	reserved = pattern.MustCompile(`node-role\.kubernetes\.io/(?:control-plane|master|etcd|controlplane)|CriticalAddonsOnly|eks\.amazonaws\.com/compute-type`)
	// passing are the taints that Kubernetes, autoscalers and the agents of a node set and remove themselves, and cordoned nodes.
	passing = pattern.MustCompile(`\{?node\.(?:cloudprovider\.)?kubernetes\.io/|were unschedulable|ByClusterAutoscaler|karpenter\.sh/(?:disrupt|unregistered)|/agent-not-ready`)
)
