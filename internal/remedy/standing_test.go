package remedy_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/action"
)

// say is who has lost their say, by ID; with an error nobody knows.
type say struct {
	lost map[string]string
	err  error
}

func (s *say) Lost(_ context.Context, p action.Person, _ string, _ action.App, _ string) (string, error) {
	return s.lost[p.ID], s.err
}

const deactivated = "no longer has an active account in Slack"

// waiting plays a scene in which dana has asked for a sync that a lead must agree to.
func waiting(t *testing.T, act func(s *scene, bot *replica, say *say)) {
	t.Helper()
	play(t, leadsAgree, func(s *scene) {
		say := &say{lost: map[string]string{}}
		s.options.Standing = say
		bot := s.open("a")
		bot.pressed(dana, wish(action.Sync))
		act(s, bot, say)
	})
}

func TestARequestOfSomebodyWhoLeftIsNotApproved(t *testing.T) {
	waiting(t, func(s *scene, bot *replica, say *say) {
		bot.run()
		s.pass(time.Minute)
		say.lost[dana.ID] = deactivated
		_, err := bot.decide(erin, true, "")
		var refusal *action.Refusal
		if !errors.As(err, &refusal) || refusal.What != "the request was withdrawn: dana no longer has an active account in Slack" {
			t.Errorf("%v", err)
		}
		s.pass(time.Minute)
		s.endsAs(action.Withdrawn, "dana no longer has an active account in Slack.")
		if len(s.done) > 0 || s.thread.states() != "Waiting Withdrawn" {
			t.Errorf("done %v, told %s", s.done, s.thread.states())
		}
		bot.stop()
	})
}

func TestARequestOfSomebodyWhomThePolicyNoLongerNamesIsNotApproved(t *testing.T) {
	play(t, []action.Grant{{Kinds: action.Kinds, Who: oncallMay[0].Who, Approval: leadsAgree[0].Approval}}, func(s *scene) {
		bot := s.start("a")
		bot.pressed(dana, wish(action.Sync))
		s.pass(time.Minute)
		s.members["SONCALL"] = nil
		if _, err := bot.decide(erin, true, ""); err == nil || !strings.Contains(err.Error(), "The policy no longer allows dana to sync") {
			t.Errorf("%v", err)
		}
		s.pass(time.Minute)
		s.endsAs(action.Withdrawn, "The policy no longer allows dana to sync")
		bot.stop()
	})
}

// TestWhoLeavesBetweenTheApprovalAndTheActionHasNothingDone: what was approved is begun a moment later, by a process that may start by then.
func TestWhoLeavesBetweenTheApprovalAndTheActionHasNothingDone(t *testing.T) {
	for who, want := range map[action.Person]string{dana: "dana " + deactivated, erin: "erin " + deactivated} {
		waiting(t, func(s *scene, bot *replica, say *say) {
			if _, err := bot.decide(erin, true, ""); err != nil {
				t.Fatal(err)
			}
			say.lost[who.ID] = deactivated
			bot.run()
			s.pass(time.Minute)
			s.endsAs(action.Failed, want+", so nothing was done.")
			if len(s.done) > 0 {
				t.Errorf("done %v", s.done)
			}
			bot.stop()
		})
	}
}

func TestNothingIsApprovedOrDoneWhileNobodyKnowsWhoStillHasASay(t *testing.T) {
	waiting(t, func(s *scene, bot *replica, say *say) {
		say.err = errors.New("Slack does not answer")
		if _, err := bot.decide(erin, true, ""); err == nil || !strings.Contains(err.Error(), "Slack does not answer") {
			t.Errorf("%v", err)
		}
		if r := s.only(); r.State != action.Waiting {
			t.Errorf("%s", r.State)
		}
		say.err = nil
		if _, err := bot.decide(erin, true, ""); err != nil {
			t.Fatal(err)
		}
		say.err = errors.New("Slack does not answer")
		bot.run()
		s.pass(time.Minute)
		s.endsAs(action.Failed, "Could not check whether those who requested and approved it still may, so nothing was done: find out whether U1 still has a say: Slack does not answer.")
		bot.stop()
	})
}
