package incident

import (
	"strings"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
)

// repository is a connection that two applications depend on.
func repository(works bool) SeenConnection {
	c := SeenConnection{Connection: Connection{Instance: "prod", Kind: "repository", Address: "https://git.example.com/shop.git"}, Works: works}
	c.Dependents = []App{named("pay"), named("web")}
	if !works {
		c.Report = failsOfGit("").Report
		c.Report.App = App{Instance: "prod"}
	}
	return c
}

var bothKinds = []string{"repository", "cluster"}

// warned is a store that has told people of a repository that fails, at the time that it returns.
func warned(t *testing.T, p Policy) (s *Store, now time.Time) {
	t.Helper()
	p.ConnectionChannel = "C-shop"
	s, now = NewStore(p, nil), time.Date(2026, 11, 24, 8, 0, 0, 0, time.UTC)
	if touched := s.ObserveConnections("prod", bothKinds, []SeenConnection{repository(false)}, now); len(touched) > 0 {
		t.Fatalf("people are told at once: %v", touched)
	}
	now = now.Add(time.Minute)
	if touched := s.ObserveConnections("prod", bothKinds, []SeenConnection{repository(false)}, now); len(touched) != 1 {
		t.Fatalf("nobody is told: %v", touched)
	}
	return s, now
}

// theWarning is the only incident.
func theWarning(t *testing.T, s *Store) *Incident {
	t.Helper()
	all := s.All()
	if len(all) != 1 {
		t.Fatalf("%d incidents, want the warning", len(all))
	}
	return all[0]
}

func TestAConnectionThatNothingDependsOnWakesNobody(t *testing.T) {
	s, now := NewStore(policy(), nil), time.Date(2026, 11, 24, 8, 0, 0, 0, time.UTC)
	c := repository(false)
	c.Dependents = nil
	for range 5 {
		now = now.Add(time.Minute)
		if touched := s.ObserveConnections("prod", bothKinds, []SeenConnection{c}, now); len(touched) > 0 {
			t.Fatalf("told: %v", touched)
		}
	}
}

// TestWhatCouldNotBeReadDoesNotTurnGreen: neither a connection that nobody knows about, nor a kind that the account must not see.
func TestWhatCouldNotBeReadDoesNotTurnGreen(t *testing.T) {
	s, now := warned(t, policy())
	unknown := repository(true)
	unknown.Works = false
	for range 5 {
		now = now.Add(time.Minute)
		s.ObserveConnections("prod", bothKinds, []SeenConnection{unknown}, now)
		s.ObserveConnections("prod", []string{"cluster"}, nil, now)
		s.ObserveConnections("staging", bothKinds, nil, now)
	}
	if i := theWarning(t, s); i.Phase != Open || len(i.Disconnected()) != 1 {
		t.Errorf("%s, %d fail", i.Phase, len(i.Disconnected()))
	}
}

func TestAWarningOutlivesARestartInItsShard(t *testing.T) {
	s, now := warned(t, policy())
	p := policy()
	p.ConnectionChannel = "C-shop"
	for _, shard := range Shards([]string{"staging", "prod"}) {
		p.Shard = shard
		again := NewStore(p, []*Incident{theWarning(t, s)})
		if n, want := len(again.All()), map[string]int{"prod": 1}[shard.Name]; n != want {
			t.Errorf("the leader of %s has %d, want %d", shard.Name, n, want)
		}
		if shard.Name != "prod" {
			continue
		}
		if touched := again.ObserveConnections("prod", bothKinds, []SeenConnection{repository(false)}, now.Add(time.Minute)); len(touched) > 0 {
			t.Errorf("told again: %v", touched)
		}
		if i := theWarning(t, again); i.Phase != Open {
			t.Errorf("%s after the restart", i.Phase)
		}
		again.ObserveConnections("prod", bothKinds, []SeenConnection{repository(true)}, now.Add(2*time.Minute))
		again.ObserveConnections("prod", bothKinds, []SeenConnection{repository(true)}, now.Add(3*time.Minute))
		if i := theWarning(t, again); i.Phase != Recovered || i.howOver() != RecoveredNow {
			t.Errorf("%s, %s", i.Phase, i.howOver())
		}
	}
}

func TestAnArgoCDThatIsNoLongerWatchedEndsItsWarnings(t *testing.T) {
	s, now := warned(t, policy())
	if s.Unwatch([]string{"staging"}, now.Add(time.Hour)); !theWarning(t, s).Unwatched() {
		t.Error("its Argo CD is no longer configured")
	}
	s, now = warned(t, policy())
	if s.UnwatchConnections(now.Add(time.Hour)); !theWarning(t, s).Unwatched() {
		t.Error("connections are no longer watched")
	}
}

// TestAWarningThatHoldsEndsWhenItIsNoLongerWatched: nobody would end it when it has been well for long enough.
func TestAWarningThatHoldsEndsWhenItIsNoLongerWatched(t *testing.T) {
	for name, unwatch := range map[string]func(*Store, time.Time) []string{
		"its Argo CD":     func(s *Store, now time.Time) []string { return s.Unwatch([]string{"staging"}, now) },
		"all connections": (*Store).UnwatchConnections,
	} {
		s, now := warned(t, policy())
		now = now.Add(10 * time.Second)
		s.ObserveConnections("prod", bothKinds, []SeenConnection{repository(true)}, now)
		if touched := unwatch(s, now.Add(10*time.Second)); len(touched) != 1 || !theWarning(t, s).Unwatched() {
			t.Errorf("%s: to be told %v, it is %s", name, touched, theWarning(t, s).Phase)
		}
	}
}

// TestAnOutageThatIsPostedTakesInTheConnection: the applications failed first, and nothing new is to be told.
func TestAnOutageThatIsPostedTakesInTheConnection(t *testing.T) {
	s := outageOf(t)
	p := policy()
	s.store.policy.ConnectionChannel = p.Channel(App{}, "shop")
	before := len(s.store.All())
	s.store.ObserveConnections("prod", bothKinds, []SeenConnection{repository(false)}, morning.Add(4*time.Minute))
	if all := s.store.All(); len(all) != before {
		t.Errorf("%d incidents, %d before", len(all), before)
	}
	if i := s.store.Of(named("a")); i == nil || len(i.Connections) != 1 {
		t.Errorf("the outage does not name the connection: %+v", i)
	}
}

func TestADamagedWarningGoesOn(t *testing.T) {
	s, now := warned(t, policy())
	i := theWarning(t, s)
	if again, ok := (DamagedEntry{ID: i.ID, Rest: i}).Renewed(policy(), now); !ok || again.PostedID() != i.ID {
		t.Errorf("lost: %+v", again)
	}
}

// TestAWarningIsDrawnAnew: it has no application that could say which Argo CD it is of.
func TestAWarningIsDrawnAnew(t *testing.T) {
	s, _ := warned(t, policy())
	if got := s.Redraw("staging"); len(got) > 0 {
		t.Errorf("of another Argo CD: %v", got)
	}
	if got := s.Redraw("prod"); len(got) != 1 {
		t.Errorf("drawn anew: %v", got)
	}
}

// TestAWarningThatNothingDependsOnAnyMoreEnds: whether it works concerns nobody, and green is a claim.
func TestAWarningThatNothingDependsOnAnyMoreEnds(t *testing.T) {
	for _, known := range []bool{true, false} {
		s, now := warned(t, policy())
		c := repository(false)
		c.Dependents = nil
		if !known { // Argo CD forgets the state of a cluster without applications
			c.Report = nil
		}
		if touched := s.ObserveConnections("prod", bothKinds, []SeenConnection{c}, now.Add(time.Hour)); len(touched) != 1 {
			t.Errorf("to be saved and told: %v", touched)
		}
		if i := theWarning(t, s); i.Ended() != Unneeded || i.Connections[0].Note != NoteUnneeded {
			t.Errorf("it is %s, and ends as %s", i.Phase, i.howOver())
		}
	}
}

func TestAWarningNamesThoseThatDependOnItNow(t *testing.T) {
	s, now := warned(t, policy())
	for n, known := range []bool{true, false} {
		c := repository(false)
		c.Dependents = []App{named("shop"), named("web"), named("zoo")}[n:]
		if !known {
			c.Report = nil
		}
		now = now.Add(time.Minute)
		s.ObserveConnections("prod", bothKinds, []SeenConnection{c}, now)
		if i := theWarning(t, s); i.Dependents != 3-n || i.Examples[0] != c.Dependents[0] {
			t.Errorf("%d depend on it, first %v", i.Dependents, i.Examples[0])
		}
	}
}

// TestAConnectionThatIsRemovedIsForgotten: added again much later, it has not failed all the while.
func TestAConnectionThatIsRemovedIsForgotten(t *testing.T) {
	p := policy()
	p.ConnectionChannel = "C-shop"
	s, now := NewStore(p, nil), morning
	look := func(kinds []string, seen ...SeenConnection) int {
		return len(s.ObserveConnections("prod", kinds, seen, now))
	}
	look(bothKinds, repository(false))
	look([]string{"cluster"}) // repositories could not be read
	if len(s.disconnected) != 1 {
		t.Error("forgotten, and nobody knows that it is gone")
	}
	look(bothKinds)
	if len(s.disconnected) > 0 {
		t.Errorf("still known: %v", s.disconnected)
	}
	now = now.Add(24 * time.Hour)
	if n := look(bothKinds, repository(false)); n > 0 {
		t.Error("told at the first answer")
	}
}

// TestAWarningAboutSeveralConnectionsIsWrittenOnce: what is reported of them differs in the address.
func TestAWarningAboutSeveralConnectionsIsWrittenOnce(t *testing.T) {
	p := policy()
	p.ConnectionChannel = "C-shop"
	s, now, writes := NewStore(p, nil), morning, 0
	var both []SeenConnection
	for _, name := range []string{"a", "b"} {
		c := repository(false)
		c.Address = "https://git.example.com/" + name + ".git"
		c.Report.Findings[0].Evidence = []diagnose.Quote{{From: "state of the connection to " + c.Address, Text: "connection refused"}}
		both = append(both, c)
	}
	for range 60 {
		now = now.Add(time.Minute)
		writes += len(s.ObserveConnections("prod", bothKinds, both, now))
	}
	if writes != 1 {
		t.Errorf("%d writes in %d looks", writes, 60)
	}
	both[0].Works, both[0].Report = true, nil
	for range 2 {
		now = now.Add(time.Minute)
		s.ObserveConnections("prod", bothKinds, both, now)
	}
	if from := theWarning(t, s).Report.Findings[0].Evidence[0].From; !strings.HasSuffix(from, "b.git") {
		t.Errorf("it shows %s, which works", from)
	}
}

// TestAWarningStaysInItsChannel: another one in the configuration is for what comes.
func TestAWarningStaysInItsChannel(t *testing.T) {
	s, now := warned(t, policy())
	p := policy()
	p.ConnectionChannel = "C-platform"
	again := NewStore(p, s.All())
	for range 5 {
		now = now.Add(time.Minute)
		if touched := again.ObserveConnections("prod", bothKinds, []SeenConnection{repository(false)}, now); len(touched) > 0 {
			t.Fatalf("told: %v", touched)
		}
	}
	theWarning(t, again)
	for range 2 {
		now = now.Add(time.Minute)
		again.ObserveConnections("prod", bothKinds, []SeenConnection{repository(true)}, now)
	}
	if i := theWarning(t, again); i.Phase != Recovered || i.Channel != "C-shop" {
		t.Errorf("%s in %s", i.Phase, i.Channel)
	}
}

// TestAWarningThatSlackRefusesGoesWhereTheConfigurationSaysNow: the channel had a typing error.
func TestAWarningThatSlackRefusesGoesWhereTheConfigurationSaysNow(t *testing.T) {
	refused := warning()
	refused.Thread, refused.Channel, refused.Trouble = Thread{}, "oprators", "channel_not_found"
	p := policy()
	p.ConnectionChannel = "operators"
	s := NewStore(p, []*Incident{refused})
	touched := s.ObserveConnections("prod", bothKinds, []SeenConnection{repository(false)}, morning.Add(time.Minute))
	if i := theWarning(t, s); i.Channel != "operators" || len(touched) != 1 {
		t.Errorf("it is for %s, touched %v", i.Channel, touched)
	}
	s.ObserveConnections("prod", bothKinds, []SeenConnection{repository(true)}, morning.Add(2*time.Minute))
	s.ObserveConnections("prod", bothKinds, []SeenConnection{repository(true)}, morning.Add(4*time.Minute))
	if i := theWarning(t, s); i.Ended() != RecoveredNow {
		t.Errorf("it ends as %s", i.Ended())
	}
}

// TestDependentsAreCountedOnce, also where they depend on several connections of a warning.
func TestDependentsAreCountedOnce(t *testing.T) {
	s, now := warned(t, policy())
	first, second := repository(false), repository(false)
	second.Address = "https://git.example.com/base.git"
	second.Dependents = []App{named("web"), named("zoo")}
	for range 2 {
		now = now.Add(time.Minute)
		s.ObserveConnections("prod", bothKinds, []SeenConnection{first, second}, now)
	}
	if i := theWarning(t, s); len(i.Connections) != 2 || i.Dependents != 3 {
		t.Errorf("%d connections, %d applications depend on them, want 3", len(i.Connections), i.Dependents)
	}
	s.ObserveConnections("prod", []string{"cluster"}, nil, now.Add(time.Minute)) // repositories could not be read
	if i := theWarning(t, s); i.Dependents != 3 {
		t.Errorf("%d applications depend on what could not be read", i.Dependents)
	}
}
