package pods_test

import (
	"testing"

	"github.com/argo-why/argo-why/internal/diagnose/pods"
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
