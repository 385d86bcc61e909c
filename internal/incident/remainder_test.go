package incident

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
)

// manyFail are applications of which each fails because of itself, and nobody knows.
func (s *story) manyFail(n int) {
	for i := range n {
		app := fmt.Sprintf("app-%03d", i)
		s.store.Observe(fails(app, hookFailed, refused), morning)
		s.see(time.Minute, fails(app, hookFailed, refused), Opened)
	}
}

// remainder is the only message about what is still to be posted, on record as it is.
func (s *story) remainder() *Incident {
	s.t.Helper()
	var found *Incident
	for _, i := range s.store.pick(func(e *entry) bool { return e.Remainder() }) {
		if found != nil {
			s.t.Fatal("there are two")
		}
		found = i
	}
	return found
}

// post has the threads of so many be there.
func (s *story) post(n int) {
	for id, e := range s.store.entries {
		if n > 0 && e.toPost() {
			e.Thread.TS = "ts-" + id
			n--
		}
	}
}

func TestFewThatWaitNeedNoMessage(t *testing.T) {
	s := newStory(t)
	s.manyFail(remainderFrom - 1)
	if touched := s.store.CountRemainders(morning.Add(time.Minute)); len(touched) > 0 || s.remainder() != nil {
		t.Errorf("there is %v", touched)
	}
}

// TestWhatIsStillToBePostedIsCounted until nothing is. An outage of everything is one failure.
func TestWhatIsStillToBePostedIsCounted(t *testing.T) {
	s := newStory(t)
	s.manyFail(100)
	at := morning.Add(time.Minute)
	count := func(after time.Duration, changed bool, waiting int, phase Phase) {
		t.Helper()
		touched := s.store.CountRemainders(at.Add(after))
		if i := s.remainder(); i.Waiting != waiting || i.Phase != phase || slices.Contains(touched, i.ID) != changed {
			t.Errorf("after %s: %d wait, %s, changed %v", after, i.Waiting, i.Phase, touched)
		}
	}
	count(0, true, 100, Open)
	s.post(3)
	count(5*time.Second, false, 100, Open) // Slack takes few edits
	count(15*time.Second, true, 97, Open)
	s.see(2*time.Minute, well("app-000"), Holding)
	s.post(90)
	count(time.Minute, true, 7, Open) // once there is one, it is counted to the end
	s.post(7)
	count(61*time.Second, true, 0, Recovered) // and the end is said at once
	count(2*time.Minute, false, 0, Recovered)
	for n := range 100 {
		if i := s.store.Of(named(fmt.Sprintf("app-%03d", n))); i.Remainder() {
			t.Fatal("it is about an application")
		}
	}
	if all := s.store.All(); len(all) != 100 {
		t.Errorf("%d incidents", len(all))
	}
}

// TestWhatIsStillToBePostedIsCountedAfterARestart: in the same message, wherever the bot was killed.
func TestWhatIsStillToBePostedIsCountedAfterARestart(t *testing.T) {
	s := newStory(t)
	s.manyFail(50)
	s.store.CountRemainders(morning.Add(time.Minute))
	was := s.remainder()
	held := append(s.store.All(), was)
	for name, left := range map[string]int{"many": 49, "a few": 3, "none": 0} {
		again := &story{t, NewStore(policy(), held)}
		again.post(50 - left)
		again.store.CountRemainders(morning.Add(2 * time.Minute))
		i := again.remainder()
		if i == nil || i.ID != was.ID || i.Waiting != left || (i.Phase == Open) != (left > 0) {
			t.Errorf("%s are left: it is %+v", name, i)
		}
		if len(again.store.posted()) != 51 {
			t.Errorf("%s are left: it is not brought up to date", name)
		}
	}
}

// TestNobodyIsToldOfARemainderAsOfAFailure: nor can somebody act on it.
func TestNobodyIsToldOfARemainderAsOfAFailure(t *testing.T) {
	s := newStory(t)
	s.manyFail(remainderFrom)
	s.store.CountRemainders(morning.Add(time.Minute))
	i := s.remainder()
	s.store.entries[i.ID].Thread = Thread{Channel: "C-shop", TS: "ts-1"}
	if s.store.ByThread("C-shop", "ts-1") != nil || len(s.store.Failing()) != remainderFrom || slices.Contains(s.store.Redraw("prod"), i.ID) {
		t.Error("it is taken for a failure")
	}
	if got := s.store.Unwatch(nil, morning.Add(time.Hour)); slices.Contains(got, i.ID) {
		t.Error("it ended with the Argo CD")
	}
}

// TestTheMostImportantFailureIsPostedFirst: whatever was written first.
func TestTheMostImportantFailureIsPostedFirst(t *testing.T) {
	p := policy()
	p.Route = func(app App, _ string) int {
		if app.Name == "routed" {
			return 0
		}
		return 1
	}
	keep(t, func(k *kept) {
		k.store.policy = p
		k.fills(time.Hour, NewRoot, History)
		for _, app := range []string{"drifted", "degraded", "young", "old", "routed"} {
			seen := fails(app, hookFailed, refused)
			switch app {
			case "drifted":
				seen.Report.Verdict = diagnose.VerdictDrifted
			case "degraded":
				seen.Report.Verdict = diagnose.VerdictDegraded
			case "old":
				seen.Report.Context.Since = morning.Add(-30 * time.Second)
			}
			k.store.Observe(seen, morning)
			k.see(time.Minute, seen, Opened)
		}
		over := fails("over", hookFailed, refused)
		k.store.Observe(over, morning)
		k.see(time.Minute, over, Opened)
		k.see(2*time.Minute, well("over"), Holding)
		k.see(4*time.Minute, well("over"), RecoveredNow)
		for _, app := range []string{"x", "y", "z"} {
			k.store.Observe(failsOfGit(app), morning)
		}
		k.see(time.Minute, failsOfGit("x"), Grouped)
		k.wait(time.Minute)
		k.fills(0)
		k.wait(2 * time.Hour)
		var roots []string
		for n, i := range k.said {
			if k.reasons[n][0] == '1' {
				roots = append(roots, i.Members[0].App.Name)
			}
		}
		if want := []string{"x", "routed", "old", "young", "degraded", "drifted", "over"}; !slices.Equal(roots, want) {
			t.Errorf("posted %v, want %v", roots, want)
		}
	})
}
