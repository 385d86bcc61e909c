package dialog_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/slack/dialog"
)

// TestTheApproverReadsFirstWhatIsLost: in the title and the first line, since no button of a modal is red; and nothing is left to tick.
func TestTheApproverReadsFirstWhatIsLost(t *testing.T) {
	confirm := dialog.Options{Metadata: "signed"}
	for _, x := range []struct {
		name, title, first string
		view               *dialog.View
	}{
		{"prune", "Approve deletion", "Deletes PersistentVolumeClaim/data (contains data), Service/old", dialog.Approve(recorded(requestOf(prunePlan())), planned(prunePlan()), confirm)},
		{"Job", "Approve deletion", "Deletes Job/db-migrate", dialog.Approve(recorded(requestOf(deletePlan())), planned(deletePlan()), confirm)},
		{"nothing", "Approve sync", "payments-api", dialog.Approve(recorded(requestOf(harmlessPlan())), planned(harmlessPlan()), confirm)},
		{"who requests it", "Sync (can delete)", "With Prune ticked, deletes PersistentVolumeClaim/data (contains data)", dialog.Plan(planned(syncPlan()), confirm)},
	} {
		raw, err := json.Marshal(x.view.Blocks.BlockSet[0])
		if err != nil {
			t.Fatal(err)
		}
		if x.view.Title.Text != x.title || !strings.Contains(string(raw), x.first) {
			t.Errorf("%s: %s, first %s", x.name, x.view.Title.Text, raw)
		}
		if strings.HasPrefix(x.title, "Approve") && (x.view.Submit.Text != x.title || strings.Contains(text(t, x.view), `"input"`)) {
			t.Errorf("%s: the button says %s, or there is something to tick", x.name, x.view.Submit.Text)
		}
	}
}

// TestTheApproverReadsWhatHasChangedSince the request.
func TestTheApproverReadsWhatHasChangedSince(t *testing.T) {
	confirm := dialog.Options{Metadata: "signed"}
	if got := text(t, dialog.Approve(recorded(requestOf(harmlessPlan())), planned(harmlessPlan()), confirm)); !strings.Contains(got, "The plan has not changed since.") {
		t.Error(got)
	}
	now := changed(prunePlan(), func(p *action.Plan) { p.Revision = "9c1e0d2" })
	got := text(t, dialog.Approve(recorded(requestOf(harmlessPlan())), planned(now), confirm))
	for _, part := range []string{"The revision was 3f2a91c, and is now 9c1e0d2.", "Now deleted: PersistentVolumeClaim/data (contains data), Service/old."} {
		if !strings.Contains(got, part) {
			t.Errorf("no %q", part)
		}
	}
}

// TestARefusalIsSaidOnce: by the plan as it is now, and not again among what has changed.
func TestARefusalIsSaidOnce(t *testing.T) {
	now := deletePlan()
	now.RefusedBecause = "Job/db-migrate no longer exists"
	r := requestOf(deletePlan())
	if got := text(t, dialog.Withdrawn(recorded(r), r.Since(now), planned(now), dialog.Options{})); strings.Count(got, "no longer exists") != 1 {
		t.Errorf("the refusal is said twice: %s", got)
	}
}
