package pods

import (
	"cmp"
	"strings"

	"github.com/argo-why/argo-why/internal/evidence"
)

// lostPod is a pod that its node has ended or cannot run: what its containers say comes from before that.
func lostPod(node *evidence.Node, pod evidence.Object, events []evidence.Event) (Symptom, bool) {
	a := Symptom{Reason: cmp.Or(pod.Text("status", "reason"), Reason(node)), Text: pod.Text("status", "message"), From: node.Ref().String()}
	switch {
	case a.Reason == "Evicted":
		a.Trouble = Evicted
		if e := LastEvent(events, "Evicted"); a.Text == "" && e != nil {
			a.Text, a.From = e.Message, EventName(e)
		}
	case a.Reason == "NodeLost", strings.Contains(a.Text, "node shutdown"):
		a.Trouble = NodeDown
	case strings.HasPrefix(a.Reason, "OutOf"), a.Reason == "NodeAffinity", a.Reason == "NodePorts", a.Reason == "UnexpectedAdmissionError":
		a.Trouble = Unscheduled // a kubelet refuses what was scheduled to it
	default:
		return onLostNode(pod, events)
	}
	return a, true
}

// onLostNode is a pod whose node does not report. The node controller says so in an event, and takes the condition Ready from a pod whose
// containers it cannot ask.
func onLostNode(pod evidence.Object, events []evidence.Event) (Symptom, bool) {
	ready := pod.Condition("Ready")
	if e := LastEvent(events, "NodeNotReady"); e != nil && ready.Text("status") != "True" && !gotFurther(events, e) {
		return Symptom{Trouble: NodeDown, Reason: e.Reason, Text: e.Message, From: EventName(e)}, true
	}
	if c := pod.Condition("DisruptionTarget"); c.Text("reason") == "DeletionByTaintManager" && pod.Text("metadata", "deletionTimestamp") != "" {
		return Symptom{Trouble: NodeDown, Reason: c.Text("reason"), Text: c.Text("message"), From: "Pod/" + pod.Text("metadata", "name")}, true
	}
	if e := LastEvent(events, "TaintManagerEviction"); e != nil && strings.HasPrefix(e.Message, "Marking for deletion") && pod.Text("metadata", "deletionTimestamp") != "" {
		return Symptom{Trouble: NodeDown, Reason: e.Reason, Text: e.Message, From: EventName(e)}, true
	}
	return Symptom{}, false
}
