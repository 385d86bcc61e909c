package incident

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// TestEveryEntryHasOneShard: also one of an Argo CD that the configuration no longer names, and a list of the time when one leader had all.
func TestEveryEntryHasOneShard(t *testing.T) {
	of := func(id, instance string) *Incident {
		return &Incident{ID: id, Phase: Open, Cause: Cause{Rule: "hook/job-failed", Key: "k"}, Members: []Member{{App: App{Instance: instance, Name: "web"}}}}
	}
	held := []*Incident{
		of("web-eu", "eu"), of("web-us", "us"), of("web-removed", "asia"),
		{ID: "watch-us", Phase: Watching, Cause: Cause{Subject: "us"}},
		{ID: "list", Phase: Open, Cause: Cause{Rule: AlreadyFailing}, Members: []Member{{App: App{Instance: "eu", Name: "pay"}}, {App: App{Instance: "us", Name: "pay"}}}},
		{ID: "list-us", Phase: Open, Cause: Cause{Rule: AlreadyFailing}, Shard: "us", Members: []Member{{App: App{Instance: "us", Name: "bill"}}}},
		{ID: "waiting-us", Phase: Open, Cause: Cause{Rule: StillToPost}, Shard: "us"},
		{ID: "replica-a", Phase: HandedOver, Members: []Member{{App: App{Instance: "us", Name: "web"}}}},
	}
	want := map[string]string{
		"":   "web-eu web-us web-removed watch-us list list-us waiting-us | ",
		"eu": "web-eu web-removed list | ",
		"us": "web-us watch-us list-us waiting-us | pay",
	}
	for _, s := range append(Shards([]string{"eu", "us"}), Shard{}) {
		own, listed := s.Of(held, morning)
		var ids, names []string
		for _, i := range own {
			ids = append(ids, i.ID)
		}
		for app := range listed {
			names = append(names, app.Name)
		}
		slices.Sort(names)
		if got := strings.Join(ids, " ") + " | " + strings.Join(names, " "); got != want[s.Name] {
			t.Errorf("shard %q has %s, want %s", s.Name, got, want[s.Name])
		}
	}
}

// TestAListIsDivided: each leader keeps the applications of its Argo CD on one, and nobody gets a thread for what was only listed.
func TestAListIsDivided(t *testing.T) {
	in := func(instance string) App { return App{Instance: instance, Namespace: "argocd", Name: "pay"} }
	listed := func(instance string) Member {
		return Member{App: in(instance), Since: morning, Cause: Cause{Rule: "hook/job-failed", Key: "k"}}
	}
	list := &Incident{
		ID: "list", Phase: Open, Channel: "C-shop", Cause: Cause{Rule: AlreadyFailing, Key: AlreadyFailing}, Since: morning, Seen: morning, OpenedAt: morning,
		Members: []Member{listed("eu"), listed("us")}, Version: "1",
	}
	now := morning.Add(time.Hour)
	stores := map[string]*Store{}
	for _, shard := range Shards([]string{"eu", "us"}) {
		p := policy()
		p.Shard = shard
		stores[shard.Name] = NewStore(p, nil)
		stores[shard.Name].Restore([]*Incident{list.Clone()}, nil, now)
	}
	eu, us := stores["eu"], stores["us"]
	unsaved, _ := eu.unsaved()
	if left := eu.entries["list"].Listed(); len(left) != 1 || left[0].App != in("eu") || !slices.Equal(unsaved, []string{"list"}) {
		t.Errorf("the list has %v, unsaved %v", left, unsaved)
	}
	seen := fails("pay", "hook/job-failed", "exit 1")
	seen.App, seen.Report.App = in("us"), in("us")
	moved := NewStore(us.policy, nil) // where another replica takes over before it was read
	for after, want := range map[time.Duration]Reason{time.Minute: Listed, relistWithin: Waiting} {
		moved.Restore([]*Incident{eu.entries["list"].Clone()}, nil, now.Add(after))
		if out := moved.Observe(seen, now.Add(after)); out.Reason != want {
			t.Errorf("taken over after %s: %+v", after, out)
		}
	}
	out := us.Observe(seen, now)
	if out.Reason != Listed || us.entries[out.ID].Shard != "us" || us.entries["list"] != nil {
		t.Fatalf("%+v", out)
	}
	us.KeepWatch(now.Add(listWithin))
	if l := us.entries[out.ID]; l.Phase != Open || l.Channel != "C-shop" {
		t.Errorf("it is not posted: %+v", l.Incident)
	}
	if out := us.Observe(seen, now.Add(time.Hour)); out.Reason != Nothing {
		t.Errorf("it is told again: %+v", out)
	}
}

// TestOneRemainderOfAChannelIsLeft when one leader takes over from several, and it ends as usual.
func TestOneRemainderOfAChannelIsLeft(t *testing.T) {
	of := func(shard string) *Incident {
		return &Incident{ID: "waiting-" + shard, Phase: Open, Channel: "C-shop", Cause: Cause{Rule: StillToPost, Key: StillToPost}, Seen: morning, Waiting: 37, Shard: shard, Version: "1"}
	}
	s := NewStore(policy(), nil)
	s.Restore([]*Incident{of("eu"), of("us")}, nil, morning)
	open := 0
	for _, e := range s.entries {
		if e.Phase == Open {
			open++
		} else if e.Waiting != 0 || e.generation == e.saved || e.Expires.IsZero() {
			t.Errorf("it is not told that it is over: %+v", e.Incident)
		}
	}
	if open != 1 {
		t.Errorf("%d say how many are waiting", open)
	}
	s.CountRemainders(morning.Add(time.Minute))
	for id, e := range s.entries {
		if e.Phase == Open {
			t.Errorf("%s waits for ever", id)
		}
	}
}
