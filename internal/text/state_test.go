package text_test

import (
	"testing"

	"github.com/argo-why/argo-why/internal/text"
)

func TestState(t *testing.T) {
	for state, want := range map[string][2]string{
		"Failed": {"❌", "failed"}, text.TakenBack: {"↩️", "withdrawn"}, "Paused": {"❔", "Paused"}, // the last is of a newer version
	} {
		if icon, words := text.State(state); icon != want[0] || words != want[1] {
			t.Errorf("%s: %s %s, want %q", state, icon, words, want)
		}
	}
}
