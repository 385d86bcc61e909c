package rules_test

import (
	"strings"
	"testing"
)

// TestANodeThatIsReadyIsNotCalledDown, whatever the events of a pod say: whoever may create pods in a namespace chooses the node of one, and may
// write events about it as well.
func TestANodeThatIsReadyIsNotCalledDown(t *testing.T) {
	c := caseNamed(t, "health/node-not-ready/own-01")
	for status, want := range map[string]struct{ down, removed bool }{"Unknown": {true, true}, "False": {true, false}, "True": {false, false}} {
		for _, o := range c.Resources {
			if o.Ref().Kind == "Node" {
				o["status"] = map[string]any{"conditions": []any{map[string]any{"type": "Ready", "status": status}}}
			}
		}
		commands, _ := commandsOf(t, c)
		if strings.Contains(strings.Join(commands, "\n"), "kubectl delete node node-3") != want.removed {
			t.Errorf("Ready=%s: %q", status, commands)
		}
		if said := diagnosed(t, engine(t), c).Headline; strings.Contains(said, "node node-3 is not ready") != want.down {
			t.Errorf("Ready=%s: %s", status, said)
		}
	}
}
