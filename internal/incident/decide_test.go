package incident

import (
	"slices"
	"testing"
	"time"
)

const hookFailed, refused = "hook/job-failed", "dial tcp 10.0.1.45:5432: connect: connection refused"

func TestFailureIsToldOnceItHasLasted(t *testing.T) {
	s := newStory(t)
	if out := s.see(0, fails("pay", hookFailed, refused), Waiting); out.Again != time.Minute || len(out.Touched) > 0 {
		t.Errorf("look again after %v, touched %v: want a minute, nothing", out.Again, out.Touched)
	}
	s.see(59*time.Second, fails("pay", hookFailed, refused), Waiting)
	out := s.see(time.Minute, fails("pay", hookFailed, refused), Opened)
	if !slices.Equal(out.Touched, []string{out.ID}) {
		t.Errorf("touched %v", out.Touched)
	}
	if i := s.store.Of(named("pay")); i == nil || i.Channel != "C-shop" || !i.Since.Equal(morning) {
		t.Errorf("incident %+v", i)
	}
	s.see(2*time.Minute, fails("pay", hookFailed, refused), Nothing)
}

func TestWhatArgoCDDatesNeedNotLastAgainAfterARestart(t *testing.T) {
	s := newStory(t)
	seen := fails("pay", hookFailed, refused)
	seen.Report.Context.Since = morning.Add(-10 * time.Minute)
	s.see(0, seen, Opened)
	if i := s.store.Of(named("pay")); !i.Since.Equal(morning.Add(-10 * time.Minute)) {
		t.Errorf("since %v", i.Since)
	}
}

func TestBlipIsNeverTold(t *testing.T) {
	s := newStory(t)
	s.see(0, fails("pay", hookFailed, refused), Waiting)
	s.see(30*time.Second, well("pay"), Passed)
	if all := s.store.All(); len(all) != 0 || s.store.Live(named("pay")) {
		t.Errorf("remembered: %v", all)
	}
	s.see(40*time.Second, fails("pay", hookFailed, refused), Waiting) // and waits anew
	s.see(80*time.Second, fails("pay", hookFailed, refused), Waiting)
}

func TestRolloutBetweenTwoFailuresDoesNotStartTheWaitAnew(t *testing.T) {
	s := newStory(t)
	s.see(0, fails("pay", hookFailed, refused), Waiting)
	s.see(30*time.Second, progressing("pay"), Nothing)
	s.see(60*time.Second, fails("pay", hookFailed, refused), Opened)
}

func TestRuleMayWaitLongerAndMayBeIgnored(t *testing.T) {
	s := newStory(t)
	s.see(0, fails("pay", "drift/manual-edit", "replicas"), Waiting)
	s.see(14*time.Minute, fails("pay", "drift/manual-edit", "replicas"), Waiting)
	s.see(15*time.Minute, fails("pay", "drift/manual-edit", "replicas"), Opened)
	s.see(time.Hour, fails("web", "operation/sync-window", "closed"), Nothing)
	if s.store.Of(named("web")) != nil {
		t.Error("an ignored rule opened an incident")
	}
}

func opened(t *testing.T) *story {
	t.Helper()
	s := newStory(t)
	s.see(0, fails("pay", hookFailed, refused), Waiting)
	s.see(time.Minute, fails("pay", hookFailed, refused), Opened)
	s.told()
	return s
}

func TestCauseChangedOnceItHasLasted(t *testing.T) {
	s := opened(t)
	s.see(5*time.Minute, fails("pay", "health/missing", "nothing is there"), EvidenceChanged) // on its way
	s.see(5*time.Minute+20*time.Second, fails("pay", "health/crash-loop", "panic"), EvidenceChanged)
	if i := s.store.Of(named("pay")); len(i.Outbox) != 0 || i.Cause.Rule != "health/crash-loop" {
		t.Errorf("replies %v, cause %s: the root message shows it at once, and nobody is pinged yet", i.Outbox, i.Cause.Rule)
	}
	s.see(6*time.Minute+20*time.Second, fails("pay", "health/crash-loop", "panic"), CauseChanged)
	i := s.store.Of(named("pay"))
	r := i.Outbox[0]
	if len(i.Outbox) != 1 || r.Was != "pay: hook/job-failed" || r.Headline != "pay: health/crash-loop" || r.Number != 2 {
		t.Errorf("replies %+v", i.Outbox)
	}
	s.see(8*time.Minute, fails("pay", "health/crash-loop", "panic"), Nothing)
}

func TestCauseThatComesAndGoesIsNoReply(t *testing.T) {
	s := opened(t)
	s.see(5*time.Minute, fails("pay", "unknown", "a fact timed out"), EvidenceChanged)
	s.see(5*time.Minute+30*time.Second, fails("pay", hookFailed, refused), EvidenceChanged)
	s.see(9*time.Minute, fails("pay", hookFailed, refused), Nothing)
	if i := s.store.Of(named("pay")); len(i.Outbox) != 0 {
		t.Errorf("replies %v", i.Outbox)
	}
}

func TestEvidenceChangesWithItsWordsNotWithItsNumbers(t *testing.T) {
	s := opened(t)
	s.see(2*time.Minute, fails("pay", hookFailed, "dial tcp 10.0.9.99:5432: connect: connection refused"), Nothing)
	out := s.see(3*time.Minute, fails("pay", hookFailed, "password authentication failed"), EvidenceChanged)
	if i := s.store.Of(named("pay")); len(i.Outbox) != 0 || len(out.Touched) != 1 {
		t.Errorf("replies %v, touched %v: the root message changes and nobody is pinged", i.Outbox, out.Touched)
	}
}

func TestReminderIsNotPutOffByEvidenceThatKeepsChanging(t *testing.T) {
	s := opened(t)
	s.see(2*time.Hour, fails("pay", hookFailed, "password authentication failed"), EvidenceChanged)
	s.see(5*time.Hour, fails("pay", hookFailed, refused), Reminder)
	if log := s.store.Of(named("pay")).Report.Findings[0].Why; log != refused {
		t.Errorf("it shows %q, which is not so any more", log)
	}
}

func TestRecoveredOnceItHasHeld(t *testing.T) {
	s := opened(t)
	s.see(14*time.Minute, well("pay"), Holding)
	s.see(14*time.Minute+30*time.Second, fails("pay", hookFailed, refused), Nothing) // not yet, it turned out
	s.see(20*time.Minute, well("pay"), Holding)
	s.see(21*time.Minute, well("pay"), RecoveredNow)
	i := s.store.All()[0]
	r := i.Outbox[0]
	if r.Lasted != 20*time.Minute || i.Phase != Recovered || !i.RecoveredAt.Equal(morning.Add(20*time.Minute)) {
		t.Errorf("lasted %v, phase %s, at %v", r.Lasted, i.Phase, i.RecoveredAt)
	}
	if want := "9c1e0d2 is deployed now; 3f2a91c failed."; !slices.Equal(r.Notes, []string{want}) {
		t.Errorf("notes %q, want %q", r.Notes, want)
	}
	s.see(22*time.Minute, well("pay"), Nothing)
}

// Argo CD compares a new commit before it is deployed: what failed is still the one before.
func TestACommitThatHelpsIsNotTheOneThatFailed(t *testing.T) {
	s := opened(t)
	compared := fails("pay", hookFailed, refused)
	compared.Report.Context.Revision = well("pay").Report.Context.Revision
	s.see(10*time.Minute, compared, Nothing)
	s.see(14*time.Minute, well("pay"), Holding)
	s.see(15*time.Minute, well("pay"), RecoveredNow)
	if got, want := s.store.All()[0].Resolution, "9c1e0d2 is deployed now; 3f2a91c failed."; !slices.Equal(got, []string{want}) {
		t.Errorf("resolution %q, want %q", got, want)
	}
}

func TestTheTimeItIsRolledOutDoesNotCountAsWell(t *testing.T) {
	s := opened(t)
	s.see(10*time.Minute, well("pay"), Holding)
	s.see(10*time.Minute+30*time.Second, progressing("pay"), Nothing)
	s.see(11*time.Minute, well("pay"), Holding)
}

func TestReopenedInTheSameThread(t *testing.T) {
	s := opened(t)
	s.see(10*time.Minute, well("pay"), Holding)
	s.see(11*time.Minute, well("pay"), RecoveredNow)
	s.told()
	first := s.store.All()[0]
	s.see(time.Hour, fails("pay", hookFailed, refused), Waiting)
	s.see(time.Hour+time.Minute, fails("pay", hookFailed, refused), Reopened)
	i := s.store.Of(named("pay"))
	if i.ID != first.ID || i.Thread != first.Thread || i.Outbox[0].Lasted != 50*time.Minute || !i.RecoveredAt.IsZero() || !i.Expires.IsZero() {
		t.Errorf("incident %+v", i)
	}
}

func TestReopenedAlthoughItSaidSomethingElseFirst(t *testing.T) {
	s := opened(t)
	s.see(10*time.Minute, well("pay"), Holding)
	s.see(11*time.Minute, well("pay"), RecoveredNow)
	s.told()
	first := s.store.All()[0]
	s.see(time.Hour, fails("pay", "health/missing", "nothing is there"), Waiting) // it was deleted and made anew
	s.see(time.Hour+30*time.Second, fails("pay", hookFailed, refused), Waiting)
	s.see(time.Hour+time.Minute, fails("pay", hookFailed, refused), Reopened)
	if i := s.store.Of(named("pay")); i.ID != first.ID {
		t.Errorf("told in %s, not in %s", i.ID, first.ID)
	}
	if n := len(s.store.Failing()); n != 1 {
		t.Errorf("%d go on", n)
	}
}

func TestAnotherCauseOrLaterIsANewThread(t *testing.T) {
	for name, x := range map[string]struct {
		after time.Duration
		rule  string
	}{"another cause": {time.Hour, "health/crash-loop"}, "two days later": {48 * time.Hour, hookFailed}} {
		t.Run(name, func(t *testing.T) {
			s := opened(t)
			s.see(10*time.Minute, well("pay"), Holding)
			s.see(11*time.Minute, well("pay"), RecoveredNow)
			s.see(x.after, fails("pay", x.rule, refused), Waiting)
			s.see(x.after+time.Minute, fails("pay", x.rule, refused), Opened)
			if n := len(s.store.All()); n != 2 {
				t.Errorf("%d incidents, want two", n)
			}
		})
	}
}

func TestReminder(t *testing.T) {
	s := opened(t)
	s.see(3*time.Hour, fails("pay", hookFailed, refused), Nothing)
	out := s.see(4*time.Hour+time.Minute, fails("pay", hookFailed, refused), Reminder)
	if out.Again != 4*time.Hour {
		t.Errorf("the next after %v", out.Again)
	}
	s.see(5*time.Hour, fails("pay", hookFailed, refused), Nothing)
}

func TestDeletedApplicationEndsItsIncidentAtOnce(t *testing.T) {
	s := opened(t)
	s.see(5*time.Minute, Seen{App: named("pay"), Gone: true}, RecoveredNow)
	if i := s.store.All()[0]; i.Resolution[0] != "The application was deleted." {
		t.Errorf("resolution %q", i.Resolution)
	}
}

func TestSameIncidentSameID(t *testing.T) {
	a, b := newStory(t), newStory(t)
	for _, s := range []*story{a, b} {
		s.see(0, fails("Pay_API", hookFailed, refused), Waiting)
		s.see(time.Minute, fails("Pay_API", hookFailed, refused), Opened)
	}
	x, y := a.store.All()[0].ID, b.store.All()[0].ID
	if x != y || x[:8] != "pay-api-" {
		t.Errorf("%s and %s", x, y)
	}
}
