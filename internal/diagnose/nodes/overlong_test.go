package nodes_test

import (
	"fmt"
	"strings"
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
	if got := nodes.Fits(pod(20, 20), all); len(got) != 1 || len(got[0].Unmet) != 20 {
		t.Errorf("20 of each: %v", got)
	}
	many := func(format string) string { return "[" + strings.Repeat(format+",", 600) + format + "]" }
	affinity := func(terms string) evidence.Object {
		return object(t, `{"spec":{"affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[{"matchExpressions":`+terms+`}]}}}}}`)
	}
	for name, p := range map[string]evidence.Object{
		"labels": pod(601, 0), "alternatives": pod(1, 601), "labels of alternatives": pod(100, 100),
		"expressions": affinity(many(`{"key":"k","operator":"Exists"}`)), "values": affinity(`[{"key":"k","operator":"In","values":` + many(`"v"`) + `}]`),
		"tolerations": object(t, `{"spec":{"tolerations":`+many(`{"key":"k","operator":"Exists"}`)+`}}`),
	} {
		if got := nodes.Fits(p, all); got != nil {
			t.Errorf("%s: compared all the same: %v", name, got)
		}
	}
	if n := len(nodes.Required(pod(6000, 6000))); n != 100 {
		t.Errorf("%d alternatives are listed", n)
	}
}

// TestWhatHundredsOfNodesLackIsLookedForOnce: the same terms, which no node has.
func TestWhatHundredsOfNodesLackIsLookedForOnce(t *testing.T) {
	const many, terms = 100, 100
	var all []evidence.Object
	for range many {
		all = append(all, object(t, plain))
	}
	selector := map[string]any{}
	for i := range terms {
		selector[fmt.Sprint("k", i)] = "v"
	}
	fits := nodes.Fits(evidence.Object{"spec": map[string]any{"nodeSelector": selector}}, all)
	allocations := testing.AllocsPerRun(1, func() {
		if got := nodes.Lacking(fits); len(got) != terms {
			t.Errorf("%d of %d terms are met by no node", len(got), terms)
		}
	})
	if most := 20.0 * many * terms; allocations > most {
		t.Errorf("%d terms and %d nodes take %.0f allocations, more than %.0f", terms, many, allocations, most)
	}
}
