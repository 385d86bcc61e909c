package incident

import (
	"testing"
	"time"
)

// rejected is the repository when it fails of another cause.
func rejected() SeenConnection {
	c := repository(false)
	r := *fails("pay", "render/git-auth", "authentication required").Report
	r.App = App{Instance: "prod"}
	r.Findings[0].Shared = git
	c.Report = &r
	return c
}

// replies are the reasons of all that is said in threads after their first messages.
func replies(s *Store) (all []Reason) {
	for _, i := range s.All() {
		for _, r := range i.Outbox {
			all = append(all, r.Reason)
		}
	}
	return all
}

// TestAConnectionWhoseCauseAlternatesIsNotMovedForEver: it was never connected, and nobody is told so.
func TestAConnectionWhoseCauseAlternatesIsNotMovedForEver(t *testing.T) {
	for _, each := range []int{1, 2, 5} {
		s, now := warned(t, policy())
		for n := range 120 {
			now = now.Add(time.Minute)
			c := rejected()
			if n/each%2 == 1 {
				c = repository(false)
			}
			s.ObserveConnections("prod", bothKinds, []SeenConnection{c}, now)
		}
		if said := replies(s); len(said) > 1 {
			t.Errorf("another cause every %d min: %v", each, said)
		}
		if open := (&observation{Store: s, policy: s.policy, now: now}).openConnections("prod"); len(open) != 1 || len(open[0].Disconnected()) != 1 {
			t.Errorf("another cause every %d min: %d are open", each, len(open))
		}
	}
}

// TestAConnectionThatFailsOfAnotherCauseIsMovedOnce: when the other one has lasted. It goes back after it has lasted for longer, and was not
// healthy meanwhile.
func TestAConnectionThatFailsOfAnotherCauseIsMovedOnce(t *testing.T) {
	s, now := warned(t, policy())
	look := func(c SeenConnection) int {
		now = now.Add(time.Minute)
		return len(s.ObserveConnections("prod", bothKinds, []SeenConnection{c}, now))
	}
	if n := look(rejected()); n > 0 {
		t.Errorf("%d change at the first answer", n)
	}
	if n := look(rejected()); n != 2 {
		t.Errorf("%d change at the second answer, want that which it leaves and the new one", n)
	}
	for range 15 {
		if n := look(repository(false)); n > 0 {
			t.Errorf("it goes back at %v", now)
		}
	}
	if n := look(repository(false)); n != 2 {
		t.Errorf("%d change when the first cause is back for good", n)
	}
	for _, i := range s.All() {
		for _, r := range i.Outbox {
			if r.Reason == Reopened && r.Lasted != 0 {
				t.Errorf("it is said to have been healthy for %v", r.Lasted)
			}
		}
	}
}
