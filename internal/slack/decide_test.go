package slack_test

import (
	"strings"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/slack/dialog"
)

// asked has dana ask for a sync that erin has to approve, and returns the message that asks her.
func (s *stage) asked() (request string) {
	s.t.Helper()
	s.actions.approvers = []string{s.dana.ID, s.erin.ID}
	s.click("dana", action.Sync)
	s.shows(s.modal("dana"), "Someone else has to approve this: @"+s.dana.ID+", @"+s.erin.ID, "[Request approval]")
	s.submit("dana", nil)
	s.shows(s.modal("dana"), "Waiting for approval. ", "Approvers (until 2000-01-01 00:30 UTC): @"+s.dana.ID+", @"+s.erin.ID+".")
	s.did("sync courier-api by dana Waiting")
	return s.request()
}

// reply is a message of the thread as all see it.
func (s *stage) reply(ts string) string {
	s.t.Helper()
	for _, m := range s.deploys.Thread(s.root) {
		if m.TS == ts {
			return read(m)
		}
	}
	s.t.Fatalf("no message %s", ts)
	return ""
}

func TestSomebodyElseApproves(t *testing.T) {
	perform(t, func(t *testing.T, s *stage) {
		ts := s.asked()
		s.must(s.Click("dana", "deploys", ts, "argo_why_approve"))
		s.settle()
		s.shows(s.modal("dana"), "Approve: ", "Nothing was done. You cannot approve your own request.", "People who can do this: @"+s.dana.ID+", @"+s.erin.ID)
		s.counted("approve", "own-request")
		s.did("sync courier-api by dana Waiting")
		s.shows(s.reply(ts), "[approve] [deny]")

		s.must(s.Click("erin", "deploys", ts, "argo_why_approve"))
		s.settle()
		s.did("sync courier-api by dana Waiting")
		s.counted("approve", "shown")
		s.shows(s.modal("erin"), "Approve sync: ", "Requested by dana", "The plan has not changed since.", "Deployment/web in shop", "[Approve sync]")
		s.submit("erin", nil)
		s.did("sync courier-api by dana Ready")
		s.shows(s.modal("erin"), "Approve sync: Approved. ", "Follow progress in")
		if n := len(s.deploys.Thread(s.root)); n != 2 {
			t.Errorf("%d messages in the thread", n)
		}
	})
}

func TestWhoDecidesTooLateHearsThatInOneLine(t *testing.T) {
	perform(t, func(t *testing.T, s *stage) {
		ts := s.asked()
		s.actions.records[0].State = action.Expired
		s.must(s.Click("erin", "deploys", ts, "argo_why_approve"))
		s.settle()
		s.shows(s.modal("erin"), "Nothing was done. It was decided already.")
		s.counted("approve", "too-late")
	})
}

func TestADenialHasAReason(t *testing.T) {
	perform(t, func(t *testing.T, s *stage) {
		ts := s.asked()
		s.must(s.Click("erin", "deploys", ts, "argo_why_deny"))
		s.settle()
		s.shows(s.modal("erin"), "Deny: The request for prod/courier-api will not be carried out.", "[Deny]")
		s.did("sync courier-api by dana Waiting")
		s.submit("erin", map[string]map[string]any{dialog.InputReason: {"type": "plain_text_input", "value": " <!channel> not on a Friday "}})
		s.did("sync courier-api by dana Denied")
		if a := s.actions.records[0].Approval; a.Reason != "<!channel> not on a Friday" || a.By.ID != s.erin.ID {
			t.Errorf("%+v", a)
		}
		s.shows(s.modal("erin"), "You denied the request.")
	})
}

func TestWhoAskedTakesItBack(t *testing.T) {
	perform(t, func(t *testing.T, s *stage) {
		ts := s.asked()
		s.must(s.Click("dana", "deploys", ts, "argo_why_deny"))
		s.settle()
		s.submit("dana", nil)
		s.did("sync courier-api by dana Denied")
	})
}

func TestADenialWithoutAReasonAndByNoApprover(t *testing.T) {
	perform(t, func(t *testing.T, s *stage) {
		ts := s.asked()
		s.actions.records[0].Approval.From.Users = []string{"U0OTHER"}
		deny := func() {
			t.Helper()
			s.must(s.Click("erin", "deploys", ts, "argo_why_deny"))
			s.settle()
			s.submit("erin", nil)
		}
		deny()
		s.shows(s.modal("erin"), "You are not among those who approve this", "People who can do this: @U0OTHER")
		s.did("sync courier-api by dana Waiting")
		s.actions.records[0].Approval.From.Users = []string{s.erin.ID}
		deny()
		s.did("sync courier-api by dana Denied")
	})
}

func TestTheButtonsOfAnotherRequestAreForged(t *testing.T) {
	perform(t, func(t *testing.T, s *stage) {
		ts := s.asked()
		s.Tamper(func(p map[string]any) {
			edit(actionOf(p), "value", `"r1"`, `"r2"`)
		})
		s.must(s.Click("erin", "deploys", ts, "argo_why_approve"))
		s.settle()
		s.did("sync courier-api by dana Waiting")
		s.shows(s.told("erin"), "This button was not created by this bot")
		s.Tamper(func(p map[string]any) { at(p, "user")["id"] = s.outside })
		s.must(s.Click("erin", "deploys", ts, "argo_why_approve"))
		time.Sleep(10 * time.Second)
		s.did("sync courier-api by dana Waiting")
		s.counted("approve", "not-member")
	})
}

// TestAPlanThatChangedWhileItWasReadIsShownAndConfirmedAgain: the request is withdrawn, as its requester has not seen the new plan. The
// approver does, and can request that: if they are allowed to.
func TestAPlanThatChangedWhileItWasReadIsShownAndConfirmedAgain(t *testing.T) {
	for name, x := range map[string]struct {
		whileOpen, may bool
	}{
		"before it was opened": {false, false}, "while it was open": {true, false}, "the approver may sync": {true, true},
	} {
		t.Run(name, func(t *testing.T) {
			perform(t, func(t *testing.T, s *stage) {
				ts := s.asked()
				if x.may {
					s.actions.may = append(s.actions.may, s.erin.ID)
				}
				open := func() { s.must(s.Click("erin", "deploys", ts, "argo_why_approve")); s.settle() }
				if !x.whileOpen {
					s.actions.revision = "9c1e0d2"
					open()
				} else {
					open()
					s.actions.revision = "9c1e0d2"
					s.submit("erin", nil)
				}
				s.did("sync courier-api by dana Withdrawn")
				s.counted("approve", "changed")
				got := s.modal("erin")
				s.shows(got, "dana's request was withdrawn. Nothing was done.", "The revision was 3f2a91c, and is now 9c1e0d2.", "Revision 9c1e0d2")
				if strings.Contains(got, "[Approve") {
					t.Errorf("it can still be approved\n%s", got)
				}
				if x.may != strings.Contains(got, "[Request approval]") {
					t.Fatalf("%s", got)
				}
				if x.may {
					s.submit("erin", nil)
					s.did("sync courier-api by dana Withdrawn", "sync courier-api by erin Waiting")
				}
			})
		})
	}
}
