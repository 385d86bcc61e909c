package incident

import (
	"slices"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/action"
)

var (
	dana = action.Person{ID: "U0DANA", Name: "dana"}
	erin = action.Person{ID: "U0ERIN", Name: "erin"}
)

// mute mutes the incident of an application at a time after morning, for so long.
func (s *story) mute(after time.Duration, app string, long time.Duration) []string {
	s.t.Helper()
	at := morning.Add(after)
	touched, ok := s.store.Mute(named(app), dana, at.Add(long), at)
	if !ok {
		s.t.Fatalf("%s cannot be muted", app)
	}
	return touched
}

func TestMutedIncidentIsNotRemindedOf(t *testing.T) {
	s := opened(t)
	s.mute(time.Hour, "pay", 24*time.Hour)
	out := s.see(2*time.Hour, fails("pay", hookFailed, refused), Nothing)
	if out.Again <= 0 || out.Again > 23*time.Hour {
		t.Errorf("look again in %v, which is later than the mute ends", out.Again)
	}
	out = s.see(6*time.Hour, fails("pay", hookFailed, refused), Nothing)
	if out.Again != 19*time.Hour {
		t.Errorf("look again in %v, want 19h: when the mute ends", out.Again)
	}
	i := s.store.Of(named("pay"))
	if len(i.Outbox) != 0 || i.Muted == nil || i.Muted.By != dana {
		t.Errorf("replies %v, muted %v", i.Outbox, i.Muted)
	}
}

func TestMuteEndsByItselfAndItsMarkGoes(t *testing.T) {
	s := opened(t)
	if touched := s.mute(time.Minute, "pay", time.Hour); len(touched) != 1 {
		t.Errorf("touched %v: the root message must show it", touched)
	}
	s.told()
	out := s.see(61*time.Minute, fails("pay", hookFailed, refused), Nothing)
	if i := s.store.Of(named("pay")); i.Muted != nil || !slices.Equal(out.Touched, []string{i.ID}) {
		t.Errorf("muted %v, touched %v", i.Muted, out.Touched)
	}
	s.see(4*time.Hour+time.Minute, fails("pay", hookFailed, refused), Reminder) // as ever
}

func TestAnotherCauseSpeaksAndEndsTheMuteWhenItLasts(t *testing.T) {
	s := opened(t)
	s.mute(time.Minute, "pay", 24*time.Hour)
	s.see(5*time.Minute, fails("pay", "health/crash-loop", "panic"), SeenMeanwhile)
	if i := s.store.Of(named("pay")); i.Muted == nil {
		t.Error("unmuted by a cause that may pass")
	}
	s.see(6*time.Minute, fails("pay", "health/crash-loop", "panic"), CauseChanged)
	if i := s.store.Of(named("pay")); i.Silenced() != nil || i.Muted == nil || len(i.Outbox) != 1 || i.Outbox[0].Reason != CauseChanged {
		t.Errorf("muted %v, replies %v", i.Muted, i.Outbox)
	}
	if out := s.see(10*time.Minute, fails("pay", "health/crash-loop", "panic"), Nothing); out.Again != 10*time.Minute {
		t.Errorf("look again in %v", out.Again)
	}
	s.see(20*time.Minute, fails("pay", "health/crash-loop", "panic"), Nothing)
	if i := s.store.Of(named("pay")); i.Muted != nil || len(i.Outbox) != 2 || i.Outbox[1].Reason != Unmuted {
		t.Errorf("muted %v, replies %v", i.Muted, i.Outbox)
	}
}

// TestAnotherCauseThatPassesLeavesTheMute: somebody repairs it.
func TestAnotherCauseThatPassesLeavesTheMute(t *testing.T) {
	s := opened(t)
	s.mute(time.Minute, "pay", 24*time.Hour)
	s.see(5*time.Minute, fails("pay", "health/crash-loop", "panic"), SeenMeanwhile)
	s.see(6*time.Minute, fails("pay", "health/crash-loop", "panic"), CauseChanged)
	s.see(10*time.Minute, fails("pay", hookFailed, refused), SeenMeanwhile)
	s.see(11*time.Minute, fails("pay", hookFailed, refused), CauseChanged)
	s.see(6*time.Hour, fails("pay", hookFailed, refused), Nothing)
	if i := s.store.Of(named("pay")); i.Silenced() == nil {
		t.Error("no longer muted")
	}
}

// TestRecoveryIsToldAndLeavesTheMute: what was muted may come back, also when it would be a new failure else.
func TestRecoveryIsToldAndLeavesTheMute(t *testing.T) {
	s := opened(t)
	s.mute(time.Minute, "pay", 24*time.Hour)
	s.see(5*time.Minute, well("pay"), Holding)
	s.see(6*time.Minute, well("pay"), RecoveredNow)
	i := s.store.All()[0]
	if i.Muted == nil || len(i.Outbox) != 1 {
		t.Errorf("muted %v, replies %v", i.Muted, i.Outbox)
	}
	s.see(20*time.Hour, fails("pay", hookFailed, refused), Waiting)
	s.see(20*time.Hour+time.Minute, fails("pay", hookFailed, refused), Reopened)
	s.see(24*time.Hour, fails("pay", hookFailed, refused), Nothing)
	if i := s.store.Of(named("pay")); i.Silenced() == nil {
		t.Error("no longer muted")
	}
	s.see(25*time.Hour, fails("pay", hookFailed, refused), Reminder)
}

func TestMuteIsTakenBackAndASecondClickChangesNothing(t *testing.T) {
	s := opened(t)
	s.mute(time.Minute, "pay", time.Hour)
	if touched := s.mute(time.Minute, "pay", time.Hour); len(touched) != 0 {
		t.Errorf("touched %v", touched)
	}
	touched, ok := s.store.Mute(named("pay"), erin, time.Time{}, morning.Add(2*time.Minute))
	if i := s.store.Of(named("pay")); !ok || len(touched) != 1 || i.Muted != nil {
		t.Errorf("%v %v, muted %v", ok, touched, i.Muted)
	}
	if touched, ok := s.store.Mute(named("pay"), erin, time.Time{}, morning); !ok || len(touched) > 0 {
		t.Errorf("taken back twice: %v %v", ok, touched)
	}
	if _, ok := s.store.Mute(named("web"), dana, morning.Add(time.Hour), morning); ok {
		t.Error("an application without an incident was muted")
	}
}

func TestMutedOutageIsNotRemindedOf(t *testing.T) {
	s := newStory(t)
	for _, app := range []string{"a", "b", "c"} {
		s.see(0, failsOfGit(app), Waiting)
	}
	s.see(time.Minute, failsOfGit("a"), Grouped)
	s.told()
	s.mute(2*time.Minute, "b", 8*time.Hour)
	out := s.see(5*time.Hour, failsOfGit("a"), Nothing)
	outage := s.store.Of(named("a"))
	if len(outage.Outbox) != 0 || outage.Muted == nil || out.Again != 3*time.Hour+2*time.Minute {
		t.Errorf("replies %v, muted %v, look again in %v", outage.Outbox, outage.Muted, out.Again)
	}
	if out = s.see(8*time.Hour+2*time.Minute, failsOfGit("a"), Reminder); !slices.Contains(out.Touched, outage.ID) {
		t.Errorf("touched %v", out.Touched)
	}
	if outage = s.store.Of(named("a")); outage.Muted != nil {
		t.Error("still muted")
	}
}

// TestMuteOfAnIncidentDoesNotMuteTheOutageThatItJoins: who asked was asked about the application alone.
func TestMuteOfAnIncidentDoesNotMuteTheOutageThatItJoins(t *testing.T) {
	s := newStory(t)
	s.see(0, failsOfGit("pay"), Waiting)
	s.see(time.Minute, failsOfGit("pay"), Opened)
	s.told()
	r := s.asked("act-1")
	r.Kind = action.Mute
	s.store.Show(r, morning)
	for _, app := range []string{"b", "c"} {
		s.see(2*time.Minute, failsOfGit(app), Waiting)
	}
	s.see(3*time.Minute, failsOfGit("b"), Grouped)
	if _, ok := s.store.Mute(named("pay"), dana, morning.Add(time.Hour), morning.Add(4*time.Minute)); ok {
		t.Error("muted")
	}
	if outage := s.store.Of(named("pay")); !outage.Outage() || outage.Muted != nil {
		t.Errorf("%s is muted by %v", outage.ID, outage.Muted)
	}
}

// TestMuteOfASharedCause: it is one cause, whether one application fails of it or many do.
func TestMuteOfASharedCause(t *testing.T) {
	alone := func(s *story, app string) *Incident {
		s.t.Helper()
		i := s.store.Of(named(app))
		if i == nil || i.Outage() {
			s.t.Fatalf("%s has no incident of its own: %+v", app, i)
		}
		return i
	}
	outage := func(t *testing.T) *story { // of a, b and c, all well after 11 minutes
		s := outageOf(t)
		s.mute(4*time.Minute, "b", 72*time.Hour)
		for _, app := range []string{"a", "b", "c"} {
			s.see(10*time.Minute, well(app), MembersChanged)
		}
		s.see(11*time.Minute, well("a"), RecoveredNow)
		return s
	}
	muted := func(t *testing.T, apps ...string) *story { // that many hours each, from a on; then an outage of a, b and c
		s := newStory(t)
		for _, app := range apps {
			s.see(0, failsOfGit(app), Waiting)
			s.see(time.Minute, failsOfGit(app), Opened)
		}
		for n, app := range apps {
			s.mute(2*time.Minute, app, time.Duration(12*(n+1))*time.Hour)
		}
		s.told()
		for _, app := range []string{"a", "b", "c"} {
			if !slices.Contains(apps, app) {
				s.see(5*time.Hour, failsOfGit(app), Waiting)
			}
		}
		s.see(5*time.Hour+time.Minute, failsOfGit("c"), Grouped)
		if o := s.store.Of(named("a")); !o.Outage() || len(o.Members) != 3 {
			t.Fatalf("no outage of three: %+v", o)
		}
		return s
	}
	t.Run("an outage is not muted where one of its applications is", func(t *testing.T) {
		s := muted(t, "a", "b")
		if o := s.store.Of(named("a")); o.Muted != nil {
			t.Fatalf("muted %+v", o.Muted)
		}
		s.see(10*time.Hour, failsOfGit("a"), Reminder)
		for _, app := range []string{"a", "b", "c"} {
			s.see(11*time.Hour, well(app), MembersChanged)
		}
		s.see(11*time.Hour+time.Minute, well("a"), RecoveredNow)
		s.see(17*time.Hour, failsOfGit("b"), Waiting)
		s.see(17*time.Hour+time.Minute, failsOfGit("b"), Opened)
		if i := alone(s, "b"); i.Silenced() == nil {
			t.Error("its own mute is over")
		}
	})
	three := func(t *testing.T) *story { // of which each is muted: a for 12 hours, b for 24, c for 36
		s := newStory(t)
		for n, app := range []string{"a", "b", "c"} {
			at := time.Duration(n) * 10 * time.Minute
			s.see(at, failsOfGit(app), Waiting)
			s.see(at+time.Minute, failsOfGit(app), Opened)
			s.mute(at+2*time.Minute, app, time.Duration(12*(n+1))*time.Hour)
			s.told()
			s.see(at+3*time.Minute, well(app), Holding)
			s.see(at+4*time.Minute, well(app), RecoveredNow)
		}
		for _, app := range []string{"a", "b", "c"} {
			s.see(5*time.Hour, failsOfGit(app), Waiting)
		}
		s.see(5*time.Hour+time.Minute, failsOfGit("a"), Reopened)
		s.see(5*time.Hour+time.Minute, failsOfGit("b"), Reopened)
		s.told()
		s.see(5*time.Hour+time.Minute, failsOfGit("c"), Grouped)
		if o := s.store.Of(named("a")); !o.Outage() || o.Silenced() == nil || !o.Muted.Until.Equal(morning.Add(12*time.Hour+2*time.Minute)) {
			t.Fatalf("outage %v, muted %+v, want until the first mute ends", o.Outage(), o.Muted)
		}
		return s
	}
	t.Run("an outage is muted while each of its applications is", func(t *testing.T) {
		s := three(t)
		s.see(12*time.Hour, failsOfGit("a"), Nothing)
		s.see(12*time.Hour+2*time.Minute, failsOfGit("a"), Reminder)
	})
	t.Run("until one that is not muted joins", func(t *testing.T) {
		s := three(t)
		s.told()
		s.see(6*time.Hour, failsOfGit("d"), Grouped)
		if o := s.store.Of(named("a")); o.Muted != nil || len(o.Outbox) != 1 || o.Outbox[0].Reason != Unmuted {
			t.Errorf("muted %+v, replies %+v", o.Muted, o.Outbox)
		}
		s.see(10*time.Hour, failsOfGit("a"), Reminder)
		s.see(11*time.Hour, fails("d", hookFailed, refused), Waiting) // and leaves
		if o := s.store.Of(named("a")); o.Silenced() == nil {
			t.Error("not muted, though each of those that are left is")
		}
	})
	t.Run("until somebody ends it for all", func(t *testing.T) {
		s := three(t)
		s.mute(6*time.Hour, "b", -time.Second)
		s.see(10*time.Hour, failsOfGit("a"), Reminder)
		for _, app := range []string{"a", "b", "c"} {
			s.see(11*time.Hour, well(app), MembersChanged)
		}
		s.see(11*time.Hour+time.Minute, well("a"), RecoveredNow)
		s.see(17*time.Hour, failsOfGit("c"), Waiting)
		s.see(17*time.Hour+time.Minute, failsOfGit("c"), Opened)
		if i := alone(s, "c"); i.Muted != nil {
			t.Error("muted again, after somebody ended it")
		}
	})
	t.Run("an application takes over that of its outage", func(t *testing.T) {
		s := outage(t)
		s.see(5*time.Hour, failsOfGit("a"), Waiting)
		s.see(5*time.Hour+time.Minute, failsOfGit("a"), Opened)
		if alone(s, "a").Silenced() == nil {
			t.Fatal("not muted")
		}
		s.mute(6*time.Hour, "a", -time.Second)
		for _, app := range []string{"b", "c"} {
			s.see(7*time.Hour, failsOfGit(app), Waiting)
		}
		s.see(7*time.Hour+time.Minute, failsOfGit("b"), Grouped)
		if o := s.store.Of(named("b")); !o.Outage() || o.Muted != nil {
			t.Errorf("outage %v, muted %v after somebody ended it", o.Outage(), o.Muted)
		}
	})
	t.Run("not one that was no part of it", func(t *testing.T) {
		s := outage(t)
		s.see(5*time.Hour, failsOfGit("d"), Waiting)
		s.see(5*time.Hour+time.Minute, failsOfGit("d"), Opened)
		if alone(s, "d").Muted != nil {
			t.Error("muted")
		}
	})
	t.Run("with another application it is a new outage, which nobody muted", func(t *testing.T) {
		s := outage(t)
		was := s.store.All()
		for _, app := range []string{"a", "b", "new"} {
			s.see(30*time.Hour, failsOfGit(app), Waiting)
		}
		s.see(30*time.Hour+time.Minute, failsOfGit("new"), Grouped)
		o := s.store.Of(named("new"))
		if !o.Outage() || o.Muted != nil || slices.ContainsFunc(was, func(i *Incident) bool { return i.ID == o.ID }) {
			t.Errorf("outage %v, muted %v, in the thread of the former one", o.Outage(), o.Muted)
		}
	})
}

// TestAMuteHoldsOverAnotherErrorInTurn: a program may fail of one error at one start and of another at the next.
func TestAMuteHoldsOverAnotherErrorInTurn(t *testing.T) {
	crash := func(module string) Seen {
		seen := fails("pay", "health/crash-loop", "")
		seen.Report.Findings[0].Says.Text = "No module named " + module
		return seen
	}
	s := opened(t)
	s.see(time.Hour, crash("boto3"), SeenMeanwhile)
	s.see(time.Hour+time.Minute, crash("boto3"), CauseChanged)
	s.see(time.Hour+10*time.Minute, crash("psycopg2"), SeenMeanwhile)
	s.see(time.Hour+11*time.Minute, crash("psycopg2"), CauseChanged)
	s.mute(2*time.Hour, "pay", 24*time.Hour)
	for at := 2 * time.Hour; at < 9*time.Hour; at += 20 * time.Minute {
		s.see(at+time.Minute, crash("boto3"), EvidenceChanged)
		if out := s.see(at+11*time.Minute, crash("boto3"), Nothing); out.Again != 5*time.Minute {
			t.Errorf("look again in %v", out.Again)
		}
		s.see(at+12*time.Minute, crash("psycopg2"), EvidenceChanged)
		if i := s.store.Of(named("pay")); i.Silenced() == nil {
			t.Fatalf("no longer muted after %v", at)
		}
		s.told()
	}
	s.see(10*time.Hour, crash("boto3"), EvidenceChanged)
	s.told()
	s.see(10*time.Hour+15*time.Minute, crash("boto3"), Reminder)
	if i := s.store.Of(named("pay")); i.Muted != nil || len(i.Outbox) != 2 || i.Outbox[0].Reason != Unmuted {
		t.Errorf("muted %+v, replies %+v, though the other error lasts", i.Muted, i.Outbox)
	}
}
