package health

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
)

// withoutPreemption leaves out what the scheduler says about preemption, which helps nobody where it has found nothing.
func withoutPreemption(said string) string {
	before, _, _ := strings.Cut(said, " preemption:")
	return strings.TrimSuffix(before, ".")
}

// autoscalerWords is why the autoscaler adds no node, without the first half, which only says that it does not.
func autoscalerWords(said string) string {
	if _, why, ok := strings.Cut(said, "didn't trigger scale-up: "); ok {
		return why
	}
	return said
}

// placing is what the scheduler lacks on most nodes: a word of its reason, that reason for a title (the reason itself where it is empty),
// what helps, and a command that shows it.
type placing struct{ word, short, fix, look, command string }

const (
	nodeLoad   = "Show what the nodes have left"
	nodeLabels = "Show the labels of the nodes"
	nodeTaints = "Show the taints of the nodes"
	nodeList   = "List the nodes with their state"
)

// placings are those reasons, the special before the general.
var placings = []placing{
	{"insufficient", "", "Lower the pod's requests in Git, free capacity, or add a node", nodeLoad, "kubectl describe nodes"},
	{"too many pods", "", "Add a node, or raise the number of pods that a node may have", nodeLoad, "kubectl describe nodes"},
	{"disk-pressure", "nodes short of disk space", "Free disk space on these nodes: Kubernetes itself sets this taint", nodeLoad, "kubectl describe nodes"},
	{"memory-pressure", "nodes short of memory", "Free memory on these nodes: Kubernetes itself sets this taint", nodeLoad, "kubectl describe nodes"},
	{"pid-pressure", "nodes short of process IDs", "Find what starts so many processes on these nodes: Kubernetes itself sets this taint", nodeLoad, "kubectl describe nodes"},
	{"node.kubernetes.io/unschedulable", "nodes are cordoned", "Uncordon a node, or add one", nodeList, "kubectl get nodes"},
	{"taint", "untolerated taint", "Add a toleration for the taint in Git, or remove the taint from the nodes", nodeTaints, "kubectl get nodes -o custom-columns=NAME:.metadata.name,TAINTS:.spec.taints"},
	{"anti-affinity", "pod anti-affinity", "Add a node, lower the replicas, or make the anti-affinity in Git preferred instead of required", nodeList, "kubectl get nodes"},
	{"pod affinity", "pod affinity", "Correct the pod affinity in Git: no node has the pods that it asks for", nodeList, "kubectl get nodes"},
	{"topology", "topology spread", "Correct the topology spread constraints in Git, or label the nodes with their topology key", nodeLabels, "kubectl get nodes --show-labels"},
	{"affinity", "node selector or affinity", "Correct the nodeSelector or node affinity in Git, or label a node to match", nodeLabels, "kubectl get nodes --show-labels"},
	{"selector", "node selector", "Correct the nodeSelector in Git, or label a node to match", nodeLabels, "kubectl get nodes --show-labels"},
	{"free ports", "host port in use", "Free the host port, or remove hostPort from the pod template in Git", nodeLoad, "kubectl describe nodes"},
	{"unschedulable", "nodes are cordoned", "Uncordon a node, or add one", nodeList, "kubectl get nodes"},
	{"no nodes available", "cluster has no nodes", "Add a node, or find out why none joins the cluster", nodeList, "kubectl get nodes"},
}

// placingOf is the entry about a reason of the scheduler.
func placingOf(reason string) (p placing, ok bool) {
	lower := strings.ToLower(reason)
	i := slices.IndexFunc(placings, func(p placing) bool { return strings.Contains(lower, p.word) })
	if i < 0 {
		return placing{}, false
	}
	p = placings[i]
	if p.short == "" {
		p.short = lower
	}
	if t := taint(reason); p.word == "taint" && t.key != "" {
		p.short += " " + t.String()
	}
	return p, true
}

// reasonInBrackets is the scheduler's most common reason for a title; "" where it is none of the usual.
func reasonInBrackets(reason string) string {
	p, _ := placingOf(reason)
	return inBrackets(p.short)
}

// placeSteps is what helps a pod that no node takes.
func placeSteps(s *unhealthy.Resource, reason string) []diagnose.Fix {
	if strings.Contains(reason, "scheduling gate") {
		return []diagnose.Fix{{Text: "Check why the controller that set the scheduling gate has not removed it"}}
	}
	p, ok := placingOf(reason)
	if !ok {
		return []diagnose.Fix{{Text: "Compare the pod's requests and constraints with the nodes, and correct them in Git"}, {Text: nodeLoad, Command: "kubectl describe nodes"}}
	}
	fix := diagnose.Fix{Text: p.fix}
	if t := taint(reason); p.word == "taint" && t.key != "" {
		fix.Patch = s.PatchPod("tolerations:", t.toleration()...)
	}
	return []diagnose.Fix{fix, {Text: p.look, Command: p.command}}
}

// nodeTaint is a taint as the scheduler names it.
type nodeTaint struct{ key, value string }

// namedTaint matches a taint in the scheduler's words: {dedicated: gpu}, {node-role.kubernetes.io/control-plane: }.
var namedTaint = regexp.MustCompile(`taint \{([^:}]+): ?([^}]*)\}`)

func taint(reason string) nodeTaint {
	m := namedTaint.FindStringSubmatch(reason)
	if m == nil {
		return nodeTaint{}
	}
	return nodeTaint{m[1], strings.TrimSpace(m[2])}
}

func (t nodeTaint) String() string {
	if t.value == "" {
		return t.key
	}
	return t.key + "=" + t.value
}

// toleration are the lines that tolerate the taint.
func (t nodeTaint) toleration() []string {
	if t.value == "" {
		return []string{"- key: " + t.key, "  operator: Exists"}
	}
	return []string{"- key: " + t.key, fmt.Sprintf("  value: %q", t.value)}
}
