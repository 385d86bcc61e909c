package diagnose_test

import (
	"strings"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
)

// TestANewerCommit: where Git has moved on, the advice names the commit that may contain the fix, unless its manifests are those
// that failed, or the fix is not one of manifests.
func TestANewerCommit(t *testing.T) {
	const tried, now = "3f2a91c0000000000000000000000000000000aa", "bb498fd0000000000000000000000000000000aa"
	const notYet = "The failed sync was of 3f2a91c. Git has since moved on to bb498fd, which has not been synced yet."
	const mayNot = "The failed sync was of 3f2a91c. Git has since moved on to bb498fd, which may not change this application."
	for name, c := range map[string]struct {
		rendered   map[string]string
		outsideGit bool
		want       string
		effect     string
	}{
		"not compared":        {nil, false, now, mayNot},
		"one of them unknown": {map[string]string{now: "a"}, false, now, mayNot},
		"another rendering":   {map[string]string{tried: "a", now: "b"}, false, now, notYet},
		"the same rendering":  {map[string]string{tried: "a", now: "a"}, false, "", ""},
		"but for Secrets":     {map[string]string{tried: "a+", now: "a+"}, false, now, mayNot},
		"another, of Secrets": {map[string]string{tried: "a+", now: "b+"}, false, now, notYet},
		"fixed outside Git":   {map[string]string{tried: "a", now: "b"}, true, "", notYet},
	} {
		engine, err := diagnose.New([]*diagnose.Rule{rule("apply/x", finds(diagnose.Finding{Title: "refused", Why: "x", OutsideGit: c.outsideGit}))})
		if err != nil {
			t.Fatal(err)
		}
		app := &evidence.Application{}
		app.Metadata.Name = "web"
		app.Status.Sync.Status, app.Status.Sync.Revision = "OutOfSync", now
		app.Status.OperationState = &evidence.OperationState{Phase: "Failed", SyncResult: &evidence.SyncResult{Revision: tried}}
		r, err := engine.Diagnose(t.Context(), (&evidence.Case{Application: app, Rendered: c.rendered}).Source(), time.Time{})
		if err != nil {
			t.Fatal(err)
		}
		if r.Sync.Newer != c.want || strings.Join(r.Effects, " ") != c.effect {
			t.Errorf("%s: newer %q, effects %q", name, r.Sync.Newer, r.Effects)
		}
	}
}
