package remedy_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/action"
)

var frank = action.Person{ID: "U3", Name: "frank"}

// decide is what somebody says to the one record, of which they have read the plan that its requester saw.
func (r *replica) decide(by action.Person, approve bool, reason string) (*action.Record, error) {
	rec := r.only()
	return r.Decide(r.Context(), action.Decision{App: prod, Record: rec.ID, By: by, Approve: approve, Fingerprint: rec.Fingerprint, Reason: reason})
}

// waits plays a scene in which dana has asked for something that a lead must agree to.
func waits(t *testing.T, kind action.Kind, act func(s *scene, bot *replica)) {
	t.Helper()
	play(t, leadsAgree, func(s *scene) {
		if kind == action.Terminate {
			s.stuck()
		}
		bot := s.start("a")
		if r := bot.pressed(dana, wish(kind)); r.State != action.Waiting {
			t.Fatalf("it does not wait: %s", r.State)
		}
		s.pass(time.Minute)
		if len(s.done) > 0 || s.thread.states() != "Waiting" {
			t.Fatalf("before anybody agreed: done %v, told %s", s.done, s.thread.states())
		}
		act(s, bot)
		bot.stop()
	})
}

func TestSomebodyElseApproves(t *testing.T) {
	for _, kind := range action.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			waits(t, kind, func(s *scene, bot *replica) {
				if _, err := bot.decide(erin, true, ""); err != nil {
					t.Fatal(err)
				}
				s.pass(time.Minute)
				r := s.endsAs(action.Done, "")
				if r.Approval.By != erin || r.Approval.At.IsZero() {
					t.Errorf("approved by %+v", r.Approval)
				}
				if e := s.events[r.ID]; !strings.Contains(e.Message, "requested by dana (U1), approved by erin (U2)") {
					t.Errorf("the event says %q", e.Message)
				}
				if told := s.thread.states(); !strings.HasPrefix(told, "Waiting Ready") {
					t.Errorf("told: %s", told)
				}
			})
		})
	}
}

func TestASyncNamesThePeopleInArgoCD(t *testing.T) {
	waits(t, action.Sync, func(s *scene, bot *replica) {
		if _, err := bot.decide(erin, true, ""); err != nil {
			t.Fatal(err)
		}
		s.pass(time.Minute)
		want := []string{"argo-why=" + s.only().ID, "argo-why/by=dana (U1)", "argo-why/approved-by=erin (U2)"}
		for i, info := range s.infos {
			if got := info.Name + "=" + info.Value; i >= len(want) || got != want[i] {
				t.Errorf("info %s", got)
			}
		}
		if len(s.infos) != len(want) {
			t.Errorf("infos: %v", s.infos)
		}
	})
}

// TestWhoMayNotDecideDoesNot: and it goes on waiting.
func TestWhoMayNotDecideDoesNot(t *testing.T) {
	for name, x := range map[string]struct {
		by   action.Person
		deny bool
		// unread: the group of the leads cannot be read.
		unread bool
		want   action.Code
	}{
		"the person who requested it":    {by: dana, want: action.OwnRequest},
		"who asked under another name":   {by: action.Person{ID: dana.ID, Name: "erin"}, want: action.OwnRequest},
		"somebody who is no lead":        {by: action.Person{ID: "U9"}, want: action.NotApprover},
		"a denial by who is no lead":     {by: action.Person{ID: "U9"}, deny: true, want: action.NotApprover},
		"nobody":                         {want: action.NotApprover},
		"a lead while it cannot be read": {by: erin, unread: true, want: action.Unreadable},
	} {
		t.Run(name, func(t *testing.T) {
			waits(t, action.Sync, func(s *scene, bot *replica) {
				if x.unread {
					delete(s.members, "SLEADS")
				}
				if _, err := bot.decide(x.by, !x.deny, "no"); code(err) != x.want {
					t.Errorf("refused with %v", err)
				}
				s.pass(time.Minute)
				if r := s.only(); r.State != action.Waiting || len(s.done) > 0 {
					t.Errorf("%s, done %v", r.State, s.done)
				}
			})
		})
	}
	play(t, leadsAgree, func(s *scene) {
		bot := s.start("a")
		if _, err := bot.Decide(s.Context(), action.Decision{App: prod, Record: "sync-x", By: erin, Approve: true}); code(err) != action.UnknownRequest {
			t.Errorf("what nobody asked for: %v", err)
		}
		bot.stop()
	})
}

func TestADenialSaysWhyAndATakingBackThatItIsOne(t *testing.T) {
	waits(t, action.Sync, func(s *scene, bot *replica) {
		if _, err := bot.decide(erin, false, "not on a Friday\npassword=hunter2hunter2"); err != nil {
			t.Fatal(err)
		}
		s.pass(time.Minute)
		r := s.endsAs(action.Denied, "not on a Friday")
		if strings.Contains(r.Result, "hunter2") || r.Approval.By != erin {
			t.Errorf("%+v", r.Approval)
		}
		if _, err := bot.decide(frank, true, ""); code(err) != action.TooLate || !strings.Contains(err.Error(), "the request has already been denied by erin") {
			t.Errorf("approved after it was denied: %v", err)
		}
	})
	waits(t, action.Sync, func(s *scene, bot *replica) {
		if _, err := bot.decide(dana, false, ""); err != nil {
			t.Fatal(err)
		}
		s.pass(time.Minute)
		s.endsAs(action.Denied, "withdrawn")
		if len(s.done) > 0 {
			t.Errorf("done: %v", s.done)
		}
	})
}

// TestADecisionWhoseAnswerIsLostIsTheOneOnRecord: who decided is not told that nothing was done when it was, and an end that
// came through like that is one as any other.
func TestADecisionWhoseAnswerIsLostIsTheOneOnRecord(t *testing.T) {
	for name, x := range map[string]struct {
		by      action.Person
		approve bool
		changes bool
		state   action.State
		hears   action.Code
	}{
		"approved":   {by: erin, approve: true, state: action.Done},
		"denied":     {by: erin, state: action.Denied},
		"taken back": {by: dana, state: action.Denied},
		"withdrawn":  {by: erin, approve: true, changes: true, state: action.Withdrawn, hears: action.PlanChanged},
	} {
		for _, conflicts := range []bool{false, true} { // a client that tried it again by itself meets with its own write
			t.Run(fmt.Sprintf("%s/%t", name, conflicts), func(t *testing.T) {
				play(t, leadsAgree, func(s *scene) {
					bot := s.open("a")
					bot.pressed(dana, wish(action.Sync))
					if x.changes {
						s.change(func() { s.app.Status.Sync.Revision = newer })
					}
					s.journal.lost = 1
					if conflicts {
						s.journal.lostAs = action.ErrConflict
					}
					if _, err := bot.decide(x.by, x.approve, ""); err != nil && (x.hears == "" || code(err) != x.hears) {
						t.Errorf("who decided hears: %v", err)
					}
					if x.state.Over() && x.state != action.Done && s.thread.looked == 0 {
						t.Error("the incident does not follow")
					}
					bot.run()
					s.pass(time.Minute)
					s.endsAs(x.state, "")
					bot.stop()
				})
			})
		}
	}
}

// TestADecisionOfWhichNothingIsKnownIsSaidToBeThat: the answer is lost, and then the journal is away.
func TestADecisionOfWhichNothingIsKnownIsSaidToBeThat(t *testing.T) {
	play(t, leadsAgree, func(s *scene) {
		bot := s.open("a")
		bot.pressed(dana, wish(action.Sync))
		s.journal.lost = 1
		bot.before = func(string, int) { bot.cutOff.Store(true) }
		_, err := bot.decide(erin, true, "")
		if code(err) != action.Unreadable || !strings.Contains(err.Error(), "it is unclear whether the decision was saved") || strings.Contains(err.Error(), "nothing was done") {
			t.Errorf("who approved hears: %v", err)
		}
	})
}

func TestTwoLeadsAtOnce(t *testing.T) {
	waits(t, action.Sync, func(s *scene, bot *replica) {
		other := s.start("b")
		answers := make(chan error)
		for i, by := range []action.Person{erin, frank} {
			go func() {
				_, err := []*replica{bot, other}[i].decide(by, true, "")
				answers <- err
			}()
		}
		one, two := <-answers, <-answers
		if (one == nil) == (two == nil) || code(errors.Join(one, two)) != action.TooLate {
			t.Errorf("%v, %v", one, two)
		}
		s.pass(time.Minute)
		s.endsAs(action.Done, "succeeded")
		if s.did("sync") != 1 {
			t.Errorf("done: %v", s.done)
		}
		other.stop()
	})
}

func TestAnApprovalExpires(t *testing.T) {
	for _, kind := range action.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			waits(t, kind, func(s *scene, bot *replica) {
				s.pass(14*time.Minute - time.Second)
				if r := s.only(); r.State != action.Waiting {
					t.Fatalf("%s too early: %s", r.State, r.Result)
				}
				s.pass(2 * time.Second)
				s.endsAs(action.Expired, "No one approved it by 00:15 UTC.")
				if _, err := bot.decide(erin, true, ""); code(err) != action.TooLate {
					t.Errorf("approved after that: %v", err)
				}
				s.pass(time.Minute)
				if len(s.done) > 0 {
					t.Errorf("done: %v", s.done)
				}
			})
		})
	}
}

// TestNobodyApprovesWhatHasExpiredThoughNoProcessHasSeenThat: the clock decides, not who looks at it.
func TestNobodyApprovesWhatHasExpiredThoughNoProcessHasSeenThat(t *testing.T) {
	play(t, leadsAgree, func(s *scene) {
		bot := s.open("a")
		bot.pressed(dana, wish(action.HardRefresh))
		s.pass(16 * time.Minute)
		if _, err := bot.decide(erin, true, ""); code(err) != action.TooLate {
			t.Errorf("approved: %v", err)
		}
	})
}

// TestWhatChangesWhileItWaitsIsWithdrawn: noticed by itself, sooner where somebody says so, or when it is approved.
func TestWhatChangesWhileItWaitsIsWithdrawn(t *testing.T) {
	moved := "Git moved on from 3f2a91c to 9c1d2e3, which changes what is synced."
	change := func(s *scene) { s.change(func() { s.app.Status.Sync.Revision = newer }) }
	waits(t, action.Sync, func(s *scene, bot *replica) {
		change(s)
		s.pass(70 * time.Second)
		s.endsAs(action.Withdrawn, moved)
	})
	waits(t, action.Sync, func(s *scene, bot *replica) {
		change(s)
		bot.Changed(prod)
		s.pass(20 * time.Second)
		s.endsAs(action.Withdrawn, moved)
	})
	waits(t, action.Sync, func(s *scene, bot *replica) {
		change(s)
		_, err := bot.decide(erin, true, "")
		var refusal *action.Refusal
		if !errors.As(err, &refusal) || refusal.Code != action.PlanChanged || refusal.Plan.Revision != newer {
			t.Errorf("approved what changed: %v", err)
		}
		s.pass(time.Minute)
		s.endsAs(action.Withdrawn, moved)
		if len(s.done) > 0 {
			t.Errorf("done: %v", s.done)
		}
	})
	waits(t, action.DeleteHookJob, func(s *scene, bot *replica) {
		s.change(func() { s.job = nil })
		s.pass(70 * time.Second)
		s.endsAs(action.Withdrawn, "Not possible now: Job/db-migrate no longer exists.")
	})
	waits(t, action.Terminate, func(s *scene, bot *replica) {
		s.change(func() { s.gone = true })
		s.pass(70 * time.Second)
		s.endsAs(action.Withdrawn, "The application no longer exists.")
	})
	waits(t, action.Sync, func(s *scene, bot *replica) {
		s.change(func() { s.unreadable = errors.New("connection refused") })
		s.pass(2 * time.Minute)
		if _, err := bot.decide(erin, true, ""); code(err) != action.Unreadable {
			t.Errorf("approved unseen: %v", err)
		}
		s.change(func() { s.unreadable = nil })
		if _, err := bot.decide(erin, true, ""); err != nil {
			t.Errorf("an Argo CD that was down costs the approval: %v", err)
		}
		s.pass(time.Minute)
		s.endsAs(action.Done, "")
	})
}

// TestWhatWaitsCostsArgoCDLittle: each comparison has it compare with Git, and it may wait for a day.
func TestWhatWaitsCostsArgoCDLittle(t *testing.T) {
	for name, x := range map[string]struct {
		hints time.Duration
		most  int
	}{"nothing happens": {time.Hour, 10}, "it changes all the time": {time.Second, 40}} {
		t.Run(name, func(t *testing.T) {
			waits(t, action.Sync, func(s *scene, bot *replica) {
				s.looks = 0
				for range int(10 * time.Minute / min(x.hints, 10*time.Minute)) {
					bot.Changed(prod)
					s.pass(min(x.hints, 10*time.Minute))
				}
				if s.looks < x.most/2 || s.looks > x.most+1 {
					t.Errorf("%d looks in ten minutes", s.looks)
				}
				if r := s.only(); r.State != action.Waiting {
					t.Errorf("%s: %s", r.State, r.Result)
				}
			})
		})
	}
}

// TestWhoAskedMustStillBeAllowedWhenItIsDone: a person may leave the group after it was approved.
func TestWhoAskedMustStillBeAllowedWhenItIsDone(t *testing.T) {
	rules := []action.Grant{{Kinds: action.Kinds, Who: action.Who{Groups: []string{"SONCALL"}}, Approval: leadsAgree[0].Approval}}
	for name, x := range map[string]struct {
		members []string
		result  string
	}{
		"left":       {members: []string{"U9"}, result: "the person who requested it"},
		"unreadable": {result: "your permission could not be checked"},
	} {
		t.Run(name, func(t *testing.T) {
			play(t, rules, func(s *scene) {
				bot := s.open("a")
				bot.pressed(dana, wish(action.Sync))
				if _, err := bot.decide(erin, true, ""); err != nil {
					t.Fatal(err)
				}
				s.members["SONCALL"] = x.members
				if x.members == nil {
					delete(s.members, "SONCALL")
				}
				bot.run()
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

// TestAnApprovalForAPartIsOneForAll: deleting is free, terminating for it is not.
func TestAnApprovalForAPartIsOneForAll(t *testing.T) {
	rules := []action.Grant{{Kinds: []action.Kind{action.DeleteHookJob}, Everybody: true}, {Kinds: []action.Kind{action.Terminate}, Everybody: true, Approval: leadsAgree[0].Approval}}
	play(t, rules, func(s *scene) {
		s.stuck()
		bot := s.start("a")
		if r := bot.pressed(dana, wish(action.DeleteHookJob)); r.State != action.Waiting {
			t.Fatalf("it is %s", r.State)
		}
		if _, err := bot.decide(erin, true, ""); err != nil {
			t.Fatal(err)
		}
		s.pass(time.Minute)
		s.endsAs(action.Done, "Deleted Job/db-migrate through Kubernetes.")
		bot.stop()
	})
}

// oncallAlone needs nobody's approval, unless it is to terminate; all others need it for a sync.
var oncallAlone = []action.Grant{
	{Kinds: []action.Kind{action.Sync, action.DeleteHookJob, action.HardRefresh}, Who: action.Who{Users: []string{frank.ID}}},
	{Kinds: []action.Kind{action.Sync, action.Terminate}, Everybody: true, Approval: leadsAgree[0].Approval},
}

// TestWhatWaitsMakesWayForWhoNeedsNoApproval: it is withdrawn, and told so with the reason, once.
func TestWhatWaitsMakesWayForWhoNeedsNoApproval(t *testing.T) {
	for kind, called := range map[action.Kind]string{action.Sync: "a sync", action.DeleteHookJob: "the deletion of a hook Job"} {
		for name, lost := range map[string]int{"": 0, " with a lost answer": 1} {
			t.Run(string(kind)+name, func(t *testing.T) {
				play(t, oncallAlone, func(s *scene) {
					bot := s.start("a")
					waiting := bot.pressed(dana, wish(action.Sync))
					s.pass(5 * time.Second)
					s.journal.lost = lost
					asked := bot.pressed(frank, wish(kind))
					s.pass(time.Minute)
					l, err := s.journal.Get(s.Context(), prod)
					if err != nil || len(l.Records) != 2 || l.Records[0].ID != waiting.ID || l.Records[1].ID != asked.ID {
						t.Fatalf("%+v, %v", l.Records, err)
					}
					want := "frank (U3) requested " + called + " and does not need approval."
					if r := l.Records[0]; r.State != action.Withdrawn || r.Result != want || r.Ended.IsZero() || len(s.events) != 2 {
						t.Errorf("%s: %s; events %v", r.State, r.Result, s.events)
					}
					if r := l.Records[1]; r.State != action.Done {
						t.Errorf("%s: %s", r.State, r.Result)
					}
					if told := s.thread.states(); strings.Count(told, "Withdrawn") != 1 || strings.Count(told, "Done") != 1 {
						t.Errorf("told: %s", told)
					}
					_, err = bot.Decide(s.Context(), action.Decision{App: prod, Record: waiting.ID, By: erin, Approve: true, Fingerprint: waiting.Fingerprint})
					if code(err) != action.TooLate || !strings.Contains(err.Error(), "the request was withdrawn: frank (U3) requested") {
						t.Errorf("who approves it now hears: %v", err)
					}
					bot.stop()
				})
			})
		}
	}
}

// TestWhatWaitsStaysWhereSomebodyElseNeedsApprovalToo: if only for a part of it.
func TestWhatWaitsStaysWhereSomebodyElseNeedsApprovalToo(t *testing.T) {
	play(t, oncallAlone, func(s *scene) {
		s.stuck()
		bot := s.start("a")
		bot.pressed(dana, wish(action.Terminate))
		for _, x := range []struct {
			by   action.Person
			kind action.Kind
		}{{dana, action.Terminate}, {frank, action.DeleteHookJob}} {
			if _, err := bot.press(x.by, wish(x.kind)); code(err) != action.Busy {
				t.Errorf("%s by %s: %v", x.kind, x.by.Name, err)
			}
		}
		if r := s.only(); r.State != action.Waiting {
			t.Errorf("%s: %s", r.State, r.Result)
		}
		bot.stop()
	})
}
