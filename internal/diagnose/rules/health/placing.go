package health

import (
	"fmt"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/diagnose/pods"
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
	// taintColumns is the command that shows the taints.
	taintColumns = "kubectl get nodes -o custom-columns=NAME:.metadata.name,TAINTS:.spec.taints"
)

// placings are those reasons, the special before the general.
var placings = []placing{
	{"insufficient ephemeral-storage", "", "Lower the pod's requests in Git, or add a node with a larger disk", nodeLoad, "kubectl describe nodes"},
	{"insufficient", "", "Lower the pod's requests in Git, free capacity, or add a node", nodeLoad, "kubectl describe nodes"},
	{"max volume count", "no further volume attaches", "Add a node that the pod may run on, or free a volume on the one that it may: a node can attach only so many", "Show how many volumes each node can attach", "kubectl get csinodes -o 'custom-columns=NODE:.metadata.name,VOLUMES:.spec.drivers[*].allocatable.count'"},
	{"enough free storage", "no room for its volume", "Free storage that the nodes' volumes are made of, request less in the claim, or add a node that has more: the scheduler knows from the CSI driver that there is not enough", "Show how much each driver has left, and where", "kubectl get csistoragecapacities -A"},
	{"persistent volumes to bind", "no volume to bind", "Create a PersistentVolume of the class, size and access mode that the claim asks for, which a node that suits the pod can use; or correct the claim's class in Git", "List the volumes with their class and state", "kubectl get pv"},
	{"too many pods", "", "Add a node, or raise the number of pods that a node may have", nodeLoad, "kubectl describe nodes"},
	{"disk-pressure", "nodes short of disk space", "Free disk space on the nodes with that taint: Kubernetes itself sets this taint", nodeLoad, "kubectl describe nodes"},
	{"memory-pressure", "nodes short of memory", "Free memory on the nodes with that taint: Kubernetes itself sets this taint", nodeLoad, "kubectl describe nodes"},
	{"pid-pressure", "nodes short of process IDs", "Find what starts so many processes on the nodes with that taint: Kubernetes itself sets this taint", nodeLoad, "kubectl describe nodes"},
	{"clusterautoscaler", "nodes are being removed", "Wait until the cluster autoscaler has removed the nodes with that taint: it adds nodes for pods that wait, as far as its node groups allow", nodeList, "kubectl get nodes"},
	{"karpenter.sh/disrupt", "nodes are being removed", "Wait until Karpenter has replaced the nodes with that taint; if it does not, check its NodePools and their limits", nodeList, "kubectl get nodes"},
	{"agent-not-ready", "nodes wait for an agent", "Check the agent's pods on the nodes with that taint: the agent removes it once it is ready", nodeTaints, taintColumns},
	{"node.kubernetes.io/unschedulable", "nodes are cordoned", "Uncordon a node, or add one", nodeList, "kubectl get nodes"},
	{"node.kubernetes.io/", "nodes are not ready", "Bring the nodes with that taint back, or remove them: Kubernetes itself sets this taint", nodeList, "kubectl get nodes"},
	{"node.cloudprovider.kubernetes.io/", "nodes are not ready", "Check the cloud controller manager and the nodes with that taint: it is removed once they are set up", nodeList, "kubectl get nodes"},
	{"taint", "untolerated taint", "Add a toleration for the taint in Git, or remove the taint from the nodes", nodeTaints, taintColumns},
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

// reasonsInBrackets are the first two of the scheduler's deciding reasons for a title; "" where the first is none of the usual.
func reasonsInBrackets(reasons []pods.NodeReason) string {
	var shorts []string
	for _, r := range reasons {
		p, ok := placingOf(r.Text)
		if !ok && len(shorts) == 0 {
			return ""
		}
		shorts = append(shorts, p.short)
	}
	shorts = withoutRepeats(shorts)
	return inBrackets(strings.Join(shorts[:min(len(shorts), 2)], ", "))
}

// extendedResource is how the scheduler names a resource that a device plug-in reports.
var extendedResource = pattern.MustCompile(`^Insufficient (\S+/\S+)$`)

// nodeTaint is a taint as the scheduler names it.
type nodeTaint struct{ key, value string }

// namedTaint matches a taint in the scheduler's words: {dedicated: gpu}, {node-role.kubernetes.io/control-plane: }.
var namedTaint = pattern.MustCompile(`taint \{([^:}]+): ?([^}]*)\}`)

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
