package incident

import (
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
	held := s.book.All()
	s.see(2*time.Minute, failsOfGit("c"), Waiting)
	s.see(3*time.Minute, failsOfGit("c"), Grouped)
	s.told()
	outage := s.book.Of(named("c"))
	again := &story{t, NewBook(policy(), append(held, outage))}
	for _, i := range again.book.All() {
		if !i.Outage() && (i.Phase != Joined || i.JoinedLink != outage.Thread.Permalink || len(i.Outbox) != 1) {
			t.Errorf("%s is %s and goes on at %q", i.ID, i.Phase, i.JoinedLink)
		}
	}
	if n := len(again.book.Failing()); n != 1 {
		t.Errorf("%d incidents go on, want the outage", n)
	}
}

// TestJoinedIncidentLearnsWhereItGoesOn: the bot was killed when the journal held the link of the outage, and not yet that
// of the incident which has joined it.
func TestJoinedIncidentLearnsWhereItGoesOn(t *testing.T) {
	held := outageOf(t).book.All()
	for _, i := range held {
		i.JoinedLink, i.Outbox = "", nil
	}
	for _, i := range NewBook(policy(), held).All() {
		if i.Phase == Joined && (i.JoinedLink == "" || len(i.Outbox) != 1) {
			t.Errorf("%s does not say where it goes on", i.ID)
		}
	}
}
