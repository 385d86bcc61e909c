package incident

import (
	"slices"
	"testing"
	"time"
)

// quiet is a story in which what fails already is listed after an hour without a bot.
func quiet(t *testing.T, held ...*Incident) *story {
	t.Helper()
	p := policy()
	p.QuietAfter = time.Hour
	return &story{t, NewStore(p, held)}
}

// watch passes time, and has what is to be saved saved.
func (s *story) watch(after time.Duration) (touched []string) {
	s.t.Helper()
	touched = s.store.KeepWatch(morning.Add(after))
	for _, id := range touched {
		if t, ok := s.store.toSave(id); ok {
			t.Version = "1"
			s.store.saved(t)
		}
	}
	return touched
}

// onRecord is what the journal holds.
func (s *story) onRecord() (all []*Incident) {
	for _, e := range s.store.entries {
		if e.onRecord != nil {
			all = append(all, e.onRecord.Clone())
		}
	}
	return all
}

// threads are how many are told, without lists.
func (s *story) threads() int {
	return len(slices.DeleteFunc(s.store.All(), (*Incident).Backlog))
}

func TestTheListIsPostedWhenAllAreRead(t *testing.T) {
	s := quiet(t)
	s.store.FirstLook("prod", []App{named("a"), named("b")}, morning)
	s.see(time.Second, fails("a", "hook/job-failed", "exit 1"), Listed)
	if touched := s.watch(5 * time.Second); len(touched) > 0 {
		t.Errorf("touched %v before b is read", touched)
	}
	s.see(6*time.Second, fails("b", "hook/job-failed", "exit 1"), Listed)
	s.watch(10 * time.Second)
	all := s.store.All()
	if len(all) != 1 || !all[0].Backlog() || len(all[0].Members) != 2 {
		t.Fatalf("told %+v", all)
	}
}

func TestOneThatCannotBeReadDoesNotHoldUpTheList(t *testing.T) {
	s := quiet(t)
	s.store.FirstLook("prod", []App{named("a"), named("locked")}, morning)
	s.see(time.Second, fails("a", "hook/job-failed", "exit 1"), Listed)
	s.watch(time.Minute + time.Second)
	if n := len(s.store.All()); n != 1 {
		t.Fatalf("%d told after a minute, want the list", n)
	}
	s.see(2*time.Minute, fails("locked", "hook/job-failed", "exit 1"), Listed)
	if all := s.store.All(); len(all) != 1 || len(all[0].Members) != 2 {
		t.Errorf("told %+v, want one list of both", all)
	}
}

func TestTheListIsOnRecordBeforeTheWatchIs(t *testing.T) {
	s := quiet(t)
	s.store.FirstLook("prod", []App{named("a")}, morning)
	s.see(time.Second, fails("a", "hook/job-failed", "exit 1"), Listed)
	first := s.store.KeepWatch(morning.Add(5 * time.Second)) // and it is not saved in time
	again := s.store.KeepWatch(morning.Add(10 * time.Second))
	if len(first) != 1 || len(again) != 0 {
		t.Errorf("touched %v and %v, want the list only", first, again)
	}
}

func TestWhatBeganBeforeALongStopKeepsItsThread(t *testing.T) {
	s := quiet(t)
	s.store.FirstLook("prod", nil, morning)
	s.watch(time.Second)
	s.see(time.Minute, fails("a", "hook/job-failed", "exit 1"), Waiting)
	s.see(2*time.Minute, fails("a", "hook/job-failed", "exit 1"), Opened)
	s.told()

	s = quiet(t, s.onRecord()...)
	s.store.FirstLook("prod", []App{named("a"), named("b")}, morning.Add(48*time.Hour))
	s.see(48*time.Hour, fails("a", "hook/job-failed", "exit 1"), Reminder)
	s.see(48*time.Hour, fails("b", "hook/job-failed", "exit 1"), Listed)
}

func TestAnotherArgoCDHasItsOwnFirstDay(t *testing.T) {
	s := quiet(t)
	s.store.FirstLook("prod", nil, morning)
	s.watch(time.Second)

	s = quiet(t, s.onRecord()...)
	elsewhere := fails("b", "hook/job-failed", "exit 1")
	elsewhere.App.Instance = "staging"
	s.store.FirstLook("prod", []App{named("a")}, morning.Add(5*time.Minute))
	s.store.FirstLook("staging", []App{elsewhere.App}, morning.Add(5*time.Minute))
	s.see(5*time.Minute, fails("a", "hook/job-failed", "exit 1"), Waiting)
	s.see(5*time.Minute, elsewhere, Listed)
}

func TestWhatBeginsAfterTheFirstLookGetsAThread(t *testing.T) {
	s := quiet(t)
	s.store.FirstLook("prod", []App{named("rolling")}, morning)
	s.see(time.Second, progressing("rolling"), Nothing)
	for _, app := range []string{"rolling", "new"} {
		s.see(time.Minute, fails(app, "hook/job-failed", "exit 1"), Waiting)
		s.see(2*time.Minute, fails(app, "hook/job-failed", "exit 1"), Opened)
	}
	young := fails("young", "hook/job-failed", "exit 1") // Argo CD dates it
	young.Report.Context.Since = morning.Add(-10 * time.Second)
	s = quiet(t)
	s.store.FirstLook("prod", []App{young.App}, morning)
	s.see(time.Second, young, Waiting)
	s.see(time.Minute, young, Opened)
}

func TestWithoutQuietAfterEachGetsItsThread(t *testing.T) {
	s := newStory(t)
	s.store.FirstLook("prod", []App{named("a")}, morning)
	s.see(0, fails("a", "hook/job-failed", "exit 1"), Waiting)
	s.see(time.Minute, fails("a", "hook/job-failed", "exit 1"), Opened)
	if touched := s.watch(time.Hour); len(touched) > 0 {
		t.Errorf("touched %v, and nobody wants to know how long the bot was away", touched)
	}
}

func TestTheWatchGoesOnRecordEveryFewMinutes(t *testing.T) {
	s := quiet(t)
	s.store.FirstLook("prod", nil, morning)
	writes := 0
	for after := time.Duration(0); after < time.Hour; after += watchEvery {
		writes += len(s.watch(after))
	}
	if writes != 12 {
		t.Errorf("%d writes in an hour", writes)
	}
	if n := s.threads(); n != 0 || len(s.store.All()) != 0 {
		t.Errorf("%d told of it", len(s.store.All()))
	}
}

func TestTheListKnowsWhoWantsWhichThread(t *testing.T) {
	s := quiet(t)
	s.store.FirstLook("prod", []App{named("a"), named("b"), named("c")}, morning)
	s.see(0, failsOfGit("a"), Listed)
	s.see(0, failsOfGit("b"), Listed)
	s.see(0, fails("c", "drift/manual-edit", "replicas"), Listed)
	s.watch(5 * time.Second)
	s.told()
	list := s.store.All()[0]
	lines := list.Lines()
	if len(lines) != 2 || len(lines[0].Members) != 2 {
		t.Fatalf("lines %+v", lines)
	}
	// Two of a shared cause are no outage by themselves, but somebody asked for one thread.
	if apps, _ := s.store.OpenThreads(list.ID, lines[0].ID, morning.Add(time.Minute)); len(apps) != 2 {
		t.Fatalf("opens %v", apps)
	}
	if apps, _ := s.store.OpenThreads(list.ID, lines[0].ID, morning.Add(time.Minute)); len(apps) != 0 {
		t.Errorf("opens %v a second time", apps)
	}
	s.see(time.Minute, failsOfGit("a"), Waiting)
	s.see(time.Minute, failsOfGit("b"), Waiting)
	s.see(time.Minute+3*time.Second, failsOfGit("a"), Grouped)
	s.see(time.Minute+3*time.Second, failsOfGit("b"), Nothing)
	if n := s.threads(); n != 1 {
		t.Errorf("%d threads, want one", n)
	}
	// Of drift the first 15 minutes are not told, unless somebody asks.
	s.store.OpenThreads(list.ID, lines[1].ID, morning.Add(2*time.Minute))
	s.see(2*time.Minute, fails("c", "drift/manual-edit", "replicas"), Opened)
	for _, i := range s.store.All() {
		if i.Backlog() && (i.Phase != Recovered || len(i.Listed()) > 0) {
			t.Errorf("the list is not over: %+v", i)
		}
	}
}

// TestWhatIsWrongOnlyLatelyIsNotListed, although the last operation was long ago, or no date of it is known.
func TestWhatIsWrongOnlyLatelyIsNotListed(t *testing.T) {
	s := quiet(t)
	s.store.FirstLook("prod", []App{named("a")}, morning)
	seen := fails("a", "health/degraded", "x")
	seen.Report.Context.Since = morning.Add(-48 * time.Hour)
	seen.Report.Context.CauseSince = morning.Add(-10 * time.Second)
	s.see(time.Second, seen, Waiting)
}

func TestARefusedListOfNothingIsForgotten(t *testing.T) {
	s := quiet(t)
	s.store.FirstLook("prod", []App{named("a"), named("b")}, morning)
	s.see(time.Second, fails("a", "hook/job-failed", "exit 1"), Listed)
	s.see(time.Second, fails("b", "hook/job-failed", "exit 1"), Listed)
	s.watch(5 * time.Second)
	for _, e := range s.store.entries {
		if e.Backlog() {
			e.Trouble = "channel_not_found"
		}
	}
	s.see(time.Minute, well("a"), Holding)
	s.see(3*time.Minute, well("a"), RecoveredNow)
	s.store.policy.Channel = func(App, string) string { return "C-other" }
	s.see(4*time.Minute, fails("b", "hook/job-failed", "exit 1"), Listed)
	for _, e := range s.store.entries {
		if e.Backlog() && e.Phase == Open && !e.dropped && len(e.Listed()) == 0 {
			t.Errorf("a list of nothing stays open: %+v", e.Incident)
		}
	}
}

// TestWhatIsListedLateIsOnRecordBeforeTheWatchIs, too: after a crash it would be told in a thread of its own.
func TestWhatIsListedLateIsOnRecordBeforeTheWatchIs(t *testing.T) {
	s := quiet(t)
	s.store.FirstLook("prod", []App{named("a"), named("slow")}, morning)
	s.see(time.Second, fails("a", "hook/job-failed", "exit 1"), Listed)
	s.watch(time.Minute + time.Second) // the list is posted without the slow one
	list := s.see(2*time.Minute, fails("slow", "hook/job-failed", "exit 1"), Listed)
	if touched := s.store.KeepWatch(morning.Add(2*time.Minute + time.Second)); len(touched) > 0 {
		t.Errorf("touched %v before %s is saved", touched, list.ID)
	}
	saved, _ := s.store.toSave(list.ID)
	s.store.saved(saved)
	if touched := s.watch(2*time.Minute + 5*time.Second); len(touched) != 1 {
		t.Errorf("touched %v, want the watch", touched)
	}
}
