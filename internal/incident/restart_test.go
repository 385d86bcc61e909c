package incident

import (
	"slices"
	"testing"
	"time"
)

// TestOutageThatWasWrittenAloneTakesInItsMembers: the bot was killed when the journal held the outage and not yet that
// the applications' own incidents have joined it.
func TestOutageThatWasWrittenAloneTakesInItsMembers(t *testing.T) {
	s := newStory(t)
	for _, app := range []string{"a", "b"} {
		s.see(0, failsOfGit(app), Waiting)
		s.see(time.Minute, failsOfGit(app), Opened)
	}
	s.told()
	held := s.store.All()
	s.see(2*time.Minute, failsOfGit("c"), Waiting)
	s.see(3*time.Minute, failsOfGit("c"), Grouped)
	s.told()
	outage := s.store.Of(named("c"))
	again := NewStore(policy(), append(held, outage))
	for _, i := range again.All() {
		if !i.Outage() && (i.Phase != Joined || i.JoinedLink != outage.Thread.Permalink || len(i.Outbox) != 1) {
			t.Errorf("%s is %s and goes on at %q", i.ID, i.Phase, i.JoinedLink)
		}
	}
	if n := len(again.Failing()); n != 1 {
		t.Errorf("%d incidents go on, want the outage", n)
	}
}

// TestAnApplicationThatHasAThreadOfItsOwnIsNotInTheOutage: the bot was killed when the journal held that thread, and not yet that the
// application has left the outage.
func TestAnApplicationThatHasAThreadOfItsOwnIsNotInTheOutage(t *testing.T) {
	s := outageOf(t)
	before := s.store.All()
	s.see(10*time.Minute, fails("a", hookFailed, refused), Waiting)
	s.see(11*time.Minute, fails("a", hookFailed, refused), Opened)
	again := &story{t, NewStore(policy(), append(before, s.store.Of(named("a"))))}
	if i := again.store.Of(named("a")); i.Outage() {
		t.Errorf("it is told in %s", i.ID)
	}
	again.see(12*time.Minute, well("a"), Holding)
	again.see(13*time.Minute, well("a"), RecoveredNow)
	if n := len(again.store.Failing()); n != 1 {
		t.Errorf("%d incidents go on, want the outage of the others", n)
	}
}

// TestJoinedIncidentLearnsWhereItGoesOn: the bot was killed when the journal held the link of the outage, and not yet that
// of the incident which has joined it.
func TestJoinedIncidentLearnsWhereItGoesOn(t *testing.T) {
	held := outageOf(t).store.All()
	for _, i := range held {
		i.JoinedLink, i.Outbox = "", nil
	}
	for _, i := range NewStore(policy(), held).All() {
		if i.Phase == Joined && (i.JoinedLink == "" || len(i.Outbox) != 1) {
			t.Errorf("%s does not say where it goes on", i.ID)
		}
	}
}

// TestChannelThatSlackRefusedIsLeftForTheRightOne: somebody has put the name right in the configuration.
func TestChannelThatSlackRefusedIsLeftForTheRightOne(t *testing.T) {
	right := policy()
	right.Channel = func(App, string) string { return "C-right" }
	for _, apps := range [][]string{{"a"}, {"a", "b", "c"}} {
		s := newStory(t)
		for _, app := range apps {
			s.store.Observe(failsOfGit(app), morning)
		}
		for _, app := range apps {
			s.store.Observe(failsOfGit(app), morning.Add(time.Minute))
		}
		held := s.store.All()
		for _, i := range held {
			i.Trouble = "chat.postMessage: channel_not_found"
		}
		again := NewStore(right, held)
		for _, app := range apps {
			again.Observe(failsOfGit(app), morning.Add(time.Hour))
		}
		for _, i := range again.All() {
			if i.Channel != "C-right" {
				t.Errorf("%d applications are told in %s", len(apps), i.Channel)
			}
		}
	}
	s := opened(t)
	again := NewStore(right, s.store.All())
	again.Observe(fails("pay", hookFailed, refused), morning.Add(time.Hour))
	if i := again.Of(named("pay")); i.Channel != "C-shop" {
		t.Errorf("an incident that has a thread has moved to %s", i.Channel)
	}
}

// TestIncidentThatIsBeingForgottenDoesNotComeBack: the journal may be down when it expires.
func TestIncidentThatIsBeingForgottenDoesNotComeBack(t *testing.T) {
	s := opened(t)
	was := s.store.Of(named("pay")).ID
	s.see(2*time.Minute, well("pay"), Holding)
	s.see(3*time.Minute, well("pay"), RecoveredNow)
	s.store.policy.ReopenWithin = 60 * 24 * time.Hour
	s.store.expired(morning.Add(31 * 24 * time.Hour))
	s.see(31*24*time.Hour, fails("pay", hookFailed, refused), Waiting)
	s.see(31*24*time.Hour+time.Minute, fails("pay", hookFailed, refused), Opened)
	if i := s.store.Of(named("pay")); i.ID == was {
		t.Error("it goes on in an entry that is about to be deleted")
	}
}

// TestAnIncidentThatWaitedForAnOutageIsNotItsApplications: the bot was killed when the journal held the outage, and still the incident of
// an application that had only waited. One that a thread was reopened instead of is left over in the same way.
func TestAnIncidentThatWaitedForAnOutageIsNotItsApplications(t *testing.T) {
	s := outageOf(t)
	waited := begin(failsOfGit("a"), CauseOf(failsOfGit("a").Report), policy(), morning)
	again := NewStore(policy(), append(s.store.All(), waited))
	if n := len(again.Failing()); n != 1 {
		t.Errorf("%d incidents go on, want the outage", n)
	}
	if ids, _ := again.unsaved(); !slices.Contains(ids, waited.ID) {
		t.Errorf("%q are written at the start: it is not deleted", ids)
	}

	s = opened(t)
	waited = begin(fails("pay", "health/missing", "x"), CauseOf(fails("pay", "health/missing", "x").Report), policy(), morning.Add(time.Hour))
	again = NewStore(policy(), append(s.store.All(), waited))
	if out := again.Observe(fails("pay", hookFailed, refused), morning.Add(2*time.Hour)); out.ID == waited.ID || out.Reason != Nothing {
		t.Errorf("%s in %s", out.Reason, out.ID)
	}
}

// TestAnOldEntrySaysWhatItWasAbout: the release before stored no announced cause.
func TestAnOldEntrySaysWhatItWasAbout(t *testing.T) {
	s := newStory(t)
	s.see(0, fails("a", hookFailed, refused), Waiting)
	s.see(time.Minute, fails("a", hookFailed, refused), Opened)
	s.told()
	held := s.store.All()
	for _, i := range held {
		i.Announced, i.Told = Announced{}, nil
	}
	s.store = NewStore(policy(), held)
	s.see(2*time.Minute, fails("a", "health/degraded", "x"), SeenMeanwhile)
	s.see(3*time.Minute, fails("a", "health/degraded", "x"), CauseChanged)
	for _, i := range s.store.All() {
		if r := i.Outbox[len(i.Outbox)-1]; r.Was == "" {
			t.Errorf("reply %+v", r)
		}
	}
}
