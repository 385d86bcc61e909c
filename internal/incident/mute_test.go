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
