package action_test

import (
	"strings"
	"testing"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/evidence"
)

// TestACommitElsewhereIsNamedAndChangesNothing: the plan stays the one that was confirmed, and says that Git is further.
func TestACommitElsewhereIsNamedAndChangesNothing(t *testing.T) {
	before := action.Build(want(action.Sync), full(), noon)
	s := full()
	s.Moved = action.Moved{To: "9c1e0d2f0e1d2c3b4a5968778695a4b3c2d1e0f9"}
	p := action.Build(want(action.Sync), s, noon)
	still := "Git is now at 9c1e0d2, which changes nothing for this application: " + before.Revision[:7] + " is synced, as requested."
	if p.Fingerprint != before.Fingerprint || p.RefusedBecause != before.RefusedBecause || p.Notes[0] != still || before.Still() != "" {
		t.Errorf("%+v", p)
	}
	s.Moved.Hidden = true
	if got := action.Build(want(action.Sync), s, noon).Still(); !strings.Contains(got, "nothing that Argo CD shows of this application (it hides the values of Secrets)") {
		t.Errorf("with Secrets: %s", got)
	}
}

// TestArgoCDSyncsNoOlderCommitWithAutoSync, but tries one.
func TestArgoCDSyncsNoOlderCommitWithAutoSync(t *testing.T) {
	s := full()
	s.Moved = action.Moved{To: "9c1e0d2f0e1d2c3b4a5968778695a4b3c2d1e0f9"}
	s.Application.Spec.SyncPolicy = &evidence.SyncPolicy{Automated: &evidence.AutomatedSync{}}
	w := want(action.Sync)
	if p := action.Build(w, s, noon); !strings.HasPrefix(p.RefusedBecause, "auto-sync is on, so Argo CD only syncs the newest commit, which is now 9c1e0d2 and not the requested") {
		t.Errorf("refused: %q", p.RefusedBecause)
	}
	w.Sync.DryRun = true
	if p := action.Build(w, s, noon); p.RefusedBecause != "" {
		t.Errorf("a dry run is refused: %q", p.RefusedBecause)
	}
}
