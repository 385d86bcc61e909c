package incident

import (
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/diagnose"
)

// syncing is an application whose operation runs since that time.
func syncing(app, progress string, since time.Duration) Seen {
	s := progressing(app)
	s.Report.Progress = progress
	s.Report.Context = diagnose.Context{Phase: "Running", Since: morning.Add(since)}
	return s
}

func TestRootMessageFollowsARunningOperation(t *testing.T) {
	s := opened(t)
	for _, step := range []string{"syncing 3f2a91c: 1 of 6 resources applied", "syncing 3f2a91c: 4 of 6 resources applied"} {
		out := s.see(5*time.Minute, syncing("pay", step, 4*time.Minute), Nothing)
		i := s.store.Of(named("pay"))
		if i.Progress != step || len(i.Outbox) != 0 || len(out.Touched) != 1 || out.Again != 5*time.Second {
			t.Errorf("progress %q, replies %v, touched %v, look again in %v", i.Progress, i.Outbox, out.Touched, out.Again)
		}
	}
	if out := s.see(5*time.Minute, syncing("pay", "syncing 3f2a91c: 4 of 6 resources applied", 4*time.Minute), Nothing); len(out.Touched) != 0 {
		t.Errorf("touched %v although nothing is new", out.Touched)
	}
	// A retry of what fails is followed, too.
	again := fails("pay", hookFailed, refused)
	again.Report.Progress = "syncing 3f2a91c, retry 2 of 5"
	again.Report.Context.Since = morning.Add(6 * time.Minute)
	if out := s.see(7*time.Minute, again, Nothing); out.Again != 5*time.Second || s.store.Of(named("pay")).Progress != again.Report.Progress {
		t.Errorf("look again in %v, progress %q", out.Again, s.store.Of(named("pay")).Progress)
	}
	s.see(8*time.Minute, well("pay"), Holding)
	if i := s.store.Of(named("pay")); i.Progress != "" {
		t.Errorf("after it ended the progress is %q", i.Progress)
	}
}

func TestOperationThatHangsIsNotFollowedClosely(t *testing.T) {
	s := opened(t)
	if out := s.see(2*time.Hour, syncing("pay", "syncing", time.Hour), Nothing); out.Again != 30*time.Second {
		t.Errorf("look again in %v", out.Again)
	}
}

func TestIncidentIsFollowedWhileAnActionIsDone(t *testing.T) {
	s := opened(t)
	r := s.asked("act-1")
	for state, want := range map[action.State]time.Duration{
		action.Waiting: 3*time.Hour + 56*time.Minute, action.Ready: 5 * time.Second, action.Running: 5 * time.Second,
	} {
		s.store.entries[r.Place.Incident].Actions = nil
		r.State = state
		s.store.Show(r, morning.Add(2*time.Minute))
		if out := s.see(5*time.Minute, fails("pay", hookFailed, refused), Nothing); out.Again != want {
			t.Errorf("%s: look again in %v, want %v", state, out.Again, want)
		}
	}
	r.State = action.Done
	s.store.Show(r, morning.Add(2*time.Minute))
	if out := s.see(5*time.Minute, fails("pay", hookFailed, refused), Nothing); out.Again < time.Hour {
		t.Errorf("after the action look again in %v", out.Again)
	}
}

// TestADryRunRecoversNothing: Argo CD writes it down in place of the sync that failed.
func TestADryRunRecoversNothing(t *testing.T) {
	s := opened(t)
	tried := well("pay")
	tried.Report.Context.DryRun, tried.Report.Context.Revision = true, s.store.Of(named("pay")).Report.Context.Revision
	s.see(5*time.Minute, tried, Nothing)
	s.see(10*time.Minute, tried, Nothing)
	drifted := fails("pay", "drift/autosync-off", "out of sync")
	drifted.Report.Context = tried.Report.Context
	s.see(11*time.Minute, drifted, Nothing)
	s.see(40*time.Minute, drifted, Nothing)
	if i := s.store.Of(named("pay")); i.Cause.Rule != hookFailed || len(i.Outbox) != 0 {
		t.Errorf("it fails of %s now, replies %v", i.Cause.Rule, i.Outbox)
	}
	sick := fails("pay", "health/crash-loop", "panic")
	sick.Report.Context = tried.Report.Context
	s.see(41*time.Minute, sick, SeenMeanwhile) // that is seen whatever was tried

	s = newStory(t)
	s.see(0, fails("pay", "apply/forbidden", "x"), Waiting)
	s.see(time.Minute, fails("pay", "apply/forbidden", "x"), Opened)
	tried.Report.Context.Revision = "9c1e0d20000000000000000000000000000000bb"
	s.see(43*time.Minute, tried, Holding) // another commit
}

// TestAHookIsNotWellUntilItRanAgain: a dry run, a sync of selected resources and one that only applies succeed without it, and a commit
// elsewhere changes nothing about that.
func TestAHookIsNotWellUntilItRanAgain(t *testing.T) {
	s := opened(t)
	without := well("pay")
	without.Report.Context.HooksSkipped = true
	s.see(5*time.Minute, without, Nothing)
	without.Report.Context.Revision = "9c1e0d20000000000000000000000000000000bb"
	s.see(40*time.Minute, without, Nothing)
	s.see(41*time.Minute, well("pay"), Holding)
	s.see(42*time.Minute, well("pay"), RecoveredNow)

	s = newStory(t)
	s.see(0, fails("pay", "apply/forbidden", "x"), Waiting)
	s.see(time.Minute, fails("pay", "apply/forbidden", "x"), Opened)
	s.see(5*time.Minute, without, Holding) // it was no hook that failed
}

// TestASyncThatTakesLong is told once it has lasted for as long as the policy says of it, counted from its start. While an incident is open it
// is no other cause: it may be the repair. That the next one takes long as well is not a failure that is back.
func TestASyncThatTakesLong(t *testing.T) {
	long := progressing("pay")
	long.Report.Context.Since = morning.Add(-6 * time.Minute)
	long.Report.Findings = []diagnose.Finding{
		{Rule: "render/note", Role: diagnose.RoleNote},
		{Rule: "operation/in-progress", Role: diagnose.RoleNote, Kind: diagnose.KindOverdue},
	}
	s := newStory(t)
	s.store.policy.OpenAfter = func(string) time.Duration { return 15 * time.Minute }
	if out := s.see(0, long, Waiting); out.Again != 9*time.Minute {
		t.Errorf("look again after %v", out.Again)
	}
	s.see(9*time.Minute, long, Opened)
	s.see(10*time.Minute, progressing("pay"), Nothing)
	s.see(11*time.Minute, well("pay"), Holding)
	s.see(12*time.Minute, well("pay"), RecoveredNow)
	s.see(20*time.Minute, long, Opened)
	if all := s.store.All(); len(all) != 2 {
		t.Errorf("%d incidents, want one for each sync", len(all))
	}

	s = opened(t)
	s.see(30*time.Minute, long, Nothing)
	s.see(time.Hour, long, Nothing)
	if i := s.store.Of(named("pay")); i.Cause.Rule != hookFailed || len(i.Outbox) != 0 {
		t.Errorf("it fails of %s now, replies %v", i.Cause.Rule, i.Outbox)
	}
}
