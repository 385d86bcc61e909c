package health

import (
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/diagnose/pods"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
)

var PodSandbox = &diagnose.Rule{
	ID:    "health/pod-sandbox",
	Needs: needs,
	Doc: diagnose.Doc{
		Title:    "Pod gets no network or sandbox",
		What:     "The pod has a node, but the kubelet cannot create its sandbox, which every container needs: the network plug-in (CNI) fails or is not running on the node, no IP address is left, or the container runtime does not answer. No container starts, so there is no log.",
		Decisive: "Event FailedCreatePodSandBox or NetworkNotReady; its last words are the plug-in's.",
		Example:  "Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox \"8265f7\": plugin type=\"aws-cni\" name=\"aws-cni\" failed (add): add cmd: failed to assign an IP address to container",
		Fix:      "Check the network plug-in's pod on that node, or make IP addresses available. Nothing in the application's manifests causes it, except a runtime class or a network attachment that does not exist.",
		Links:    []string{"https://kubernetes.io/docs/concepts/extend-kubernetes/compute-storage-net/network-plugins/"},
	},
	Sync:        alreadyApplied,
	ExplainedBy: diagnose.SymptomOf(NodeNotReady),
	Recognises:  about{{pod: pods.Sandbox}},
	Check: reporting(func(in *diagnose.In, _ *unhealthy.Picture, s *unhealthy.Resource) (diagnose.Finding, bool) {
		w := sandboxFailure(s.Symptom.Text)
		if !s.Overdue() && s.Since < unhealthy.SettleThreshold && !w.inGit {
			return diagnose.Finding{}, false // a plug-in that has just started answers at the next try
		}
		f := diagnose.Finding{
			Confidence: diagnose.Certain,
			Title:      fmt.Sprintf("%s: %s", s.Ref, w.short),
			Why:        fmt.Sprintf("%s has been waiting%s%s: no container can start before its sandbox exists.", s.PodName(), onNode(s), s.PodForLong()),
			Says:       says("The kubelet says", sandboxWords(s.Symptom.Text)),
			Whole:      w.short != networkFails,
			Fix:        []diagnose.Fix{{Text: w.fix}, s.Describe("Show the pod's node and events")},
			OutsideGit: !w.inGit,
		}
		if name := s.Object.Text("spec", "nodeName"); name != "" && w.look != "" {
			f.Fix = append(f.Fix, podsOnNode(name, w.look))
		}
		if m := networkAttachment.FindStringSubmatch(s.Symptom.Text); m != nil {
			f.Title = fmt.Sprintf("%s: its network attachment %s is missing", s.Ref, m[1])
			if r := statement.OwnResource(in, "NetworkAttachmentDefinition", m[1]); r != nil {
				f.Why += fmt.Sprintf(" This application creates it in sync wave %d%s.", r.SyncWave, waveNote(in, s, r))
			}
		}
		return f, true
	}),
}

// sandboxTrouble is why a sandbox cannot be created. inGit: what helps can be in the application's manifests; look: what to look for on
// the node.
type sandboxTrouble struct {
	short, fix, look string
	inGit            bool
}

const (
	// networkFails is what is known where the plug-in's words are not.
	networkFails = "network of its pod cannot be set up"
	// pluginOnNode is what to look for on a node whose network fails.
	pluginOnNode = "List what runs on the node: the network plug-in's pod must be ready there"
)

func sandboxFailure(said string) sandboxTrouble {
	lower := strings.ToLower(said)
	plugin, daemon := networkPlugin(lower)
	look := strings.Replace(pluginOnNode, "the network plug-in's pod", daemon, 1)
	switch {
	case message.HasAny(lower, "oom-killed", "memory limit too low"):
		return sandboxTrouble{short: "memory limit is too low to start its pod", fix: "Raise resources.limits.memory in Git: it is below what the container runtime itself needs to start a container (check the unit, such as 64Mi)", inGit: true}
	case message.HasAny(lower, "failed to assign an ip address", "no ip addresses available", "no available ip", "ip pool", "ran out of ip", "no more ip", "insufficientcidrblocks", "insufficientfreeaddresses", "exhausted", "failed to allocate for range", "range is full", "no free ip", "could not allocate ip"):
		w := sandboxTrouble{short: "no IP address is left for its pod", fix: "Free IP addresses of the node or its subnet, or give it more: a larger pod range, another subnet", look: "List the pods that take the node's addresses"}
		if strings.Contains(lower, "aws-cni") {
			w.fix = "Free addresses in the node's subnet, or turn on prefix delegation of the VPC CNI; where the subnet has free ones, the node's max-pods is higher than its network interfaces have addresses"
		}
		return w
	case bridgeAddress.MatchString(said):
		bridge := bridgeAddress.FindStringSubmatch(said)[1]
		return sandboxTrouble{short: "bridge " + bridge + " of the node has an old address", fix: fmt.Sprintf("Delete the bridge on that node (ip link delete %s), or reboot it: it keeps the address of an earlier pod range, and the plug-in makes a new one", bridge)}
	case hostPort.MatchString(said):
		return sandboxTrouble{short: "host port " + hostPort.FindStringSubmatch(said)[1] + " is in use on the node", fix: "Remove hostPort from the pod template in Git, take another port, or end what listens on it on that node", inGit: true}
	case strings.Contains(lower, "/proc/sys/"):
		return sandboxTrouble{short: "node does not accept a sysctl of the pod", fix: "Correct securityContext.sysctls of the pod in Git: the node's kernel does not have that one, or not for single pods", inGit: true}
	case strings.Contains(lower, "cgroupspath"):
		return sandboxTrouble{short: "kubelet and runtime use different cgroup drivers", fix: "Set the same cgroup driver (systemd) for the kubelet and the container runtime of that node, and restart both", look: "List what else runs on the node"}
	case strings.Contains(lower, "pod-eni"):
		return sandboxTrouble{short: "pod has no network interface of its own yet", fix: "Check what the VPC resource controller says in the pod's events: it gives a pod with a SecurityGroupPolicy an interface, if the machine type has one left", look: look}
	case message.HasAny(lower, "toomanyrequests", "[429]"):
		return sandboxTrouble{short: plugin + " is asked for too many pods at once", fix: "Wait: the kubelet tries again. If it stays, let fewer pods start at once on this node, or raise the rate limit of the plug-in's agent", look: look}
	case networkAttachment.MatchString(said):
		return sandboxTrouble{short: "its network attachment is missing", fix: "Create the NetworkAttachmentDefinition in this namespace, or correct the annotation k8s.v1.cni.cncf.io/networks in Git", inGit: true}
	case message.HasAny(lower, "no runtime for", "runtimeclass", "runtime handler"):
		short := "its runtime class is not available on the node"
		if m := noRuntime.FindStringSubmatch(said); m != nil {
			short = "runtime " + m[1] + " is not set up on the node"
		}
		return sandboxTrouble{short: short, fix: "Correct runtimeClassName in Git, or install that runtime on the node", inGit: true}
	case message.HasAny(lower, "pull image", "sandbox image", "pull and unpack image", "/pause"):
		return sandboxTrouble{short: "node cannot pull the sandbox image", fix: "Make sure that the node can reach the registry of the pause image, or that the image is already on the node", look: "List what else runs on the node"}
	case message.HasAny(lower, "unauthorized", "forbidden"):
		return sandboxTrouble{short: plugin + " is refused by the API server", fix: fmt.Sprintf("Restart %s on this node, so that the plug-in gets a new token; if that does not help, check its role", daemon), look: look}
	case apiServerUnreached.MatchString(lower):
		return sandboxTrouble{short: plugin + " cannot reach the API server", fix: "Check the way from this node to that address: what serves Services there (kube-proxy, or what replaces it), its routes, a firewall", look: "List what runs on the node: kube-proxy, or what replaces it, must be ready there"}
	case message.HasAny(lower, "x509"):
		return sandboxTrouble{short: plugin + " does not trust the API server", fix: fmt.Sprintf("Restart %s on this node, so that the plug-in gets the cluster's current CA certificate", daemon), look: look}
	case missingPlugin.MatchString(said):
		return sandboxTrouble{short: "plug-in " + missingPlugin.FindStringSubmatch(said)[1] + " is missing on the node", fix: "Put the standard CNI plug-ins into /opt/cni/bin of the node (package kubernetes-cni or containernetworking-plugins), or the pod of the network that installs them", look: look}
	case message.HasAny(lower, "clusterinformation", "crd.projectcalico.org"):
		return sandboxTrouble{short: "Calico does not work on the node", fix: "Check the installation of Calico: what its plug-in asks the API server for does not exist. If Calico was removed, delete its file in /etc/cni/net.d on the node", look: look}
	case message.HasAny(lower, "plugin type=", "cni request failed") && message.HasAny(lower, "deadline exceeded", "timed out", "timeout exceeded", "connection error: desc"):
		return sandboxTrouble{short: plugin + " does not answer on the node", fix: fmt.Sprintf("Check %s on this node, and its log", daemon), look: look}
	case message.HasAny(lower, "deadline exceeded", "failed to reserve sandbox name", "is reserved for", "container runtime is down", "connection error: desc"):
		return sandboxTrouble{short: "container runtime does not answer on the node", fix: "Check the load, disk and container runtime of the node; drain it, or restart the runtime there, if it stays like this", look: "List what else runs on the node"}
	case message.HasAny(lower, "apparmor", "seccomp", "cgroup", "sysctl"):
		return sandboxTrouble{short: "node rejects the pod's isolation", fix: "Correct the security context or sysctls of the pod in Git, or what the node allows", inGit: true}
	case message.HasAny(lower, "not initialized", "agent running", ".sock", "subnet.env", "connection refused", "no such file or directory", "is running and has mounted"):
		return sandboxTrouble{short: plugin + " does not run on the node", fix: notRunning(lower, daemon), look: look}
	case message.HasAny(lower, "no space left"):
		return sandboxTrouble{short: "disk of the node is full", fix: "Free disk space on the node, or drain it", look: "List what else runs on the node"}
	}
	if !message.HasAny(lower, "network", "cni", "plugin") {
		return sandboxTrouble{short: "sandbox of its pod cannot be created", fix: "Check the container runtime (containerd or CRI-O) of the node and its log", look: "List what else runs on the node"}
	}
	return sandboxTrouble{short: networkFails, fix: fmt.Sprintf("Check the network plug-in (CNI) of the node: the log of %s there", daemon), look: look}
}

// networkPlugin is the network plug-in that a message names, and what its pod on each node is called.
func networkPlugin(lower string) (name, daemon string) {
	last := -1
	name, daemon = "network plug-in", "the network plug-in's pod"
	for _, p := range []struct{ mark, name, daemon string }{
		{"multus", "Multus", "the pod of Multus (kube-multus, on OpenShift multus)"},
		{"calico", "Calico", "the pod calico-node"},
		{"flannel", "Flannel", "the pod of Flannel (kube-flannel)"},
		{"cilium", "Cilium", "the pod of Cilium (cilium)"},
		{"aws-cni", "AWS VPC CNI", "the pod aws-node"},
		{"weave", "Weave Net", "the pod weave-net"},
		{"antrea", "Antrea", "the pod antrea-agent"},
		{"ovn-k8s", "OVN-Kubernetes", "the pod ovnkube-node"},
		{"ovn-kubernetes", "OVN-Kubernetes", "the pod ovnkube-node"},
		{"kube-ovn", "Kube-OVN", "the pod kube-ovn-cni"},
		{"azure-vnet", "Azure CNI", "the pod azure-cns"},
	} {
		if at := strings.LastIndex(lower, p.mark); at > last { // one calls another: the last that is named is the one that failed
			last, name, daemon = at, p.name, p.daemon
		}
	}
	return name, daemon
}

var (
	// bridgeAddress is a bridge that is left over from another pod range, hostPort a port of the node that is taken, noRuntime a runtime that
	// the node does not have.
	bridgeAddress = pattern.MustCompile(`failed to set bridge addr: "([^"]+)" already has an IP address different`)
	hostPort      = pattern.MustCompile(`cannot open hostport (\d+)`)
	noRuntime     = pattern.MustCompile(`no runtime for "([^"]+)"`)
)

// missingPlugin is how the runtime says that a program of the network plug-ins is not on the node.
var missingPlugin = pattern.MustCompile(`failed to find plugin "([^"]+)" in path`)

// apiServerUnreached is a plug-in's request to the API server that got no answer.
var apiServerUnreached = pattern.MustCompile(`https://\S+/(?:api|apis)/\S*"?: (?:dial tcp|net/http|context deadline|i/o timeout|eof|http2)`)

// unwritten is the file or socket that a plug-in asks and that is not there, or is not served.
var unwritten = pattern.MustCompile(`(?:open|stat|dial unix) (/\S+?):`)

// notRunning is what helps where the plug-in's pod is not there.
func notRunning(lower, daemon string) string {
	fix := fmt.Sprintf("Check %s on this node, and its log", daemon)
	if m := unwritten.FindStringSubmatch(lower); m != nil {
		verb := "writes"
		if strings.HasSuffix(m[1], ".sock") {
			verb = "serves"
		}
		fix += fmt.Sprintf(": it %s %s", verb, m[1])
	}
	return fix
}

// networkAttachment is how Multus says that a network that a pod asks for does not exist.
var networkAttachment = pattern.MustCompile(`cannot find a network-attachment-definition \(([^)]+)\)`)

var (
	// dockerSandbox is how dockershim joins what failed and what then failed to be cleaned up; sandboxWrapping what stands before the
	// plug-in's words.
	dockerSandbox   = pattern.MustCompile(`\[?failed to set up sandbox container "[^"]*" network for pod "[^"]*": `)
	dockerCleanup   = pattern.MustCompile(`, failed to clean up sandbox container .*$`)
	reservedName    = pattern.MustCompile(`^failed to reserve sandbox name "[^"]*": `)
	sandboxWrapping = pattern.MustCompile(`^(?:\(combined from similar events\): |Failed (?:to )?create pod sandbox: |rpc error: code = \w+ desc = |failed to set ?up network for sandbox "[^"]*": )+`)
)

// sandboxWords are the words of a plug-in or runtime, without those of the kubelet around them.
func sandboxWords(said string) string {
	said = sandboxWrapping.ReplaceAllString(said, "")
	said = reservedName.ReplaceAllString(said, "")
	return dockerCleanup.ReplaceAllString(dockerSandbox.ReplaceAllString(said, ""), "")
}

// onNode names the node of the pod; "" where that is not known.
func onNode(s *unhealthy.Resource) string {
	return message.After(" on node ", s.Object.Text("spec", "nodeName"))
}

// podsOnNode is the command that lists what runs on a node.
func podsOnNode(name, said string) diagnose.Fix {
	return diagnose.Fix{Text: said, Command: diagnose.Shell("kubectl get pods -A -o wide --field-selector spec.nodeName=%s", name)}
}

// describeNode is the command that shows a node with its conditions, taints and load.
func describeNode(name string) diagnose.Fix {
	return diagnose.Fix{Text: "Show the node's conditions, taints and load", Command: diagnose.Shell("kubectl describe node %s", name)}
}
