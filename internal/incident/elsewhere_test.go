package incident

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

// threadOf is the thread of an incident in a channel, as a journal holds it.
func threadOf(id, channel string) Thread {
	return Thread{Channel: "ID-" + channel, TS: "1." + id, Permalink: "https://slack.example.com/" + id}
}

// sharing is an open incident of an application in a channel that fails of the Git host.
func sharing(id, channel string) *Incident {
	seen := failsOfGit(id)
	cause := CauseOf(seen.Report)
	return &Incident{
		ID: id, Phase: Open, Channel: channel, Thread: threadOf(id, channel), Cause: cause, Report: seen.Report, Since: morning, Seen: morning, OpenedAt: morning,
		Members: []Member{{App: named(id), Since: morning}},
	}
}

// warning is one of the Git host in a channel of the operators.
func warning() *Incident {
	c := repository(false)
	cause := CauseOf(c.Report)
	cause.Key = cause.Group
	return &Incident{
		ID: "git-host", Phase: Open, Channel: "operators", Thread: threadOf("git-host", "operators"), Cause: cause, Report: c.Report, Since: morning, Seen: morning,
		OpenedAt: morning, Connections: []Connection{c.Connection},
	}
}

// linksIn are the threads that the replies of an incident name, which wait to be posted.
func linksIn(s *Store, id string) (links []string) {
	for _, r := range s.entries[id].Outbox {
		if r.Reason == Elsewhere {
			links = append(links, r.Link)
		}
	}
	return links
}

// TestThreadsInTwoChannelsNameEachOtherOnce, however often the bot starts.
func TestThreadsInTwoChannelsNameEachOtherOnce(t *testing.T) {
	held := []*Incident{warning(), sharing("pay", "team"), sharing("web", "operators")}
	s := NewStore(policy(), held)
	for id, want := range map[string][]string{"git-host": {threadOf("pay", "").Permalink}, "pay": {threadOf("git-host", "").Permalink}, "web": nil} {
		if got := linksIn(s, id); !slices.Equal(got, want) {
			t.Errorf("%s names %v, want %v", id, got, want)
		}
	}
	again := NewStore(policy(), s.All())
	if n := len(linksIn(again, "git-host")) + len(linksIn(again, "pay")); n != 2 {
		t.Errorf("after another start %d links wait, want the two that waited", n)
	}
}

// TestAThreadThatFailsAgainIsLinked with what was posted elsewhere in the meantime.
func TestAThreadThatFailsAgainIsLinked(t *testing.T) {
	p := policy()
	p.ConnectionChannel = "operators"
	over := sharing("pay", "team")
	over.Phase, over.RecoveredAt, over.Expires = Recovered, morning, morning.Add(time.Hour)
	over.Members[0].Well = morning
	s := NewStore(p, []*Incident{warning(), over})
	if got := linksIn(s, "git-host"); len(got) > 0 {
		t.Fatalf("what is over is named: %v", got)
	}
	for _, at := range []time.Duration{time.Minute, 3 * time.Minute} {
		s.Observe(failsOfGit("pay"), morning.Add(at))
	}
	if i := s.Of(named("pay")); i.Phase != Open {
		t.Fatalf("it is %s", i.Phase)
	}
	if got := linksIn(s, "git-host"); len(got) != 1 {
		t.Errorf("the warning names %v", got)
	}
	if got := linksIn(s, "pay"); len(got) != 1 {
		t.Errorf("the application's thread names %v", got)
	}
}

// TestAConnectionThatJoinsAnOutageLinksIt: until then nothing in it is the operators' alone.
func TestAConnectionThatJoinsAnOutageLinksIt(t *testing.T) {
	p := policy()
	p.ConnectionChannel = "operators"
	outage := sharing("web", "operators")
	outage.ID, outage.Cause.Key = "outage", outage.Cause.Group
	s := NewStore(p, []*Incident{outage, sharing("pay", "team")})
	now := morning
	for range 3 {
		now = now.Add(time.Minute)
		s.ObserveConnections("prod", bothKinds, []SeenConnection{repository(false)}, now)
	}
	if len(s.entries["outage"].Connections) != 1 {
		t.Fatal("the connection is not in the outage")
	}
	if a, b := linksIn(s, "outage"), linksIn(s, "pay"); len(a) != 1 || len(b) != 1 {
		t.Errorf("they name %v and %v", a, b)
	}
}

// TestAThreadNamesOnlySoMany, and does not begin again with each start.
func TestAThreadNamesOnlySoMany(t *testing.T) {
	held := []*Incident{warning()}
	for n := range 3 * keepLinked {
		held = append(held, sharing(fmt.Sprintf("app-%03d", n), fmt.Sprint("team-", n)))
	}
	for start := range 3 {
		s := NewStore(policy(), held)
		if got := linksIn(s, "git-host"); len(got) != keepLinked {
			t.Fatalf("at start %d it names %d, want %d", start, len(got), keepLinked)
		}
		if n := s.entries["git-host"].LastReply; n != DetailsNumber+keepLinked {
			t.Fatalf("at start %d its last reply is %d", start, n)
		}
		held = s.All()
	}
}

// TestAThreadThatIsPostedAgainIsLinkedAgain: the link to the one that was deleted leads nowhere.
func TestAThreadThatIsPostedAgainIsLinkedAgain(t *testing.T) {
	s := NewStore(policy(), []*Incident{warning(), sharing("pay", "team")})
	tell := func(told Told) {
		e := s.entries["pay"]
		s.tellResult(task{Incident: e.Clone(), generation: e.generation}, NewRoot, told, nil, morning.Add(time.Hour))
	}
	tell(Told{Gone: true})
	tell(Told{Thread: Thread{Channel: "ID-team", TS: "9.9", Permalink: "https://slack.example.com/second"}, All: true})
	for id, want := range map[string]string{"git-host": "https://slack.example.com/second", "pay": threadOf("git-host", "").Permalink} {
		if got := linksIn(s, id); !slices.Equal(got, []string{want}) {
			t.Errorf("%s names %v, want %s", id, got, want)
		}
	}
}
