package diagnose_test

import (
	"strings"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
)

// TestANewerCommit: where Git has moved on, the advice names the commit that may contain the fix, unless its manifests are those
// that failed.
func TestANewerCommit(t *testing.T) {
	const tried, now = "3f2a91c0000000000000000000000000000000aa", "bb498fd0000000000000000000000000000000aa"
	engine, err := diagnose.New([]*diagnose.Rule{rule("apply/x", finds(diagnose.Finding{Title: "refused", Why: "x"}))})
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		rendered map[string]string
		want     string
	}{
		"not compared":        {nil, now},
		"one of them unknown": {map[string]string{now: "a"}, now},
		"another rendering":   {map[string]string{tried: "a", now: "b"}, now},
		"the same rendering":  {map[string]string{tried: "a", now: "a"}, ""},
	} {
		app := &evidence.Application{}
		app.Metadata.Name = "web"
		app.Status.Sync.Status, app.Status.Sync.Revision = "OutOfSync", now
		app.Status.OperationState = &evidence.OperationState{Phase: "Failed", SyncResult: &evidence.SyncResult{Revision: tried}}
		r, err := engine.Diagnose(t.Context(), (&evidence.Case{Application: app, Rendered: c.rendered}).Source(), time.Time{})
		if err != nil {
			t.Fatal(err)
		}
		if r.Sync.Newer != c.want || strings.Contains(strings.Join(r.Effects, " "), "bb498fd") != (c.want != "") {
			t.Errorf("%s: newer %q, effects %q", name, r.Sync.Newer, r.Effects)
		}
	}
}
