package health

import (
	"fmt"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/pods"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
)

// maxReasons is how many of the scheduler's reasons get a step of their own.
const maxReasons = 3

// placeSteps is what helps a pod that no node takes: for each deciding reason what ends it, then what shows it.
func placeSteps(s *unhealthy.Resource, said string, reasons []pods.NodeReason, before evictions) []diagnose.Fix {
	if strings.Contains(reasons[0].Text, "scheduling gate") {
		return gateSteps(s)
	}
	out := newNodeSteps(s, reasons)
	var looks []diagnose.Fix
	for _, r := range reasons[:min(len(reasons), maxReasons)] {
		fix, look := placeStep(s, said, r.Text)
		if !slices.Contains(out, fix) {
			out = append(out, fix)
		}
		if !slices.Contains(looks, look) {
			looks = append(looks, look)
		}
	}
	out = append(out, otherNodes(said, reasons)...)
	if slices.ContainsFunc(reasons, ofPressure) {
		out = append(out, before.steps(s)...)
	}
	return append(out, looks...)
}

// gateSteps are about what removes the gates of a pod.
func gateSteps(s *unhealthy.Resource) []diagnose.Fix {
	if slices.Contains(schedulingGates(s), "kueue.x-k8s.io/admission") {
		return []diagnose.Fix{{Text: "Kueue has not admitted its workload: check the quota of its queue", Command: diagnose.Shell("kubectl %sdescribe workloads.kueue.x-k8s.io", advice.InNamespace(s.Target()))}}
	}
	return advice.Steps("Check why the controller that set the scheduling gate has not removed it")
}

// newNodeSteps are about why no node is added for the pod, where another node would take it.
func newNodeSteps(s *unhealthy.Resource, reasons []pods.NodeReason) []diagnose.Fix {
	e := pods.LastEvent(s.Events, "NotTriggerScaleUp")
	switch {
	case pods.LastEvent(s.Events, "FailedScaleUp") != nil:
		return advice.Steps("Make the new node possible: another zone or machine type where the cloud has none left, a higher quota where that is used up")
	case e != nil && strings.Contains(e.Message, "max node group size reached") && !reasons[0].Elsewhere() && !strings.Contains(reasons[0].Text, "affinity"):
		return advice.Steps("Raise the maximum size of the node group that the pod may run on, if that is the one that is reached, so that the autoscaler can add a node")
	}
	return nil
}

// placeStep is what helps against one reason, and what shows it.
func placeStep(s *unhealthy.Resource, said, reason string) (fix, look diagnose.Fix) {
	p, ok := placingOf(reason)
	if !ok {
		return diagnose.Fix{Text: "Compare the pod's requests and constraints with the nodes, and correct them in Git"}, diagnose.Fix{Text: nodeLoad, Command: "kubectl describe nodes"}
	}
	fix, look = diagnose.Fix{Text: p.fix}, diagnose.Fix{Text: p.look, Command: p.command}
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
	if strings.Contains(said, "volume node affinity conflict") {
		fix.Text = nearVolume(p, fix.Text)
	}
	return fix, look
}

// nearVolume is what helps where only the nodes count that can use the pod's volume.
func nearVolume(p placing, fix string) string {
	switch p.word {
	case "insufficient":
		return "Free capacity or add a node where its volume can be attached: nodes elsewhere may have room, but not the volume. Or lower the pod's requests in Git"
	case "max volume count":
		return "Free a volume on a node where its own can be attached, or add a node there: nodes elsewhere cannot use its volume"
	case "too many pods":
		return "Add a node where its volume can be attached, or raise the number of pods that a node there may have: nodes elsewhere cannot use its volume"
	}
	return fix
}

// otherNodes is the other way where some nodes are not meant for the pod, while those that are do not take it.
func otherNodes(said string, reasons []pods.NodeReason) []diagnose.Fix {
	if reasons[0].Elsewhere() || strings.Contains(said, "volume node affinity") {
		return nil
	}
	for _, r := range pods.NodeReasons(said) {
		if p, ok := placingOf(r.Text); ok && r.Elsewhere() && (p.word == "affinity" || p.word == "selector") {
			return []diagnose.Fix{{Text: fmt.Sprintf("If the pod may also run on the %s, label them to match, or widen its nodeSelector or node affinity in Git. A new node needs these labels, too", nodesThat(r.Nodes))}}
		}
	}
	return nil
}

// nodesThat counts nodes that do not match.
func nodesThat(n int) string {
	if n == 1 {
		return "node that does not match"
	}
	return fmt.Sprintf("%d nodes that do not match", n)
}
