package health

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/pods"
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
	{"insufficient ephemeral-storage", "", "Lower the pod's requests in Git, or add a node with a larger disk", nodeLoad, "kubectl describe nodes"},
	{"insufficient", "", "Lower the pod's requests in Git, free capacity, or add a node", nodeLoad, "kubectl describe nodes"},
	{"max volume count", "no further volume attaches", "Add a node that the pod may run on, or free a volume on the one that it may: a node can attach only so many", "Show how many volumes each node can attach", "kubectl get csinodes -o 'custom-columns=NODE:.metadata.name,VOLUMES:.spec.drivers[*].allocatable.count'"},
	{"too many pods", "", "Add a node, or raise the number of pods that a node may have", nodeLoad, "kubectl describe nodes"},
	{"disk-pressure", "nodes short of disk space", "Free disk space on the nodes with that taint: Kubernetes itself sets this taint", nodeLoad, "kubectl describe nodes"},
	{"memory-pressure", "nodes short of memory", "Free memory on the nodes with that taint: Kubernetes itself sets this taint", nodeLoad, "kubectl describe nodes"},
	{"pid-pressure", "nodes short of process IDs", "Find what starts so many processes on the nodes with that taint: Kubernetes itself sets this taint", nodeLoad, "kubectl describe nodes"},
	{"node.kubernetes.io/unschedulable", "nodes are cordoned", "Uncordon a node, or add one", nodeList, "kubectl get nodes"},
	{"taint", "untolerated taint", "Add a toleration for the taint in Git, or remove the taint from the nodes", nodeTaints, "kubectl get nodes -o custom-columns=NAME:.metadata.name,TAINTS:.spec.taints"},
	{"existing pods anti-affinity", "anti-affinity of other pods", "Add a node, or make the anti-affinity of the pods that run there already preferred instead of required: it excludes this pod", nodeList, "kubectl get nodes"},
	{"anti-affinity", "pod anti-affinity", "Add a node, lower the replicas, or make the anti-affinity in Git preferred instead of required; if only an update is stuck, let it stop an old pod first (maxSurge: 0)", nodeList, "kubectl get nodes"},
	{"pod affinity", "pod affinity", "Correct the pod affinity in Git: no node has the pods that it asks for", nodeList, "kubectl get nodes"},
	{"topology", "topology spread", "Correct the topology spread constraints in Git, or label the nodes with their topology key", nodeLabels, "kubectl get nodes --show-labels"},
	{"volume node affinity", "its volume is elsewhere", "Make room where its volume can be used, or add a node there: the other nodes cannot use the volume. Or lower the pod's requests in Git", "List the nodes with their state and zone", "kubectl get nodes -L topology.kubernetes.io/zone"},
	{"affinity", "node selector or affinity", "Correct the nodeSelector or node affinity in Git, or label a node to match", nodeLabels, "kubectl get nodes --show-labels"},
	{"selector", "node selector", "Correct the nodeSelector in Git, or label a node to match", nodeLabels, "kubectl get nodes --show-labels"},
	{"free ports", "host port in use", "Another pod uses this host port on each node, often the old one of an update: let the update stop it first (maxSurge: 0), or remove hostPort or hostNetwork in Git", nodeLoad, "kubectl describe nodes"},
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
		fix := diagnose.Fix{Text: "Check why the controller that set the scheduling gate has not removed it"}
		if gates := schedulingGates(s); slices.Contains(gates, "kueue.x-k8s.io/admission") {
			fix = diagnose.Fix{Text: "Kueue has not admitted its workload: check the quota of its queue", Command: diagnose.Shell("kubectl %sdescribe workloads.kueue.x-k8s.io", advice.InNamespace(s.Target()))}
		}
		return []diagnose.Fix{fix}
	}
	p, ok := placingOf(reason)
	if !ok {
		return []diagnose.Fix{{Text: "Compare the pod's requests and constraints with the nodes, and correct them in Git"}, {Text: nodeLoad, Command: "kubectl describe nodes"}}
	}
	fix := diagnose.Fix{Text: p.fix}
	look := diagnose.Fix{Text: p.look, Command: p.command}
	m := extendedResource.FindStringSubmatch(reason)
	switch t, keys := taint(reason), selectorKeys(s); {
	case p.word == "taint" && t.key != "":
		fix.Patch = s.PatchPod("tolerations:", t.toleration()...)
	case m != nil:
		fix.Text = "Add a node that has " + m[1] + ", or free one. Where nodes should have it, check the device plug-in there: it reports " + m[1]
		look = diagnose.Fix{Text: "Show how much of it each node offers", Command: diagnose.Shell("kubectl get nodes -o %s", "custom-columns=NAME:.metadata.name,OFFERS:.status.allocatable."+strings.ReplaceAll(m[1], ".", `\.`))}
	case look.Text == nodeLabels && len(keys) > 0:
		look = diagnose.Fix{Text: "Show these labels of the nodes", Command: diagnose.Shell("kubectl get nodes -L %s", strings.Join(keys, ","))}
	}
	if strings.HasPrefix(reason, "Insufficient") && strings.Contains(s.Symptom.Text, "volume node affinity conflict") {
		fix.Text = "Free capacity or add a node where its volume can be attached: nodes elsewhere may have room, but not the volume. Or lower the pod's requests in Git"
	}
	out := []diagnose.Fix{fix, look}
	if pods.LastEvent(s.Events, "FailedScaleUp") != nil {
		out = append([]diagnose.Fix{{Text: "Make the new node possible: another zone or machine type where the cloud has none left, a higher quota where that is used up"}}, out...)
	}
	if e := pods.LastEvent(s.Events, "NotTriggerScaleUp"); e != nil && strings.Contains(e.Message, "max node group size reached") && strings.HasPrefix(reason, "Insufficient") {
		out = append([]diagnose.Fix{{Text: "Raise the maximum size of the node group, which is reached, so that the autoscaler can add a node"}}, out...)
	}
	return out
}

// extendedResource is how the scheduler names a resource that a device plug-in reports.
var extendedResource = regexp.MustCompile(`^Insufficient (\S+/\S+)$`)

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
