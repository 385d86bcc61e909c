package incident

import (
	"testing"
	"time"
)

// TestAnArgoCDThatIsNoLongerConfiguredIsNoLongerWatched: what is about it ends, is never called healthy, and nothing else changes.
func TestAnArgoCDThatIsNoLongerConfiguredIsNoLongerWatched(t *testing.T) {
	s := outageOf(t) // of instance prod
	s.see(4*time.Minute, well("a"), MembersChanged)
	s.see(4*time.Minute, fails("waits", hookFailed, refused), Waiting)
	other := fails("other", hookFailed, refused)
	other.App.Instance, other.Report.App.Instance = "staging", "staging"
	s.see(0, other, Waiting)
	s.see(time.Minute, other, Opened)
	s.told()
	outage := s.store.Of(named("b")).ID
	touched := s.store.Unwatch([]string{"staging"}, morning.Add(10*time.Minute))
	if len(touched) != 1 || touched[0] != outage { // what waits was never written
		t.Errorf("to be saved and told: %v, want %s", touched, outage)
	}
	for _, i := range s.store.All() {
		switch {
		case i.ID == outage:
			if !i.Unwatched() || len(i.Well()) != 0 || i.Outbox[len(i.Outbox)-1].Reason != Unwatched || i.Expires.IsZero() {
				t.Errorf("the outage is %s, replies %+v", i.Phase, i.Outbox)
			}
		case i.Phase == Joined:
		case i.Members[0].App != other.App || i.Phase != Open:
			t.Errorf("%s is %s", i.ID, i.Phase)
		}
	}
	if live := s.store.LiveApps(); len(live) != 1 || live[0] != other.App {
		t.Errorf("in progress: %v", live)
	}
	if again := s.store.Unwatch([]string{"staging"}, morning.Add(20*time.Minute)); len(again) != 0 {
		t.Errorf("it ends twice: %v", again)
	}
	// Watched again, it goes on in the same thread, and was not healthy meanwhile.
	s.see(30*time.Minute, failsOfGit("b"), Waiting)
	s.see(31*time.Minute, failsOfGit("b"), Opened)
}

func TestTheWatchOfAnArgoCDThatIsNoLongerConfiguredIsForgotten(t *testing.T) {
	p := policy()
	p.QuietAfter = time.Hour
	s := NewStore(p, nil)
	s.FirstLook("prod", nil, morning)
	watching := s.KeepWatch(morning.Add(time.Minute))
	if len(watching) != 1 {
		t.Fatalf("it watches %v", watching)
	}
	if gone := s.Unwatch(nil, morning.Add(2*time.Minute)); len(gone) != 1 || gone[0] != watching[0] {
		t.Errorf("to be forgotten: %v, want %v", gone, watching)
	}
}
