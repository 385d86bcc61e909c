package health

import (
	"fmt"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/diagnose/pods"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

var NodeNotReady = &diagnose.Rule{
	ID:      "health/node-not-ready",
	Needs:   append([]evidence.Kind{evidence.KindAll}, needs...),
	Outside: []evidence.Outside{evidence.OutsideNode},
	Doc: diagnose.Doc{
		Title:    "Node is not ready",
		What:     "The node of the pod does not report, is shut down, or the nodes that could take the pod are not ready: Kubernetes marks them with a taint. What the pod's containers last said comes from before that. Its pods are replaced after five minutes, but those of a StatefulSet, or with a volume, wait until the node returns or is removed.",
		Decisive: "Event NodeNotReady of the pod, reason NodeLost, the node's condition Ready where a pod on it does not start, or the scheduler's message about taints such as node.kubernetes.io/not-ready and node.kubernetes.io/unreachable.",
		Example:  "0/3 nodes are available: 3 node(s) had untolerated taint {node.kubernetes.io/not-ready: }.",
		Fix:      "Bring the node back, or remove it from the cluster so that its pods are replaced.",
		Links:    []string{"https://kubernetes.io/docs/concepts/architecture/nodes/#condition", "https://kubernetes.io/docs/reference/labels-annotations-taints/"},
	},
	Sync:       alreadyApplied,
	Recognises: about{{pod: pods.NodeDown}},
	Check: lookingAtNodes(reporting(func(in *diagnose.In, _ *unhealthy.Picture, s *unhealthy.Resource) (diagnose.Finding, bool) {
		said := text.OneLine(s.Symptom.Text)
		f := diagnose.Finding{Confidence: diagnose.Certain, OutsideGit: true}
		name := s.Object.Text("spec", "nodeName")
		if isReady(nodeObject(in, name)) {
			return f, false
		}
		if name == "" {
			f.Title = fmt.Sprintf("%s: %s", s.Ref, unreadyNodes(in, said))
			f.Why = fmt.Sprintf("%s %s. %s", s.PodName(), waitsForNode(s), text.Sentence("The scheduler says: "+withoutPreemption(said)))
			f.Fix = []diagnose.Fix{
				{Text: "Show which nodes are not ready", Command: "kubectl get nodes"},
				{Text: "Show why: their conditions and taints", Command: "kubectl describe nodes"},
			}
			if m := nodeTaintKey.FindStringSubmatch(said); m != nil {
				f.Why += " " + taintMeans(m[1])
			}
			return f, true
		}
		f.Title = fmt.Sprintf("%s: node %s is not ready", s.Ref, name)
		f.Why = fmt.Sprintf("%s is on that node.", s.PodName())
		f.Fix = []diagnose.Fix{describeNode(name), {Text: "Bring the node back. If it is gone for good, remove it, so that its pods are replaced", Command: diagnose.Shell("kubectl delete node %s", name)}}
		switch node := nodeObject(in, name); {
		case isDown(node):
			ready := node.Condition("Ready")
			f.Says = says("The node controller says", ready.Text("message"))
			if ready.Text("status") == "False" { // its kubelet runs, and says what it lacks
				f.Says.Who = "Its kubelet says"
				f.Fix = []diagnose.Fix{{Text: kubeletLacks(ready.Text("message"))}, describeNode(name)}
				if message.HasAny(strings.ToLower(ready.Text("message")), "runtime is down", "container runtime not ready") {
					f.Title = fmt.Sprintf("%s: container runtime of node %s is down", s.Ref, name)
				}
			} else {
				f.Why = fmt.Sprintf("%s is on that node, which %s.", s.PodName(), silence(in, ready))
			}
			f.Evidence = append([]diagnose.Quote{{From: "Node/" + name, Text: "Ready=" + node.Condition("Ready").Text("status") + " " + strings.Trim(node.Condition("Ready").Text("reason")+": "+node.Condition("Ready").Text("message"), ": ")}}, s.Quotes()...)
		case strings.Contains(said, "shutdown"):
			f.Title, f.Why = fmt.Sprintf("%s: node %s was shut down", s.Ref, name), s.PodName()+" was ended with its node."
			f.Says = says("The kubelet says", said)
		case s.Symptom.Reason == "TaintManagerEviction", s.Symptom.Reason == "DeletionByTaintManager":
			f.Confidence = diagnose.Likely
			f.Why += " Kubernetes marked the pod for deletion because of a taint of the node, which it sets when a node stops reporting."
		case s.Symptom.Reason == "NodeLost":
			f.Says = says("The node controller says", said)
		}
		if s.Object.Text("metadata", "deletionTimestamp") != "" {
			f.Why += " The pod is marked for deletion, which only its node can complete."
			f.Fix = append(f.Fix, diagnose.Fix{
				Text:    "If the node is certainly off, delete the pod by force so that it is replaced; a volume must not be in use on both nodes",
				Command: diagnose.Shell("kubectl %sdelete pod %s --force --grace-period=0", advice.InNamespace(s.Pod.Ref()), s.Pod.Name),
			})
		}
		return f, true
	})),
}

// unreadyNodes says how many of the nodes are not ready, and which where it is one that is known.
func unreadyNodes(in *diagnose.In, said string) string {
	n, all := pods.DecisiveReason(said).Nodes, pods.NodeCount(said)
	known, _ := diagnose.Peek(in, evidence.FactAll(evidence.OutsideNode))
	down := slices.DeleteFunc(slices.Clone(known), func(o evidence.Object) bool { return !isDown(o) })
	switch {
	case all == 1 && len(down) == 1:
		return fmt.Sprintf("its only node %s is not ready", down[0].Text("metadata", "name"))
	case n == 1 && len(down) == 1:
		return fmt.Sprintf("node %s is not ready, the other %s", down[0].Text("metadata", "name"), text.Count(all-1, "does not fit", "do not fit"))
	case n == 0 || n >= all:
		return "the nodes are not ready"
	case n == 1:
		return fmt.Sprintf("1 of %d nodes is not ready, the others do not fit", all)
	}
	return fmt.Sprintf("%d of %d nodes are not ready, the others do not fit", n, all)
}

// isDown reports whether a node is known and not ready.
func isDown(node evidence.Object) bool {
	ready := node.Condition("Ready")
	return ready != nil && ready.Text("status") != "True"
}

// isReady reports whether a node is known and ready.
func isReady(node evidence.Object) bool { return node.Condition("Ready").Text("status") == "True" }

// silence says that a node does not report, and for how long.
func silence(in *diagnose.In, ready evidence.Object) string {
	if last := ready.Time("lastHeartbeatTime"); !last.IsZero() {
		return "has not reported" + unhealthy.Lasting(" for ", in.Since(last))
	}
	return "does not report"
}

// kubeletLacks is what helps a node whose kubelet says itself that it is not ready.
func kubeletLacks(said string) string {
	switch lower := strings.ToLower(said); {
	case message.HasAny(lower, "cni", "network plugin", "networkready", "network is not ready"):
		return "Make the network plug-in's pod run on that node: the kubelet waits for it"
	case message.HasAny(lower, "pleg", "container runtime", "runtime is down", "runtime network not ready", "rpc error"):
		return "Restart the container runtime (containerd or CRI-O) and the kubelet on that node; reboot it if they hang"
	case message.HasAny(lower, "shutting down", "shutdown"):
		return "Wait until the node is back, or remove it from the cluster if it stays off"
	}
	return "Correct what the kubelet of that node reports; restart it if that does not pass"
}

// waitsForNode says that a pod waits for a node, and for how long.
func waitsForNode(s *unhealthy.Resource) string {
	if s.PodForLong() == "" {
		return "is waiting for a node"
	}
	return "has been waiting for a node" + s.PodForLong()
}

// lookingAtNodes is a check for which a person waits: then the nodes are worth a call where a pod has one, and nothing says why it does not
// start there.
func lookingAtNodes(check func(*diagnose.In) diagnose.Outcome) func(*diagnose.In) diagnose.Outcome {
	return func(in *diagnose.In) diagnose.Outcome {
		if p := look(in); p != nil && !in.Waiting() && slices.ContainsFunc(p.Resources, isPlaced) {
			if diagnose.Look(in, evidence.FactAll(evidence.OutsideNode)); in.Waiting() {
				return diagnose.Unknown
			}
		}
		return check(in)
	}
}

// isPlaced reports whether the pod of a resource has a node and does not start there, for no reason of its own.
func isPlaced(s *unhealthy.Resource) bool {
	switch s.Symptom.Trouble {
	case pods.NoTrouble, pods.Sandbox, pods.NotReady, pods.NodeDown:
	default:
		return false
	}
	return s.PodCounts() && s.Object.Text("kind") == "Pod" && s.Object.Text("spec", "nodeName") != "" && s.Object.Condition("Ready").Text("status") != "True"
}

// strand notes whether the node of a pod that does not start is down, which is known as soon as somebody has read the node. What the events
// say of one that is ready is over, or was never so.
func strand(in *diagnose.In, s *unhealthy.Resource) bool {
	if !isPlaced(s) {
		return false
	}
	said := s.Symptom.Trouble == pods.NodeDown
	switch node := nodeObject(in, s.Object.Text("spec", "nodeName")); {
	case isDown(node) && !said:
		s.Symptom.Trouble = pods.NodeDown
	case isReady(node) && said:
		s.Symptom = pods.Read(s.Pod, s.Object, slices.DeleteFunc(slices.Clone(s.Events), func(e evidence.Event) bool { return ofNode[e.Reason] }))
	default:
		return false
	}
	return true
}

// ofNode are the events of a pod that speak of its node.
var ofNode = map[string]bool{"NodeNotReady": true, "TaintManagerEviction": true}

// nodeObject is a node where it costs nothing to look at it.
func nodeObject(in *diagnose.In, name string) evidence.Object {
	if all, ok := diagnose.Peek(in, evidence.FactAll(evidence.OutsideNode)); ok {
		if i := slices.IndexFunc(all, func(o evidence.Object) bool { return o.Text("metadata", "name") == name }); i >= 0 {
			return all[i]
		}
	}
	o, _ := diagnose.Peek(in, evidence.FactObject(evidence.ObjectQuery{Ref: evidence.Ref{Kind: "Node", Name: name}}))
	return o
}

// nodeTaintKey is a taint of Kubernetes' own in the scheduler's words.
var nodeTaintKey = pattern.MustCompile(`(node\.(?:cloudprovider\.)?kubernetes\.io/[a-z\-]+)`)

// taintMeans says what a taint that Kubernetes sets means.
func taintMeans(key string) string {
	switch {
	case strings.HasSuffix(key, "/uninitialized"):
		return "The cloud controller has not initialised these nodes: check that it runs."
	case strings.HasSuffix(key, "/network-unavailable"):
		return "The network plug-in has not set up the network of these nodes: check that it runs."
	case message.HasAny(key, "/shutdown", "/out-of-service"):
		return "These nodes are shut down."
	case strings.HasSuffix(key, "/unreachable"):
		return "These nodes do not report to the control plane."
	}
	return "The kubelets of these nodes report that they are not ready, often because the network plug-in or the container runtime does not run."
}
