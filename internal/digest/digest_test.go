package digest_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/digest"
	"github.com/argo-why/argo-why/internal/digest/digesttest"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/text"
)

// lines are what a list of a digest says, in short.
func lines(list []incident.DigestLine) string {
	var out []string
	for _, l := range list {
		line := fmt.Sprintf("%s+%d %s, %s ago", l.App.Name, l.Others, l.Title, text.Duration(digesttest.Monday.Sub(l.Since)))
		if l.Lasted > 0 {
			line += ", lasted " + text.Duration(l.Lasted)
		}
		if !l.Muted.IsZero() {
			line += ", muted"
		}
		if l.NoAutoSync {
			line += ", no auto-sync"
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n")
}

func same(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s\n%s\nwant\n%s", what, got, want)
	}
}

func TestADigestSaysWhatFailsAndSinceWhen(t *testing.T) {
	d := digesttest.Of(digesttest.Options())
	if d.Failing != 8 || d.Threads != 6 || d.Lately != 1 {
		t.Errorf("%d applications fail in %d threads, %d lately, want 8 in 6, and one", d.Failing, d.Threads, d.Lately)
	}
	same(t, "failing", lines(d.Failures), `payments-api+0 PreSync hook db-migrate failed, connection to Postgres refused, 3 days ago, muted
cart+0 container cart exits with code 137, out of memory, 2 h ago
shop-a+2 Git host git.example.com is unreachable, 40 min ago`)
	same(t, "out of sync", lines(d.OutOfSync), `reports+0 newer commit bb498fd not synced yet, 9 days ago, no auto-sync
ledger+0 Deployment/ledger changed outside Git, 2 days ago`)
}

func TestADigestSaysWhatRecovered(t *testing.T) {
	d := digesttest.Of(digesttest.Options())
	same(t, "recovered", lines(d.Recovered), `blog+0 image blog:1.2.4 not found, 26 h ago, lasted 74 min
web+0 PreSync hook db-migrate failed, 30 h ago, lasted 2 h`)
	o := digesttest.Options()
	o.Since = digesttest.Monday.Add(-27 * time.Hour)
	same(t, "recovered since yesterday", lines(digesttest.Of(o).Recovered), "blog+0 image blog:1.2.4 not found, 26 h ago, lasted 74 min")
}

// TestADigestCountsCauses, each time that an incident came back, and says within which time half of them recovered.
func TestADigestCountsCauses(t *testing.T) {
	d := digesttest.Of(digesttest.Options())
	var causes []string
	for _, c := range d.Causes {
		causes = append(causes, fmt.Sprintf("%d %s, %d recovered, half in %s", c.Failures, c.Title, c.Recovered, text.Duration(c.Half)))
	}
	same(t, "causes", strings.Join(causes, "\n"), `5 Container keeps crashing, 4 recovered, half in 12 min
2 Resource changed outside Git, 0 recovered, half in 0 s
2 Image cannot be pulled, 1 recovered, half in 74 min
2 Hook failed, 1 recovered, half in 2 h
1 Newer commit not synced yet, 0 recovered, half in 0 s
1 Git repository unreachable, 0 recovered, half in 0 s`)
	if len(d.Often) != 1 || d.Often[0] != (incident.DigestApp{App: digesttest.App("cart"), Failures: 5}) {
		t.Errorf("failed most often: %+v", d.Often)
	}
}

// TestTheSameIncidentsGiveTheSameDigest, in whatever order they are read.
func TestTheSameIncidentsGiveTheSameDigest(t *testing.T) {
	want := fmt.Sprintf("%+v", digesttest.Of(digesttest.Options()))
	week := digesttest.Week()
	slices.Reverse(week)
	s := incident.NewStore(incident.Policy{}, week)
	if got := fmt.Sprintf("%+v", digest.Of(s.Failing(), s.All(), digesttest.Options())); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestAChannelThatHasNoDigestIsInThatOfAnother: nothing is forgotten because its channel left the configuration.
func TestAChannelThatHasNoDigestIsInThatOfAnother(t *testing.T) {
	o := digesttest.Options()
	o.Other = func(channel string) bool { return channel == "mail-alerts" }
	if d := digesttest.Of(o); d.Failing != 9 {
		t.Errorf("%d fail, want 9", d.Failing)
	}
	o.Other, o.Channel = nil, ""
	if d := digesttest.Of(o); d.Failing != 9 {
		t.Errorf("%d fail in all channels, want 9", d.Failing)
	}
}

// TestALineOfAListThatRecoveredIsInTheDigest: what failed before the bot began to watch has no incident of its own.
func TestALineOfAListThatRecoveredIsInTheDigest(t *testing.T) {
	at := digesttest.Monday.Add(-time.Hour)
	list := &incident.Incident{
		ID: "already-failing-1", Phase: incident.Open, Channel: "argo-alerts", Cause: incident.Cause{Rule: incident.AlreadyFailing, Key: incident.AlreadyFailing},
		Since: at.Add(-time.Hour), Seen: at, OpenedAt: at, Members: []incident.Member{
			{App: digesttest.App("a"), Since: at.Add(-time.Hour), Headline: "a: hook failed", Cause: incident.Cause{Rule: "hook/job-failed", Key: "hook/job-failed"}},
			{App: digesttest.App("b"), Since: at.Add(-time.Hour), Well: at, Note: incident.NoteRecovered, Headline: "b: hook failed", Cause: incident.Cause{Rule: "hook/job-failed", Key: "hook/job-failed"}},
		},
	}
	s := incident.NewStore(incident.Policy{}, []*incident.Incident{list})
	d := digest.Of(s.Failing(), s.All(), digesttest.Options())
	if d.Failing != 1 || d.Threads != 0 {
		t.Errorf("%d fail in %d threads, want one in none", d.Failing, d.Threads)
	}
	same(t, "failing", lines(d.Failures), "a+0 hook failed, 2 h ago")
	same(t, "recovered", lines(d.Recovered), "b+0 hook failed, 2 h ago, lasted 60 min")
	if len(d.Causes) != 1 || d.Causes[0].Failures != 2 {
		t.Errorf("causes %+v, want one with two failures", d.Causes)
	}
}

func TestATitleSaysNoMoreThanIsKnown(t *testing.T) {
	for want, d := range map[string]incident.Digest{
		"🔴 1 application is failing":                                        {Failing: 1},
		"🟢 Everything is fine: no failures in 7 days":                       {},
		"🟢 Nothing is failing":                                              {Causes: []incident.DigestCause{{}}},
		"❔ No known failures":                                               {Silent: []string{"prod"}},
		"❔ No known failures ":                                              {WatchedUntil: digesttest.Monday.Add(-time.Hour)},
		"🟠 No application is failing, but Argo CD has 1 connection problem": {Failures: []incident.DigestLine{{}}},
	} {
		d.At = digesttest.Monday
		d.From = d.At.Add(-7 * 24 * time.Hour)
		want = strings.TrimSpace(want)
		same(t, "title", digest.Title(&d), want)
	}
}

func TestABarIsAsLongAsItsPart(t *testing.T) {
	for want, n := range map[string]int{"█████": 100, "██░░░": 40, "█░░░░": 1, "░░░░░": 0} {
		same(t, fmt.Sprint(n), digest.Bar(n, 100, 5), want)
	}
}

// TestNothingFailedForAsLongAsSomebodyLooked: a bot that was installed today does not know of last week.
func TestNothingFailedForAsLongAsSomebodyLooked(t *testing.T) {
	for want, watched := range map[string]time.Time{
		"❔ No failures on record":                     {},
		"🟢 Everything is fine: no failures in 9 h":    digesttest.Monday.Add(-9 * time.Hour),
		"🟢 Everything is fine: no failures in 7 days": digesttest.Monday.Add(-9 * 24 * time.Hour),
	} {
		o := digesttest.Options()
		o.Watched = watched
		d := digest.Of(nil, nil, o)
		same(t, "title", digest.Title(&d), want)
	}
}
