package remedy_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/evidence"
)

// TestACommitElsewhereChangesNothing: in a repository of many applications there is one every minute. What is synced is the commit
// that was approved, and who approves it hears that it is not the newest.
func TestACommitElsewhereChangesNothing(t *testing.T) {
	elsewhere := func(s *scene) { s.change(func() { s.app.Status.Sync.Revision, s.elsewhere = newer, true }) }
	still := "Git is now at 9c1d2e3, which changes nothing for this application: 3f2a91c is synced, as requested."
	waits(t, action.Sync, func(s *scene, bot *replica) {
		elsewhere(s)
		bot.Changed(prod)
		s.pass(3 * time.Minute)
		if _, err := bot.decide(erin, true, ""); err != nil {
			t.Fatal(err)
		}
		s.pass(time.Minute)
		s.endsAs(action.Done, "The sync of 3f2a91c succeeded.")
		if s.thread.said[1].Text != still {
			t.Errorf("who approved hears %q", s.thread.said[1].Text)
		}
		if got := fmt.Sprint(s.revisions); got != "[3f2a91c… exactly 3f2a91c… exactly]" {
			t.Errorf("synced: %s", got)
		}
	})
	waits(t, action.Sync, func(s *scene, bot *replica) { // while it is tried
		if _, err := bot.decide(erin, true, ""); err != nil {
			t.Fatal(err)
		}
		s.afterDryRun(func() { s.app.Status.Sync.Revision, s.elsewhere = newer, true })
		s.pass(time.Minute)
		s.endsAs(action.Done, "The sync of 3f2a91c succeeded.")
		if got := fmt.Sprint(s.revisions); got != "[3f2a91c… 3f2a91c… exactly]" {
			t.Errorf("synced: %s", got)
		}
	})
	waits(t, action.Sync, func(s *scene, bot *replica) { // and then one that does change it
		elsewhere(s)
		s.pass(2 * time.Minute)
		s.change(func() { s.app.Status.Sync.Revision, s.elsewhere = "aaaaaaa"+newer[7:], false })
		s.pass(70 * time.Second)
		s.endsAs(action.Withdrawn, "Git moved on from 3f2a91c to aaaaaaa, which changes what is synced.")
	})
	play(t, leadsAgree, func(s *scene) { // Argo CD would sync the newest in its place
		s.app.Spec.SyncPolicy = &evidence.SyncPolicy{Automated: &evidence.AutomatedSync{}}
		bot := s.start("a")
		bot.pressed(dana, wish(action.Sync))
		elsewhere(s)
		s.pass(70 * time.Second)
		s.endsAs(action.Withdrawn, "auto-sync is on, so Argo CD only syncs the newest commit, which is now 9c1d2e3 and not the requested 3f2a91c.")
		if len(s.done) > 0 {
			t.Errorf("done: %v", s.done)
		}
		bot.stop()
	})
}

// TestWhatIsRequestedInOneProjectIsNotDoneInAnother: the project decides who may act on an application and who may see it. Here both the
// requester and the approver may act in either project, so that only the move can forbid it.
func TestWhatIsRequestedInOneProjectIsNotDoneInAnother(t *testing.T) {
	move := func(s *scene) { s.change(func() { s.app.Spec.Project = "vault" }) }
	const moved = "The application was moved from project payments to project vault."
	for _, kind := range []action.Kind{action.HardRefresh, action.Sync} {
		t.Run(string(kind), func(t *testing.T) {
			play(t, leadsAgree, func(s *scene) { // between the request and the approval
				bot := s.start("a")
				bot.pressed(dana, wish(kind))
				s.pass(time.Second)
				move(s)
				_, _ = bot.decide(erin, true, "")
				s.pass(time.Minute)
				if r := s.only(); r.State != action.Withdrawn && r.State != action.Changed || !strings.Contains(r.Result, moved) || len(s.done) > 0 {
					t.Errorf("%s %q, done %v", r.State, r.Result, s.done)
				}
				bot.stop()
			})
			play(t, leadsAgree, func(s *scene) { // between the approval and the action
				bot := s.open("a")
				bot.pressed(dana, wish(kind))
				if _, err := bot.decide(erin, true, ""); err != nil {
					t.Fatal(err)
				}
				move(s)
				bot.run()
				s.pass(time.Minute)
				s.endsAs(action.Changed, moved)
				if len(s.done) > 0 {
					t.Errorf("done %v", s.done)
				}
				bot.stop()
			})
		})
	}
	play(t, everybodyMay, func(s *scene) { // between what is shown and its confirmation
		bot := s.open("a")
		ask := bot.shown(dana, wish(action.Sync))
		move(s)
		_, err := bot.Request(s.Context(), ask)
		if refusal, ok := errors.AsType[*action.Refusal](err); !ok || refusal.Code != action.PlanChanged {
			t.Errorf("%v", err)
		}
	})
}
