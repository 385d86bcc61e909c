package digest_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/digest"
	"github.com/argo-why/argo-why/internal/digest/digesttest"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/schedule"
)

func plan(t *testing.T, fields, zone string, channels ...string) digest.Plan {
	t.Helper()
	when, err := schedule.NewWall(fields, zone)
	if err != nil {
		t.Fatal(err)
	}
	p := digest.Plan{Configured: channels, OutOfSyncAfter: 24 * time.Hour}
	for _, name := range channels {
		p.Channels = append(p.Channels, digest.Channel{Name: name, When: when})
	}
	return p
}

// replica is one of several bots that share a journal, which has room for digests only.
type replica struct {
	store   *incident.Store
	leading bool
}

// run has a replica do what is due, and write it to the journal. It returns what people got.
func (r *replica) run(p digest.Plan, journal map[string]*incident.Incident, now time.Time) (out []string) {
	if !r.leading { // it takes over
		r.store = incident.NewStore(incident.Policy{KeepFor: 30 * 24 * time.Hour}, slices.Collect(maps.Values(journal)))
		r.leading = true
	}
	for _, m := range p.Due([]*incident.Store{r.store}, nil, nil, now) {
		for _, id := range r.store.AddDigest(m.Channel, m.Digest, now) {
			what := "posted"
			if m.Skipped {
				what = "skipped"
			}
			out = append(out, fmt.Sprintf("%s %s for %s", m.Channel, what, m.Due.UTC().Format("02 15:04")))
			d := m.Digest
			journal[id] = &incident.Incident{ID: id, Phase: incident.Recovered, Channel: m.Channel, Cause: incident.Cause{Rule: incident.DailyDigest, Key: incident.DailyDigest}, Digest: &d, Seen: now}
		}
	}
	return out
}

// TestOneOfManyLeadersPostsEachDigest, whoever leads at the time and however often that changes, in a week in which the clocks are put back.
func TestOneOfManyLeadersPostsEachDigest(t *testing.T) {
	p := plan(t, "30 2 * * *", "Europe/Vienna", "alerts", "payments")
	for seed := range uint64(8) {
		random := rand.New(rand.NewPCG(seed, 1)) // the same steps each time
		journal, replicas := map[string]*incident.Incident{}, []*replica{{}, {}, {}}
		leads := 0
		var got []string
		end := time.Date(2027, 11, 4, 12, 0, 0, 0, time.UTC)
		for now := time.Date(2027, 10, 28, 12, 0, 0, 0, time.UTC); now.Before(end); now = now.Add(time.Minute) {
			if random.IntN(20) == 0 {
				replicas[leads].leading = false
				leads = random.IntN(len(replicas))
			}
			if random.IntN(2) == 0 { // nobody leads this minute
				continue
			}
			got = append(got, replicas[leads].run(p, journal, now)...)
		}
		var want []string
		for _, due := range []string{"29 00:30", "30 00:30", "31 00:30", "01 01:30", "02 01:30", "03 01:30", "04 01:30"} {
			want = append(want, "alerts posted for "+due, "payments posted for "+due)
		}
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Fatalf("seed %d\n%s\nwant\n%s", seed, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

// TestWhatIsMissedForMoreThanAnHourIsSkippedOnce, and what is late by less is posted.
func TestWhatIsMissedForMoreThanAnHourIsSkippedOnce(t *testing.T) {
	p := plan(t, "0 9 * * 1-5", "", "alerts")
	journal := map[string]*incident.Incident{}
	var got []string
	for _, at := range []string{"20 10:01", "23 10:00", "23 10:30", "24 11:00", "24 11:01", "26 09:59", "26 10:01", "27 12:00"} { // 23 November 2026 is a Monday
		now, err := time.Parse("2006-01-02 15:04", "2026-11-"+at)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range (&replica{}).run(p, journal, now) {
			got = append(got, at+": "+line)
		}
	}
	same(t, "posted", strings.Join(got, "\n"), `23 10:00: alerts posted for 23 09:00
24 11:00: alerts skipped for 24 09:00
26 09:59: alerts skipped for 25 09:00
26 09:59: alerts posted for 26 09:00
27 12:00: alerts skipped for 27 09:00`)
}

// TestADigestBeginsWhereTheOneBeforeEnded: what recovered in between is in one of them.
func TestADigestBeginsWhereTheOneBeforeEnded(t *testing.T) {
	p := plan(t, "0 9 * * *", "", "alerts")
	monday := time.Date(2026, 11, 23, 9, 0, 0, 0, time.UTC)
	store := incident.NewStore(incident.Policy{}, nil)
	late := monday.Add(20 * time.Minute)
	first := p.Due([]*incident.Store{store}, nil, nil, late)
	if len(first) != 1 || !first[0].Since.Equal(monday.Add(-24*time.Hour)) {
		t.Fatalf("the first is %+v, want it to begin a day before", first)
	}
	store.AddDigest("alerts", first[0].Digest, late)
	second := p.Due([]*incident.Store{store}, nil, nil, monday.Add(24*time.Hour))
	if len(second) != 1 || !second[0].Since.Equal(late) {
		t.Fatalf("the second is %+v, want it to begin when the first was made", second)
	}
}

// TestSeveralLeadersShareADigest: that of a channel is about the incidents of all Argo CDs, and is on record with one of them.
func TestSeveralLeadersShareADigest(t *testing.T) {
	p := plan(t, "0 8 * * *", "", "argo-alerts")
	shards := incident.Shards([]string{"staging", "prod"})
	stores := []*incident.Store{incident.NewStore(incident.Policy{Shard: shards[0]}, nil), incident.NewStore(incident.Policy{Shard: shards[1]}, digesttest.Week())}
	due := p.Due(stores, nil, nil, digesttest.Monday)
	if len(due) != 1 || due[0].Failing != 9 { // that of mail-alerts, which is no longer configured, is among them
		t.Fatalf("due is %+v, want one about 9 applications", due)
	}
	stores[0].AddDigest(due[0].Channel, due[0].Digest, digesttest.Monday)
	slices.Reverse(stores) // somebody lists the Argo CDs in another order
	if again := p.Due(stores, nil, nil, digesttest.Monday.Add(time.Minute)); len(again) != 0 {
		t.Errorf("posted again: %+v", again)
	}
}

// TestAChannelHasOneDigestUnderBothOfItsNames: a digest was posted, and then the configuration was changed to name the channel by its ID.
func TestAChannelHasOneDigestUnderBothOfItsNames(t *testing.T) {
	nine := time.Date(2027, 11, 4, 9, 0, 0, 0, time.UTC)
	d := incident.Digest{At: nine, Due: nine, Since: nine.Add(-time.Hour)}
	store := incident.NewStore(incident.Policy{}, []*incident.Incident{{
		ID: "digest-1", Phase: incident.Recovered, Channel: "alerts", Thread: incident.Thread{Channel: "C0000000001", TS: "1.2"},
		Cause: incident.Cause{Rule: incident.DailyDigest, Key: incident.DailyDigest}, Digest: &d, Seen: nine,
	}})
	p := plan(t, "0 9 * * *", "UTC", "C0000000001")
	if due := p.Due([]*incident.Store{store}, nil, nil, nine.Add(5*time.Minute)); len(due) != 0 {
		t.Errorf("a second one is due: %+v", due)
	}
	due := p.Due([]*incident.Store{store}, nil, nil, nine.Add(24*time.Hour))
	if len(due) != 1 || !due[0].Since.Equal(nine) {
		t.Errorf("the next day %+v is due, want one since the last one", due)
	}
}

// TestADigestWaitsForABotThatHasJustStarted to read what fails, and does not call green what nobody has looked at.
func TestADigestWaitsForABotThatHasJustStarted(t *testing.T) {
	nine := time.Date(2027, 11, 8, 9, 0, 0, 0, time.UTC)
	at := func(minutes int) time.Time { return nine.Add(time.Duration(minutes) * time.Minute) }
	friday := nine.Add(-63 * time.Hour)
	watched := func(until time.Time) *incident.Store {
		return incident.NewStore(incident.Policy{QuietAfter: time.Hour, KeepFor: 30 * 24 * time.Hour}, []*incident.Incident{{
			ID: "watch-prod", Phase: incident.Watching, Cause: incident.Cause{Rule: "watching", Key: "watching", Subject: "prod"}, Since: nine.Add(-90 * 24 * time.Hour), Seen: nine, Watched: until,
		}})
	}
	const fine, unknown = "🟢 Everything is fine: no failures in 7 days", "❔ No known failures"
	for _, c := range []struct {
		name                string
		watched, begun, now time.Time
		instances, silent   []string
		title, quoted       string // nothing is due without a title
	}{
		{name: "while it runs", watched: at(-4), begun: at(-9999), now: nine, title: fine},
		{name: "started a minute ago", watched: friday, begun: nine, now: at(1)},
		{name: "started late", watched: friday, begun: at(30), now: at(31)},
		{name: "when it has read all", watched: at(2), begun: nine, now: at(3), title: fine},
		{name: "when it cannot read all", watched: friday, begun: nine, now: at(12), title: unknown, quoted: "Not watched for 2 days"},
		{name: "when it is nearly too late", watched: friday, begun: at(55), now: at(58), title: unknown, quoted: "Not watched for 2 days"},
		{name: "where its Argo CD is silent", watched: friday, begun: nine, now: at(1), silent: []string{"prod"}, title: unknown, quoted: "Argo CD prod is not responding"},
		{name: "with an Argo CD more", watched: at(0), begun: nine, now: at(1), instances: []string{"prod", "staging"}},
	} {
		p := plan(t, "0 9 * * *", "UTC", "alerts")
		p.Instances, p.Begun = []string{"prod"}, c.begun
		if len(c.instances) > 0 {
			p.Instances = c.instances
		}
		due := p.Due([]*incident.Store{watched(c.watched)}, c.silent, nil, c.now)
		if len(due) == 0 || c.title == "" {
			if (len(due) == 0) != (c.title == "") {
				t.Errorf("%s: %d digests are due", c.name, len(due))
			}
			continue
		}
		if d := &due[0].Digest; digest.Title(d) != c.title || !strings.HasPrefix(digest.Silent(d), c.quoted) {
			t.Errorf("%s: it says %s, %s", c.name, digest.Title(d), digest.Silent(d))
		}
	}
}
