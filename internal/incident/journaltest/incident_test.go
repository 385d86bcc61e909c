package journaltest_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/argo-why/argo-why/internal/incident/journaltest"
)

// TestEverythingIsSet: a field that Full forgot would be one whose loss no journal's test notices.
func TestEverythingIsSet(t *testing.T) {
	raw, err := json.Marshal(journaltest.Full("web-1"))
	if err != nil {
		t.Fatal(err)
	}
	var document any
	if err := json.Unmarshal(raw, &document); err != nil {
		t.Fatal(err)
	}
	leaves := map[string]string{}
	var walk func(path string, v any)
	walk = func(path string, v any) {
		switch x := v.(type) {
		case map[string]any:
			for key, value := range x {
				walk(path+"."+key, value)
			}
		case []any:
			if len(x) == 0 {
				t.Errorf("%s is an empty list", path)
			}
			for i, value := range x {
				walk(fmt.Sprintf("%s[%d]", path, i), value)
			}
		case nil, bool, string, float64:
			text := fmt.Sprint(x)
			if x == nil || x == "" || x == 0.0 || x == false {
				t.Errorf("%s is %q", path, text)
			}
			leaves[path] = text
		}
	}
	walk("", document)
	for _, path := range []string{".id", ".cause.resource.kind", ".members[1].well", ".report.findings[1].fix[1].command", ".thread.permalink", ".outbox[1].lasted", ".expires",
		".actions[1].approval.from.groups[1]", ".actions[1].sync.resources[1].name", ".outbox[1].note.log", ".outbox[1].action.result", ".muted.by.name", ".noted[1].reply", ".progress"} {
		if leaves[path] == "" {
			t.Errorf("%s is missing", path)
		}
	}
}
