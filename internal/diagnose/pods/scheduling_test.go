package pods_test

import (
	"encoding/json"
	"testing"

	"github.com/argo-why/argo-why/internal/diagnose/pods"
	"github.com/argo-why/argo-why/internal/evidence"
)

// TestDecisiveReason: the nodes that come closest decide, not the most.
func TestDecisiveReason(t *testing.T) {
	for said, want := range map[string]string{
		"0/4 nodes are available: 1 node(s) exceed max volume count, 3 node(s) didn't match Pod's node affinity.":                                         "node(s) exceed max volume count",
		"0/3 nodes are available: 1 Insufficient memory, 2 node(s) had untolerated taint {node-role.kubernetes.io/control-plane: }.":                      "Insufficient memory",
		"0/2 nodes are available: 2 node(s) didn't match Pod's node affinity/selector. preemption: 0/2 nodes are available: 2 Preemption is not helpful.": "node(s) didn't match Pod's node affinity/selector",
	} {
		if got := pods.DecisiveReason(said).Text; got != want {
			t.Errorf("%s: %q, want %q", said, got, want)
		}
	}
}

// TestAPodThatWasScheduledIsNotUnschedulable: the event says what was true before, until a kubelet has reported anything.
func TestAPodThatWasScheduledIsNotUnschedulable(t *testing.T) {
	at := func(reason, message, when string) (e evidence.Event) {
		e.Reason, e.Message = reason, message
		if err := json.Unmarshal([]byte(`"`+when+`"`), &e.EventTime); err != nil {
			t.Fatal(err)
		}
		return e
	}
	const none = "0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector."
	refused := at("FailedScheduling", none, "2026-11-27T08:34:39.454271Z")
	assigned := at("Scheduled", "Successfully assigned shop/web to node-0", "2026-11-27T08:34:55.057055Z")
	again := at("FailedScheduling", none, "2026-11-27T08:40:00.000000Z")
	node := &evidence.Node{Kind: "Pod", Namespace: "shop", Name: "web", Info: []evidence.InfoItem{{Name: "Status Reason", Value: "Pending"}}}
	pod := func(scheduled string) evidence.Object {
		return evidence.Object{"kind": "Pod", "status": map[string]any{"phase": "Pending", "conditions": []any{map[string]any{"type": "PodScheduled", "status": scheduled, "reason": "Unschedulable", "message": none}}}}
	}
	for name, x := range map[string]struct {
		pod    evidence.Object
		events []evidence.Event
		want   pods.Trouble
	}{
		"scheduled":                     {pod("True"), []evidence.Event{refused, assigned}, pods.NoTrouble},
		"scheduled, without its event":  {pod("True"), []evidence.Event{refused}, pods.NoTrouble},
		"not scheduled":                 {pod("False"), []evidence.Event{refused}, pods.Unscheduled},
		"not read, scheduled":           {nil, []evidence.Event{refused, assigned}, pods.NoTrouble},
		"not read, not scheduled":       {nil, []evidence.Event{refused}, pods.Unscheduled},
		"not read, not scheduled later": {nil, []evidence.Event{refused, assigned, again}, pods.Unscheduled},
	} {
		if got := pods.Read(node, x.pod, x.events); got.Trouble != x.want {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
