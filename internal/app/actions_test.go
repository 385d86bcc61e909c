package app

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/argo-why/argo-why/internal/argo/argotest"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/remedy"
	"github.com/argo-why/argo-why/internal/slack/dialog"
	"github.com/argo-why/argo-why/internal/workspace"
)

const everybody = "actions:\n  - {actions: [hard-refresh, delete-hook-job, terminate, sync], everybody: true}\n"

// TestPeopleActThroughTheWholeBot: the button is there once Argo CD has told that the account has the right, a Job goes through
// Argo CD where there is no way to the cluster, and a sync is of the commit that was shown, in the name of the person who clicked.
func TestPeopleActThroughTheWholeBot(t *testing.T) {
	t.Setenv("KUBECONFIG", "/nonexistent/kubeconfig")
	kept := bytes.ReplaceAll(recorded(t, hookFailed, ""), []byte("BeforeHookCreation"), []byte("HookSucceeded")) // or Argo CD would delete the Job itself
	argo := argotest.NewServer(t, kept)
	argo.Act(argotest.Acting{OnSync: func(o argotest.Operation) argotest.Outcome { // before the bot asks for its rights
		return argotest.Outcome{Phase: "Succeeded", Synced: !o.DryRun}
	}})
	s := playOn(t, argo, everybody)

	s.click("Delete failed Job/migrate")
	s.submit("Job/migrate")
	s.await("alerts", "Job migrate deleted")
	s.await("alerts", `relation \"orders\" does not exist`)
	if got := s.argo.Deleted(); len(got) != 1 || got[0].Name != "migrate" {
		t.Errorf("deleted: %v", got)
	}

	s.click("Sync…")
	s.submit("contains the fix", dialog.InputConfirm)
	s.await("alerts", "Recovered")
	var synced []argotest.Operation
	for _, o := range s.argo.Operations() {
		if !o.DryRun {
			synced = append(synced, o)
		}
	}
	if len(synced) != 1 || synced[0].Revision != "bb498fd6518dfb10e6be99a13066d11e1304965f" || synced[0].Prune {
		t.Fatalf("synced: %+v", synced)
	}
	by := synced[0].Info[slices.IndexFunc(synced[0].Info, func(i evidence.OperationInfo) bool { return i.Name == remedy.InfoBy })].Value
	if !strings.HasPrefix(by, "alice (U") {
		t.Errorf("in the name of %q", by)
	}
	if err := s.Command("alice", "alerts", "/argo", "audit courier-api"); err != nil {
		t.Fatal(err)
	}
	s.await("alerts", "Actions from Slack")
}

// click clicks a button of the only thread, when it is there.
func (s *scene) click(label string) {
	s.Helper()
	s.await("alerts", `"`+label+`"`)
	root := s.Channel("alerts").Messages()[0]
	if err := s.Click("alice", "alerts", root.TS, label); err != nil {
		s.Fatalf("click %s: %v", label, err)
	}
}

// submit clicks the button of the modal when it shows a text.
func (s *scene) submit(text string, boxes ...string) {
	s.Helper()
	var front workspace.View
	s.eventually("the modal shows "+text, func() bool {
		open := s.Views("alice")
		if len(open) > 0 {
			front = open[len(open)-1]
		}
		return len(open) > 0 && strings.Contains(string(front.Raw), text)
	})
	values, err := front.State(boxes...)
	if err != nil {
		s.Fatalf("%v:\n%s", err, front.Shown())
	}
	if err := s.Submit("alice", front.ID, values); err != nil {
		s.Fatalf("submit: %v\n%s", err, front.Shown())
	}
}
