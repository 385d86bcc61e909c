package nodes_test

import (
	"fmt"
	"testing"

	"github.com/argo-why/argo-why/internal/diagnose/nodes"
	"github.com/argo-why/argo-why/internal/evidence"
)

// TestWhatNobodyWritesIsNotHeldAgainstEveryNode: the labels times the alternatives times the nodes are what a pod could make it cost.
func TestWhatNobodyWritesIsNotHeldAgainstEveryNode(t *testing.T) {
	pod := func(labels, alternatives int) evidence.Object {
		selector, terms := map[string]any{}, []any{}
		for i := range labels {
			selector[fmt.Sprint("k", i)] = "v"
		}
		for range alternatives {
			terms = append(terms, map[string]any{})
		}
		return evidence.Object{"spec": map[string]any{"nodeSelector": selector, "affinity": map[string]any{"nodeAffinity": map[string]any{
			"requiredDuringSchedulingIgnoredDuringExecution": map[string]any{"nodeSelectorTerms": terms},
		}}}}
	}
	all := []evidence.Object{{"metadata": map[string]any{"name": "a"}}}
	if got := nodes.Fits(pod(100, 100), all); len(got) != 1 || len(got[0].Unmet) != 100 {
		t.Errorf("100 of each: %v", got)
	}
	for _, p := range []evidence.Object{pod(101, 1), pod(1, 101)} {
		if got := nodes.Fits(p, all); got != nil {
			t.Errorf("compared all the same: %v", got)
		}
	}
	if n := len(nodes.Required(pod(6000, 6000))); n != 100 {
		t.Errorf("%d alternatives are listed", n)
	}
}
