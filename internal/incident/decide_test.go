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
	s.see(5*time.Minute, fails("pay", "health/missing", "nothing is there"), SeenMeanwhile) // on its way
	s.see(5*time.Minute+20*time.Second, fails("pay", "health/crash-loop", "panic"), SeenMeanwhile)
	i := s.store.Of(named("pay"))
	if len(i.Outbox) != 0 || i.Cause.Rule != hookFailed || i.Report.Headline != "pay: "+hookFailed || i.Interim.Title != "health/crash-loop" {
		t.Errorf("replies %v, cause %s, %q, interim %+v: it keeps the cause that was announced", i.Outbox, i.Cause.Rule, i.Report.Headline, i.Interim)
	}
	s.see(6*time.Minute+20*time.Second, fails("pay", "health/crash-loop", "panic"), CauseChanged)
	i = s.store.Of(named("pay"))
	r := i.Outbox[0]
	if len(i.Outbox) != 1 || r.Was != "pay: hook/job-failed" || r.Headline != "pay: health/crash-loop" || r.Number != 2 {
		t.Errorf("replies %+v", i.Outbox)
	}
	if i.Cause.Rule != "health/crash-loop" || i.Interim != nil {
		t.Errorf("cause %s, interim %+v", i.Cause.Rule, i.Interim)
	}
	s.see(8*time.Minute, fails("pay", "health/crash-loop", "panic"), Nothing)
}

func TestCauseThatComesAndGoesIsNoReply(t *testing.T) {
	s := opened(t)
	s.see(5*time.Minute, fails("pay", "unknown", "a fact timed out"), SeenMeanwhile)
	s.see(5*time.Minute+30*time.Second, fails("pay", hookFailed, refused), Nothing)
	s.see(9*time.Minute, fails("pay", hookFailed, refused), Nothing)
	if i := s.store.Of(named("pay")); len(i.Outbox) != 0 || i.Interim != nil {
		t.Errorf("replies %v, interim %+v", i.Outbox, i.Interim)
	}
}

func TestCausesThatKeepChangingReplaceOneThatIsGone(t *testing.T) {
	s := opened(t)
	for at := 5 * time.Minute; at < 21*time.Minute; at += 30 * time.Second {
		s.see(at, fails("pay", "rule/"+string(rune('a'+at/(30*time.Second)%2)), refused), SeenMeanwhile)
	}
	s.see(21*time.Minute, fails("pay", "rule/a", refused), CauseChanged)
}

// duringSync is seen while an operation runs.
func duringSync(s Seen) Seen {
	s.Report.Progress = "syncing 9c1e0d2"
	return s
}

func TestWhatAnOperationBringsAboutIsNotTheCause(t *testing.T) {
	s := opened(t)
	s.see(5*time.Minute, duringSync(fails("pay", "health/missing", "nothing is there")), SeenMeanwhile)
	s.see(9*time.Minute, duringSync(fails("pay", "health/missing", "nothing is there")), Nothing)
	s.see(9*time.Minute+10*time.Second, fails("pay", "health/missing", "nothing is there"), SeenMeanwhile) // its time begins with the end of the sync
	s.see(10*time.Minute, well("pay"), Holding)
	s.see(11*time.Minute, well("pay"), RecoveredNow)
	if i := s.store.All()[0]; i.Cause.Rule != hookFailed || i.Report.Headline != "pay: "+hookFailed || i.Interim != nil {
		t.Errorf("recovered of %s, %q, interim %+v", i.Cause.Rule, i.Report.Headline, i.Interim)
	}
}

func TestWhatFailsInTheOperationItselfIsACause(t *testing.T) {
	s := opened(t)
	s.see(5*time.Minute, duringSync(fails("pay", "apply/forbidden", "no")), SeenMeanwhile)
	s.see(6*time.Minute, duringSync(fails("pay", "apply/forbidden", "no")), CauseChanged)
}

func TestOperationThatDoesNotEndHidesNothing(t *testing.T) {
	s := opened(t)
	s.see(5*time.Minute, duringSync(fails("pay", "health/crash-loop", "panic")), SeenMeanwhile)
	s.see(19*time.Minute, duringSync(fails("pay", "health/crash-loop", "panic")), Nothing)
	s.see(20*time.Minute, duringSync(fails("pay", "health/crash-loop", "panic")), CauseChanged)
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
	if len(r.Notes) != 0 {
		t.Errorf("notes %q: nothing is known of how", r.Notes)
	}
	s.see(22*time.Minute, well("pay"), Nothing)
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

// Somebody is still at it: what a sync brings about right after a recovery opens no second thread.
func TestReopenedAfterWhatASyncBroughtAbout(t *testing.T) {
	s := opened(t)
	s.see(10*time.Minute, well("pay"), Holding)
	s.see(11*time.Minute, well("pay"), RecoveredNow)
	s.told()
	first := s.store.All()[0]
	s.see(13*time.Minute, duringSync(fails("pay", "health/missing", "nothing is there")), Waiting)
	s.see(17*time.Minute, duringSync(fails("pay", "health/missing", "nothing is there")), Waiting)
	s.see(18*time.Minute, fails("pay", hookFailed, refused), Reopened)
	if all := s.store.All(); len(all) != 1 || all[0].ID != first.ID {
		t.Errorf("%d incidents, the first in %s, not in %s", len(all), all[0].ID, first.ID)
	}
}

func TestABlipAfterARecoveryLeavesNothingBehind(t *testing.T) {
	s := opened(t)
	s.see(10*time.Minute, well("pay"), Holding)
	s.see(11*time.Minute, well("pay"), RecoveredNow)
	s.see(12*time.Minute, fails("pay", hookFailed, refused), Waiting)
	s.see(12*time.Minute+10*time.Second, fails("pay", "health/missing", "nothing is there"), Waiting)
	s.see(12*time.Minute+20*time.Second, well("pay"), Passed)
	s.see(30*time.Minute, fails("pay", hookFailed, refused), Waiting)
	s.see(31*time.Minute, fails("pay", hookFailed, refused), Reopened)
	if i := s.store.Of(named("pay")); !i.ReopenedAt.Equal(morning.Add(30 * time.Minute)) {
		t.Errorf("it is said to fail since %v", i.ReopenedAt)
	}
}

// What Argo CD dates opens at once, so the recovered incident must be found at the first look.
func TestReopenedAtOnceAfterABlip(t *testing.T) {
	s := opened(t)
	s.see(10*time.Minute, well("pay"), Holding)
	s.see(11*time.Minute, well("pay"), RecoveredNow)
	s.told()
	first := s.store.All()[0]
	s.see(20*time.Minute, fails("pay", "health/missing", "nothing is there"), Waiting)
	s.see(20*time.Minute+10*time.Second, well("pay"), Passed)
	again := fails("pay", hookFailed, refused)
	again.Report.Context.Since = morning.Add(21 * time.Minute)
	s.see(25*time.Minute, again, Reopened)
	if i := s.store.Of(named("pay")); i.ID != first.ID {
		t.Errorf("told in %s, not in %s", i.ID, first.ID)
	}
}

func TestReopenedWithACauseThatItsThreadWasAboutBefore(t *testing.T) {
	s := opened(t)
	id := s.store.Of(named("pay")).ID
	s.see(10*time.Minute, fails("pay", "health/crash-loop", "panic"), SeenMeanwhile)
	s.see(11*time.Minute, fails("pay", "health/crash-loop", "panic"), CauseChanged)
	s.see(12*time.Minute, well("pay"), Holding)
	s.see(13*time.Minute, well("pay"), RecoveredNow)
	s.see(15*time.Minute, fails("pay", hookFailed, refused), Waiting)
	s.see(16*time.Minute, fails("pay", hookFailed, refused), Reopened)
	if i := s.store.Of(named("pay")); i.ID != id || i.Cause.Rule != hookFailed {
		t.Errorf("told in %s of %s, not in %s", i.ID, i.Cause.Rule, id)
	}
}

func TestReopenedAlthoughAnotherCauseHadAThreadInBetween(t *testing.T) {
	s := opened(t)
	first := s.store.Of(named("pay")).ID
	s.see(10*time.Minute, well("pay"), Holding)
	s.see(11*time.Minute, well("pay"), RecoveredNow)
	s.see(time.Hour, fails("pay", "health/crash-loop", "panic"), Waiting)
	s.see(time.Hour+time.Minute, fails("pay", "health/crash-loop", "panic"), Opened)
	s.see(2*time.Hour, well("pay"), Holding)
	s.see(2*time.Hour+time.Minute, well("pay"), RecoveredNow)
	s.see(3*time.Hour, fails("pay", hookFailed, refused), Waiting)
	s.see(3*time.Hour+time.Minute, fails("pay", hookFailed, refused), Reopened)
	if i := s.store.Of(named("pay")); i.ID != first {
		t.Errorf("told in %s, not in %s", i.ID, first)
	}
}

func TestAPendingCauseMustLastItself(t *testing.T) {
	s := newStory(t)
	s.see(0, fails("pay", "health/missing", "nothing is there"), Waiting)
	s.see(50*time.Second, fails("pay", hookFailed, refused), Waiting)
	s.see(time.Minute, fails("pay", hookFailed, refused), Waiting)
	s.see(time.Minute+50*time.Second, fails("pay", hookFailed, refused), Opened)
}

func TestCausesThatKeepChangingAreToldAllTheSame(t *testing.T) {
	s := newStory(t)
	for at := time.Duration(0); at < 2*time.Minute; at += 30 * time.Second {
		s.see(at, fails("pay", "rule/"+string(rune('a'+at/(30*time.Second))), refused), Waiting)
	}
	s.see(2*time.Minute, fails("pay", "rule/e", refused), Opened)
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
	s.see(5*time.Minute, Seen{App: named("pay"), Gone: true}, Deleted)
	if i := s.store.All()[0]; !i.Deleted() || i.Outbox[0].Reason != Deleted || i.Outbox[0].Lasted != 5*time.Minute {
		t.Errorf("deleted %t, reply %+v", i.Deleted(), i.Outbox)
	}
	s.told()
	again := fails("pay", hookFailed, refused) // recreated, and fails as before
	again.Report.Context.Since = morning.Add(10 * time.Minute)
	s.see(12*time.Minute, again, Reopened)
	if i := s.store.Of(named("pay")); i.Outbox[0].Lasted != 0 || i.Deleted() {
		t.Errorf("reply %+v: it was not healthy meanwhile", i.Outbox)
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
