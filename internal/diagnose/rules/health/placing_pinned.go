package health

import (
	"fmt"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pods"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
)

// pinnedNode is the one node that a pod is made for, as the controller of a DaemonSet writes it; empty for any other pod. That the other
// nodes do not match says nothing then, and a further node does not help.
func pinnedNode(s *unhealthy.Resource) string {
	for _, term := range s.Object.List("spec", "affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution", "nodeSelectorTerms") {
		for _, f := range term.List("matchFields") {
			if names := f.Texts("values"); f.Text("key") == "metadata.name" && f.Text("operator") == "In" && len(names) == 1 {
				return names[0]
			}
		}
	}
	return ""
}

// pinnedSteps is what helps a pod that its only node does not take.
func pinnedSteps(s *unhealthy.Resource, said, node string, reasons []pods.NodeReason) []diagnose.Fix {
	var out []diagnose.Fix
	for _, r := range reasons[:min(len(reasons), maxReasons)] {
		switch p, ok := placingOf(r.Text); {
		case ok && p.word == "free ports":
			out = append(out,
				diagnose.Fix{Text: fmt.Sprintf("Find the pod on node %s that has %s", node, hostPorts(s)), Command: diagnose.Shell("kubectl get pods -A --field-selector spec.nodeName=%s -o %s", node, "custom-columns=NAMESPACE:.metadata.namespace,NAME:.metadata.name,PORTS:.spec.containers[*].ports[*].hostPort")},
				diagnose.Fix{Text: "Move or remove that pod, or use another host port in Git. If it is the old one of an update, let the update stop it first (maxSurge: 0)"},
			)
		case ok && (strings.HasPrefix(p.word, "insufficient") || p.word == "too many pods"):
			out = append(out, diagnose.Fix{Text: fmt.Sprintf("Free capacity on node %s, or lower the pod's requests in Git. Another node does not help: this pod is for that one", node)})
		default:
			fix, _ := placeStep(s, said, r.Text)
			out = append(out, fix)
		}
	}
	return append(out, describeNode(node))
}

// hostPorts are the ports of the node that the pod asks for.
func hostPorts(s *unhealthy.Resource) string {
	var ports []string
	for _, c := range s.Object.List("spec", "containers") {
		for _, p := range c.List("ports") {
			if port, ok := p.Number("hostPort"); ok && port > 0 {
				ports = append(ports, fmt.Sprint(int(port)))
			}
		}
	}
	ports = withoutRepeats(ports)
	switch len(ports) {
	case 0:
		return "its host port"
	case 1:
		return "host port " + ports[0]
	}
	return "one of the host ports " + strings.Join(ports, ", ")
}

// ofOtherNodes reports whether a reason is that the pod is not made for a node.
func ofOtherNodes(r pods.NodeReason) bool {
	return message.HasAny(strings.ToLower(r.Text), "node affinity", "nodeaffinity", "node selector", "affinity/selector")
}

// ofPinned makes the finding about a pod that only one node may take name that node.
func ofPinned(s *unhealthy.Resource, f *diagnose.Finding, node string) {
	reasons := slices.DeleteFunc(pods.NodeReasons(s.Symptom.Text), ofOtherNodes)
	if len(reasons) == 0 {
		return
	}
	f.Title = fmt.Sprintf("%s: cannot run on node %s%s", s.Ref, node, reasonsInBrackets(reasons))
	f.Short = fmt.Sprintf("%s: cannot run on its node%s", s.Ref.Kind, reasonsInBrackets(reasons[:1]))
	f.Why = fmt.Sprintf("%s %s. It is made for node %s, so no other one counts.", s.PodName(), waitsForNode(s), node)
	f.Fix = append(pinnedSteps(s, s.Symptom.Text, node, reasons), s.Describe("Show the pod's requests and constraints"))
}
