package diagnose_test

import (
	"slices"
	"testing"

	"github.com/argo-why/argo-why/internal/diagnose"
)

// TestSymptomOf: rules, groups and phases become the patterns that an explanation is looked up with, in the order in which
// they are named.
func TestSymptomOf(t *testing.T) {
	stuck := &diagnose.Rule{ID: "hook/stuck"}
	got := diagnose.SymptomOf(diagnose.BeforeSync, diagnose.GroupApply, stuck)
	if want := []string{"render/*", "spec/*", "compare/*", "apply/*", "hook/stuck"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got, want := diagnose.SymptomOf(diagnose.DuringSync, diagnose.AfterSync), []string{"apply/*", "operation/*", "hook/*", "wave/*", "drift/*", "health/*"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
