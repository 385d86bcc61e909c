package journaltest_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/action/journaltest"
)

// TestEverythingIsSet: a field that Full forgot would be one whose loss no journal's test notices.
func TestEverythingIsSet(t *testing.T) {
	raw, err := json.Marshal(journaltest.Full(action.App{Instance: "prod", Namespace: "argocd", Name: "web"}))
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
			leaves[path] = fmt.Sprint(x)
			if x == nil || x == "" || x == 0.0 || x == false {
				t.Errorf("%s is %v", path, x)
			}
		}
	}
	walk("", document)
	for _, path := range []string{
		".app.name", ".records[0].target.kind", ".records[0].sync.resources[1].name", ".records[1].muteFor", ".records[0].approval.from.groups[1]",
		".records[1].approval.by.name", ".records[0].lease", ".records[1].notes[1].log", ".records[0].place.thread", ".records[1].lastNote", ".records[0].operation",
	} {
		if leaves[path] == "" {
			t.Errorf("%s is missing", path)
		}
	}
}
