package render_test

import (
	"strings"
	"testing"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/audience"
	"github.com/argo-why/argo-why/internal/incident/posted"
	"github.com/argo-why/argo-why/internal/slack/render"
)

// TestARequestSaysFirstWhatIsLost: an approver on a phone reads what, where, and what is lost by it, in this order; and the red button
// names the gravest of it.
func TestARequestSaysFirstWhatIsLost(t *testing.T) {
	r := asked(wants[3], action.Waiting)
	r.Shown, r.Summary, r.Sync.Prune = grave, "sync 3f2a91c (2 pruned, 1 recreated, 1 changed)", true
	m := render.ActionNote(posted.NoteTo(audience.All(), r, noteOf(r)), key)
	rest := seen(m)
	for _, part := range []string{
		"requests approval for payments@eu-1: sync 3f2a91c (2 pruned, 1 recreated, 1 changed)",
		"⚠️ Deletes PersistentVolumeClaim/data (contains data), ConfigMap/old", "⚠️ Deletes and recreates StatefulSet/db (contains data)",
		"Cluster eu-1, namespace shop", "Syncing deletes PersistentVolumeClaim/data and the data in it.", "Approvers (until",
		"[Approve deleting PersistentVolumeClaim/data and 2 more]", "[Deny]",
	} {
		_, after, ok := strings.Cut(rest, part)
		if !ok {
			t.Fatalf("no %q, or too early, in\n%s", part, seen(m))
		}
		rest = after
	}
	if !strings.Contains(string(raw(t, m)), `"style":"danger"`) || !strings.Contains(m.Text, "Deletes PersistentVolumeClaim/data") {
		t.Errorf("not red, or the notification does not say it: %s", m.Text)
	}
	r.Sync.DryRun = true
	if m := render.ActionNote(posted.NoteTo(audience.All(), r, noteOf(r)), key); strings.Contains(seen(m), "⚠️") || strings.Contains(string(raw(t, m)), "danger") {
		t.Errorf("a dry run loses nothing:\n%s", seen(m))
	}
	r.Shown = nil // of the former release
	if got := seen(render.ActionNote(posted.NoteTo(audience.All(), r, noteOf(r)), key)); !strings.Contains(got, "requests approval for payments: sync 3f2a91c") {
		t.Error(got)
	}
}
