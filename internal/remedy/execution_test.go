package remedy_test

import (
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/action"
)

// TestWhatWasAskedForLongAgoIsNotDone: the bot takes something down, is away for a night, and comes back.
func TestWhatWasAskedForLongAgoIsNotDone(t *testing.T) {
	for _, kind := range []action.Kind{action.HardRefresh, action.DeleteHookJob, action.Sync, action.Mute} {
		t.Run(string(kind), func(t *testing.T) {
			play(t, everybodyMay, func(s *scene) {
				s.open("a").pressed(dana, wish(kind))
				s.pass(14 * time.Hour)
				bot := s.start("b")
				s.pass(time.Minute)
				s.endsAs(action.Interrupted, "The bot only got to it 14 h after it was confirmed, so nothing was done. Request it again.")
				if len(s.done) > 0 || !s.thread.muted.IsZero() {
					t.Errorf("done: %v, muted until %s", s.done, s.thread.muted)
				}
				bot.stop()
			})
		})
	}
}

// TestAnApprovalCountsFromWhenItWasGiven: who approves after ten minutes is heard, if the bot is there.
func TestAnApprovalCountsFromWhenItWasGiven(t *testing.T) {
	for away, want := range map[time.Duration]struct {
		state  action.State
		result string
	}{
		time.Minute:    {action.Done, "The sync of 3f2a91c succeeded."},
		14 * time.Hour: {action.Interrupted, "The bot only got to it 14 h after it was confirmed, so nothing was done."},
	} {
		t.Run(away.String(), func(t *testing.T) {
			play(t, leadsAgree, func(s *scene) {
				first := s.open("a")
				first.pressed(dana, wish(action.Sync))
				s.pass(10 * time.Minute)
				if _, err := first.decide(erin, true, ""); err != nil {
					t.Fatal(err)
				}
				s.pass(away)
				bot := s.start("b")
				s.pass(time.Minute)
				s.endsAs(want.state, want.result)
				bot.stop()
			})
		})
	}
}

// TestWhoApprovedMustStillBeAllowedTo: between the approval and the deed the approver has left the group.
func TestWhoApprovedMustStillBeAllowedTo(t *testing.T) {
	for name, x := range map[string]struct {
		leave  func(groups)
		result string
	}{
		"left the group": {
			leave:  func(g groups) { g["SLEADS"] = []string{frank.ID} },
			result: "The policy no longer lets the approver approve this, so nothing was done. Request it again.",
		},
		"the group cannot be read": {
			leave:  func(g groups) { delete(g, "SLEADS") },
			result: "The approver's permission could not be checked: read the members of SLEADS: Slack does not answer, so nothing was done.",
		},
	} {
		t.Run(name, func(t *testing.T) {
			play(t, leadsAgree, func(s *scene) {
				first := s.open("a")
				first.pressed(dana, wish(action.Sync))
				if _, err := first.decide(erin, true, ""); err != nil {
					t.Fatal(err)
				}
				x.leave(s.members)
				bot := s.start("b")
				s.pass(time.Minute)
				s.endsAs(action.Failed, x.result)
				if len(s.done) > 0 {
					t.Errorf("done: %v", s.done)
				}
				bot.stop()
			})
		})
	}
}
