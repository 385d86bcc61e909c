package remedy_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/evidence"
)

// errand is something that somebody asks for, all the way to its end.
type errand struct {
	rules   []action.Grant
	kind    action.Kind
	prepare func(s *scene)
	// effects are what may be done once at most. What may be repeated is not among them.
	effects []string
	// happened reports whether the world is as it was wanted.
	happened func(s *scene) bool
}

func errands() map[string]errand {
	terminated := func(s *scene) bool { return s.app.Status.OperationState.Message == "Operation terminated" }
	deleted := func(s *scene) bool { return s.job == nil }
	synced := func(s *scene) bool { return s.did("sync") == 1 }
	return map[string]errand{
		"refresh":              {rules: everybodyMay, kind: action.HardRefresh, happened: func(s *scene) bool { return s.did("refresh") > 0 }},
		"mute":                 {rules: everybodyMay, kind: action.Mute, happened: func(s *scene) bool { return !s.thread.muted.IsZero() }},
		"terminate":            {rules: everybodyMay, kind: action.Terminate, prepare: (*scene).stuckNow, effects: []string{"terminate"}, happened: terminated},
		"delete":               {rules: everybodyMay, kind: action.DeleteHookJob, effects: []string{"delete"}, happened: deleted},
		"terminate and delete": {rules: everybodyMay, kind: action.DeleteHookJob, prepare: (*scene).stuckNow, effects: []string{"terminate", "delete"}, happened: deleted},
		"sync":                 {rules: everybodyMay, kind: action.Sync, effects: []string{"dry-run", "sync"}, happened: synced},
		"sync with approval":   {rules: leadsAgree, kind: action.Sync, effects: []string{"dry-run", "sync"}, happened: synced},
		"refresh with approval": {rules: leadsAgree, kind: action.HardRefresh,
			happened: func(s *scene) bool { return s.did("refresh") > 0 }},
	}
}

func (s *scene) stuckNow() { s.stuck() }

// tell has people press until the bot has taken it down, as Slack delivers again what was not answered: the same click.
// The error is what a lead hears who approves it.
func (e errand) run(s *scene, bot *replica, a action.ConfirmedRequest) error {
	if _, err := bot.Request(s.Context(), a); err != nil && code(err) != action.AlreadyRequested {
		return nil // the bot is dead, or what was shown has changed
	}
	l, err := s.journal.Get(s.Context(), prod)
	if err != nil {
		s.Fatal(err)
	}
	if len(l.Records) != 1 || l.Records[0].State != action.Waiting {
		return nil
	}
	_, err = bot.Decide(s.Context(), action.Decision{App: prod, Record: l.Records[0].ID, By: erin, Approve: true, Fingerprint: l.Records[0].Fingerprint})
	return err
}

// TestKilledAnywhere: the process dies before or after each single thing that it does to the world, and another one comes.
// Nothing is done twice, and how it ended is told, and is the truth.
func TestKilledAnywhere(t *testing.T) {
	for name, e := range errands() {
		t.Run(name, func(t *testing.T) {
			var trace []string
			play(t, e.rules, func(s *scene) { trace = e.killed(s, 0, false) })
			if len(trace) < 4 {
				t.Fatalf("only %v", trace)
			}
			for n := range trace {
				for _, after := range []bool{false, true} {
					play(t, e.rules, func(s *scene) {
						e.killed(s, n+1, after)
						if s.Failed() {
							s.Fatalf("killed at %d (%s), after it was done: %t, of %v", n+1, trace[n], after, trace)
						}
					})
				}
			}
		})
	}
}

// killed has the first process die at a call (never at 0), and a second come that gets the same click.
func (e errand) killed(s *scene, at int, after bool) (trace []string) {
	if e.prepare != nil {
		e.prepare(s)
	}
	first := s.start("a")
	a := first.shown(dana, wish(e.kind))
	first.dieAt, first.after = at, after
	_ = e.run(s, first, a) // it may be dead by then
	s.pass(40 * time.Second)
	first.stop()
	second := s.start("b")
	_ = e.run(s, second, a)
	s.pass(3 * time.Minute)
	second.stop()
	e.check(s)
	return first.trace
}

func (e errand) check(s *scene) {
	s.Helper()
	for _, what := range e.effects {
		if n := s.did(what); n > 1 {
			s.Errorf("%s was done %d times", what, n)
		}
	}
	l, err := s.journal.Get(s.Context(), prod)
	if err != nil || len(l.Records) > 1 {
		s.Fatalf("%d records, %v", len(l.Records), err)
	}
	if len(l.Records) == 0 { // the click came again when there was nothing left to do
		s.Error("nothing is on record")
		return
	}
	r := s.only()
	s.endsAs(r.State, "")
	if happened := e.happened(s); happened != (r.State == action.Done) {
		s.Errorf("it happened: %t, and it is told as %s: %s", happened, r.State, r.Result)
	}
	if r.State != action.Done && r.State != action.Interrupted {
		s.Errorf("it ended as %s: %s", r.State, r.Result)
	}
	if _, there := s.events[r.ID]; !there {
		s.Error("no event on the Application")
	}
	states := strings.Fields(s.thread.states())
	if s.did("delete") > 0 && !slices.Contains(states, "log") {
		s.Errorf("deleted, and the log is not saved: %v", states)
	}
}

// TestAProcessThatLosesItsJournalStopsBeforeTheNextEffect: while it cannot renew its lease somebody else may take over.
func TestAProcessThatLosesItsJournalStopsBeforeTheNextEffect(t *testing.T) {
	play(t, everybodyMay, func(s *scene) {
		s.stuck()
		bot := s.start("a")
		s.hangs = true // the termination takes long enough
		bot.pressed(dana, wish(action.DeleteHookJob))
		s.pass(5 * time.Second)
		s.journal.fails(errors.New("no journal"))
		s.change(func() {
			s.app.Status.OperationState.Phase = evidence.OperationFailed
		})
		s.pass(10 * time.Minute)
		if s.did("terminate") != 1 || s.did("delete") != 0 {
			t.Errorf("done without a lease: %v", s.done)
		}
		s.journal.fails(nil)
		s.pass(2 * time.Minute)
		s.endsAs(action.Interrupted, "The operation was terminated, but Job/db-migrate was not deleted. Request it again.")
		bot.stop()
	})
}

// TestAJobThatGoesByItselfIsNobodysDeed: Argo CD or somebody else removes it after the process died and before another one looks.
func TestAJobThatGoesByItselfIsNobodysDeed(t *testing.T) {
	for name, x := range map[string]struct {
		goes   func(s *scene)
		result string
	}{
		"gone":           {func(s *scene) { s.job = nil }, "before it deleted anything, but Job/db-migrate is gone anyway."},
		"being deleted":  {func(s *scene) { s.job.Deleting = true }, "before it deleted anything, but Job/db-migrate is being deleted anyway."},
		"still as it is": {func(*scene) {}, "Job/db-migrate was not deleted. Request it again."},
	} {
		t.Run(name, func(t *testing.T) {
			play(t, everybodyMay, func(s *scene) {
				first := s.start("a")
				first.before = func(string, int) {
					if l, err := s.journal.Get(s.Context(), prod); err == nil && len(l.Records) == 1 && l.Records[0].Step == action.StepLogs {
						first.kill()
					}
				}
				first.pressed(dana, wish(action.DeleteHookJob))
				s.pass(10 * time.Second)
				first.stop()
				s.change(func() { x.goes(s) })
				second := s.start("b")
				s.pass(time.Minute)
				s.endsAs(action.Interrupted, x.result)
				if len(s.done) > 0 {
					t.Errorf("done: %v", s.done)
				}
				second.stop()
			})
		})
	}
}

// TestAReplicaThatIsCutOffDoesNothingAfterAnotherTookOver: it still runs, it only reaches the journal no more.
func TestAReplicaThatIsCutOffDoesNothingAfterAnotherTookOver(t *testing.T) {
	play(t, everybodyMay, func(s *scene) {
		s.stuck()
		s.hangs = true
		one := s.start("a")
		one.pressed(dana, wish(action.DeleteHookJob))
		s.pass(5 * time.Second)
		one.cutOff.Store(true)
		two := s.start("b")
		s.pass(90 * time.Second)
		s.endsAs(action.Interrupted, "")
		s.change(func() { s.app.Status.OperationState.Phase = evidence.OperationFailed })
		s.pass(5 * time.Minute)
		if s.did("delete") != 0 {
			t.Errorf("done by who lost it: %v", s.done)
		}
		one.stop()
		two.stop()
	})
}

// TestJournalThatAnswersBadly: writes that conflict, and writes whose answer is lost, anywhere. It is done once anyway.
func TestJournalThatAnswersBadly(t *testing.T) {
	for name, e := range errands() {
		for n := range 12 {
			t.Run(fmt.Sprintf("%s/%d", name, n), func(t *testing.T) {
				play(t, e.rules, func(s *scene) {
					if e.prepare != nil {
						e.prepare(s)
					}
					bot := s.start("a")
					a := bot.shown(dana, wish(e.kind))
					bot.before = func(what string, calls int) {
						if what == "write" && calls == n {
							s.journal.conflicts = 2
							s.journal.lost = 1
						}
					}
					for range 2 {
						if err := e.run(s, bot, a); err != nil {
							t.Errorf("who approves hears: %v", err)
						}
						s.pass(4 * time.Minute)
					}
					bot.stop()
					e.check(s)
				})
			})
		}
	}
}

// TestStoppedAnywhere: a process that is told to end begins nothing, and what it leaves is found by the next, at once.
func TestStoppedAnywhere(t *testing.T) {
	for name, e := range errands() {
		for wait := time.Duration(0); wait < 20*time.Second; wait += 1500 * time.Millisecond {
			t.Run(fmt.Sprintf("%s/%s", name, wait), func(t *testing.T) {
				play(t, e.rules, func(s *scene) {
					if e.prepare != nil {
						e.prepare(s)
					}
					first := s.start("a")
					if err := e.run(s, first, first.shown(dana, wish(e.kind))); err != nil {
						t.Fatal(err)
					}
					s.pass(wait)
					first.stop()
					second := s.start("b")
					s.pass(25 * time.Second) // less than the lease and its grace
					second.stop()
					e.check(s)
				})
			})
		}
	}
}
