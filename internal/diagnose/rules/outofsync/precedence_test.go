package outofsync

import (
	"slices"
	"testing"

	"github.com/argo-why/argo-why/internal/diagnose"
)

// TestMechanismsAreTriedFromTheSpecialToTheGeneral: whatever the order of the list, which counts only where the precedence is
// the same; and a rule may have two.
func TestMechanismsAreTriedFromTheSpecialToTheGeneral(t *testing.T) {
	rule := func(id string, by ...precedence) diagnose.Recogniser[explains] {
		var e explains
		for _, b := range by {
			e = append(e, explanation{by: b})
		}
		return diagnose.Recogniser[explains]{Rule: &diagnose.Rule{ID: id}, Recognises: e}
	}
	var got []string
	for _, m := range mechanisms([]diagnose.Recogniser[explains]{rule("rest", byNothing), rule("metadata", byKnownName, byMetadata), rule("person", byPerson), rule("keda", byAutoscaler), rule("hpa", byAutoscaler)}) {
		got = append(got, m.rule.ID)
	}
	if want := []string{"keda", "hpa", "metadata", "person", "metadata", "rest"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestWhatKeepsComingBackIsKnownByWhatItExplains: a new drift rule explains a loop of syncs without being named.
func TestWhatKeepsComingBackIsKnownByWhatItExplains(t *testing.T) {
	for _, c := range []struct {
		name       string
		recognises diagnose.Recognition
		want       bool
	}{
		{"an autoscaler", explains{{by: byAutoscaler}}, true},
		{"a person, or a field", explains{{by: byPerson}, {by: byField}}, true},
		{"a missing resource", presence{}, true},
		{"a person", explains{{by: byPerson}}, false},
		{"a commit", explains{{by: byCommit}}, false},
		{"nothing", explains{{by: byNothing}}, false},
		{"something else", nil, false},
	} {
		if got := keepsComingBack(&diagnose.Rule{Recognises: c.recognises}); got != c.want {
			t.Errorf("%s: got %t, want %t", c.name, got, c.want)
		}
	}
}
