package incident

import (
	"fmt"
	"testing"
	"time"
)

const git = "git host git.example.com"

func TestThirdApplicationMakesAnOutage(t *testing.T) {
	s := newStory(t)
	for i, app := range []string{"a", "b", "c"} {
		s.see(time.Duration(i)*time.Second, failsOfGit(app), Waiting)
	}
	// The first is told alone: the others have not lasted. No: they wait, and are counted all the same.
	out := s.see(time.Minute, failsOfGit("a"), Grouped)
	s.see(time.Minute+time.Second, failsOfGit("b"), Nothing)
	s.see(time.Minute+2*time.Second, failsOfGit("c"), Nothing)
	all := s.store.All()
	if len(all) != 1 || len(all[0].Members) != 3 || all[0].ID != out.ID || !all[0].Outage() {
		t.Fatalf("incidents %+v", all)
	}
	s.see(5*time.Minute, failsOfGit("d"), Grouped) // people know of it already
	if n := len(s.store.Of(named("d")).Members); n != 4 {
		t.Errorf("%d members", n)
	}
}

func TestTwoApplicationsAreNoOutage(t *testing.T) {
	s := newStory(t)
	for _, app := range []string{"a", "b"} {
		s.see(0, failsOfGit(app), Waiting)
		s.see(time.Minute, failsOfGit(app), Opened)
	}
	if n := len(s.store.All()); n != 2 {
		t.Errorf("%d incidents", n)
	}
}

func TestThreadsThatPeopleKnowSayWhereItGoesOn(t *testing.T) {
	s := outageOf(t)
	joined := 0
	for _, i := range s.store.All() {
		if i.Phase == Joined {
			joined++
			if i.JoinedLink == "" {
				t.Errorf("%s does not link to the outage", i.ID)
			}
		}
	}
	if joined != 2 {
		t.Errorf("%d joined, want the two that were told before", joined)
	}
}

// outageOf is one of three applications; a and b were told alone before.
func outageOf(t *testing.T) *story {
	t.Helper()
	s := newStory(t)
	for _, app := range []string{"a", "b"} {
		s.see(0, failsOfGit(app), Waiting)
		s.see(time.Minute, failsOfGit(app), Opened)
	}
	s.told()
	s.see(2*time.Minute, failsOfGit("c"), Waiting)
	s.see(3*time.Minute, failsOfGit("c"), Grouped)
	s.told()
	return s
}

func TestOutageRecoversWhenAllAreWell(t *testing.T) {
	s := outageOf(t)
	s.see(10*time.Minute, well("a"), MembersChanged)
	s.see(12*time.Minute, well("b"), MembersChanged)
	o := s.store.Of(named("c"))
	if n := len(o.Failing()); n != 1 {
		t.Errorf("%d still fail, want c", n)
	}
	s.see(13*time.Minute, failsOfGit("a"), MembersChanged) // again
	s.see(14*time.Minute, well("a"), MembersChanged)
	s.see(15*time.Minute, well("c"), MembersChanged)
	out := s.see(16*time.Minute, well("c"), RecoveredNow)
	s.see(17*time.Minute, well("a"), Nothing)
	for _, i := range s.store.All() {
		if i.ID == out.ID && (i.Phase != Recovered || !i.RecoveredAt.Equal(morning.Add(15*time.Minute))) {
			t.Errorf("phase %s, recovered at %v", i.Phase, i.RecoveredAt)
		}
	}
	if apps := s.store.LiveApps(); len(apps) != 0 {
		t.Errorf("still live: %v", apps)
	}
}

func TestApplicationThatFailsOfSomethingElseLeavesTheOutage(t *testing.T) {
	s := outageOf(t)
	s.see(10*time.Minute, fails("a", hookFailed, refused), Waiting)
	s.see(11*time.Minute, fails("a", hookFailed, refused), Opened)
	if i := s.store.Of(named("a")); i.Outage() || i.Cause.Rule != hookFailed {
		t.Errorf("a is told in %+v", i)
	}
	if m := s.store.Of(named("b")).Member(named("a")); m.Note != NoteOtherCause || m.Well.IsZero() {
		t.Errorf("in the table a is %+v", m)
	}
}

func TestOutageThatComesBackGoesOnInItsThread(t *testing.T) {
	s := outageOf(t)
	was := s.store.Of(named("c"))
	for _, app := range []string{"a", "b", "c"} {
		s.see(10*time.Minute, well(app), MembersChanged)
	}
	s.see(11*time.Minute, well("a"), RecoveredNow)
	s.told()
	for _, app := range []string{"a", "b", "c"} {
		s.see(time.Hour, failsOfGit(app), Waiting)
	}
	s.see(time.Hour+time.Minute, failsOfGit("a"), Grouped)
	now := s.store.Of(named("b"))
	if now == nil || now.ID != was.ID || now.Phase != Open || now.Thread.TS != was.Thread.TS || len(now.Outbox) != 1 || now.Outbox[0].Reason != Reopened {
		t.Errorf("told in %+v", now)
	}
}

func TestTeamsWithChannelsOfTheirOwnHaveOutagesOfTheirOwn(t *testing.T) {
	s := newStory(t)
	for i := range 6 {
		seen := failsOfGit(fmt.Sprintf("app-%d", i))
		seen.Report.Context.Project = []string{"shop", "bank"}[i%2]
		s.see(0, seen, Waiting)
	}
	for i := range 6 {
		seen := failsOfGit(fmt.Sprintf("app-%d", i))
		seen.Report.Context.Project = []string{"shop", "bank"}[i%2]
		s.store.Observe(seen, morning.Add(time.Minute))
	}
	if all := s.store.All(); len(all) != 2 || len(all[0].Members) != 3 || len(all[1].Members) != 3 {
		t.Errorf("%d incidents", len(all))
	}
}

// TestStoreIsTheSameAfterARestart: what the journal holds is all that a Store needs.
func TestStoreIsTheSameAfterARestart(t *testing.T) {
	s := outageOf(t)
	again := &story{t, NewStore(policy(), s.store.All())}
	again.see(10*time.Minute, well("a"), MembersChanged)
	again.see(11*time.Minute, failsOfGit("d"), Grouped)
	if n := len(again.store.Of(named("c")).Members); n != 4 {
		t.Errorf("%d members after the restart", n)
	}
	if i := again.store.ByThread("C-shop", s.store.Of(named("c")).Thread.TS); i == nil {
		t.Error("the thread is not known any more")
	}
}

func TestStormIsOneIncident(t *testing.T) {
	const apps = 5000
	s := newStory(t)
	start := time.Now()
	for i := range apps {
		s.store.Observe(failsOfGit(fmt.Sprintf("app-%04d", i)), morning)
	}
	for i := range apps {
		s.store.Observe(failsOfGit(fmt.Sprintf("app-%04d", i)), morning.Add(time.Minute))
	}
	t.Logf("%d applications: %v", apps, time.Since(start))
	if all := s.store.All(); len(all) != 1 || len(all[0].Members) != apps {
		t.Errorf("%d incidents", len(all))
	}
}

// TestOutageIsOverWhenNobodyIsLeftInIt: nobody would look at it any more.
func TestOutageIsOverWhenNobodyIsLeftInIt(t *testing.T) {
	s := outageOf(t)
	id := s.store.Of(named("c")).ID
	s.see(10*time.Minute, Seen{App: named("a"), Gone: true}, MembersChanged)
	s.see(11*time.Minute, fails("b", hookFailed, refused), Waiting)
	s.see(12*time.Minute, fails("c", hookFailed, refused), Waiting)
	for _, i := range s.store.All() {
		if i.ID == id && (i.Phase != Recovered || !i.RecoveredAt.Equal(morning.Add(12*time.Minute))) {
			t.Errorf("it is %s, at %v", i.Phase, i.RecoveredAt)
		}
	}
}

// TestOutageIsOverWhenTheLastThatFailedLeaves: those that are well have been so for long.
func TestOutageIsOverWhenTheLastThatFailedLeaves(t *testing.T) {
	s := outageOf(t)
	s.see(10*time.Minute, well("a"), MembersChanged)
	s.see(10*time.Minute, well("b"), MembersChanged)
	s.see(20*time.Minute, Seen{App: named("c"), Gone: true}, RecoveredNow)
}

func TestOutageThatIsOverComparesNoTwoApplications(t *testing.T) {
	s := outageOf(t)
	for _, app := range []string{"a", "b", "c"} {
		s.see(10*time.Minute, well(app), MembersChanged)
	}
	s.see(11*time.Minute, well("b"), RecoveredNow)
	for _, i := range s.store.All() {
		if i.Outage() && len(i.Resolution) > 0 {
			t.Errorf("%q: it was the revision of another application", i.Resolution)
		}
	}
}

func TestOneThatFailsOfSomethingElseByNowIsNotCounted(t *testing.T) {
	s := newStory(t)
	s.see(0, failsOfGit("a"), Waiting)
	s.see(time.Minute, failsOfGit("a"), Opened)
	s.told()
	s.see(2*time.Minute, fails("a", "drift/manual-edit", "x"), SeenMeanwhile)
	s.see(2*time.Minute, failsOfGit("b"), Waiting)
	s.see(2*time.Minute, failsOfGit("c"), Waiting)
	s.see(3*time.Minute, failsOfGit("b"), Opened)
}

func TestOneThatIsWellByNowIsNotCounted(t *testing.T) {
	s := newStory(t)
	s.see(0, failsOfGit("a"), Waiting)
	s.see(time.Minute, failsOfGit("a"), Opened)
	s.told()
	s.see(3*time.Minute-20*time.Second, well("a"), Holding)
	s.see(2*time.Minute, failsOfGit("b"), Waiting)
	s.see(2*time.Minute, failsOfGit("c"), Waiting)
	s.see(3*time.Minute, failsOfGit("b"), Opened)
}

// TestOutageThatIsLeftEndsOnTime: one is well for less than it takes to count when the last one begins to fail of something else, or is deleted.
func TestOutageThatIsLeftEndsOnTime(t *testing.T) {
	for name, leaves := range map[string]Seen{"fails of another cause": fails("c", hookFailed, refused), "is deleted": {App: named("c"), Gone: true}} {
		t.Run(name, func(t *testing.T) {
			s := outageOf(t)
			id := s.store.Of(named("c")).ID
			s.see(10*time.Minute, well("a"), MembersChanged)
			s.see(10*time.Minute, well("b"), MembersChanged)
			out := s.store.Observe(leaves, morning.Add(10*time.Minute+30*time.Second))
			if out.Rest != named("a") || out.RestAgain != 30*time.Second {
				t.Fatalf("look at %v in %v, want a in 30s", out.Rest, out.RestAgain)
			}
			if over := s.see(11*time.Minute, well("a"), RecoveredNow); over.ID != id {
				t.Errorf("%s is over, not the outage", over.ID)
			}
		})
	}
}

// TestOutageIsDatedByItsCause: what its applications failed of before is no part of it.
func TestOutageIsDatedByItsCause(t *testing.T) {
	s := newStory(t)
	s.see(0, fails("a", hookFailed, refused), Waiting)
	s.see(time.Minute, fails("a", hookFailed, refused), Opened)
	s.see(5*time.Hour, failsOfGit("a"), SeenMeanwhile)
	s.see(5*time.Hour, failsOfGit("b"), Waiting)
	s.see(5*time.Hour, failsOfGit("c"), Waiting)
	s.see(5*time.Hour+time.Minute, failsOfGit("a"), Grouped)
	o := s.store.Of(named("a"))
	if !o.Outage() || !o.Begun().Equal(morning.Add(5*time.Hour)) {
		t.Fatalf("an outage (%v) since %v", o.Outage(), o.Begun())
	}
	for _, m := range o.Members {
		if m.Since.Before(o.Begun()) {
			t.Errorf("%s fails of it since %v, before it began", m.App.Name, m.Since)
		}
	}
	for _, app := range []string{"a", "b", "c"} {
		s.see(5*time.Hour+10*time.Minute, well(app), MembersChanged)
	}
	s.see(5*time.Hour+11*time.Minute, well("a"), RecoveredNow)
	for _, i := range s.store.All() {
		if i.ID == o.ID && i.Outbox[len(i.Outbox)-1].Lasted != 10*time.Minute {
			t.Errorf("recovered after %v", i.Outbox[len(i.Outbox)-1].Lasted)
		}
	}
}

// TestOutageThatComesBackIsDatedSinceThen: it was well in between.
func TestOutageThatComesBackIsDatedSinceThen(t *testing.T) {
	s := outageOf(t)
	for _, app := range []string{"a", "b", "c"} {
		s.see(10*time.Minute, well(app), MembersChanged)
	}
	s.see(11*time.Minute, well("a"), RecoveredNow)
	for _, app := range []string{"a", "b", "c"} {
		s.see(time.Hour, failsOfGit(app), Waiting)
	}
	s.see(time.Hour+time.Minute, failsOfGit("a"), Grouped)
	o := s.store.Of(named("b"))
	if back := o.Outbox[len(o.Outbox)-1]; !o.Begun().Equal(morning.Add(time.Hour)) || back.Reason != Reopened || back.Lasted != 50*time.Minute {
		t.Errorf("since %v, %s after %v well", o.Begun(), back.Reason, back.Lasted)
	}
}
