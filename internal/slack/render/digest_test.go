package render_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/audience"
	"github.com/argo-why/argo-why/internal/digest"
	"github.com/argo-why/argo-why/internal/digest/digesttest"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/incident/posted"
	"github.com/argo-why/argo-why/internal/slack/blocks"
	"github.com/argo-why/argo-why/internal/slack/render"
	"github.com/argo-why/argo-why/internal/text"
)

func digestOf(d incident.Digest) *incident.Incident {
	d.Due = d.At
	return &incident.Incident{ID: "digest-1", Phase: incident.Recovered, Channel: "argo-alerts", Cause: incident.Cause{Rule: incident.DailyDigest, Key: incident.DailyDigest}, Digest: &d}
}

// longWeek is a digest of which every list is longer than a phone, and every text as long as texts get.
func longWeek() incident.Digest {
	d := digesttest.Of(digesttest.Options())
	long := strings.Repeat("a-very-long-name-", 6)
	for n := range 15 {
		line := incident.DigestLine{
			App: incident.App{Instance: fmt.Sprint("prod-", n), Namespace: "argocd", Name: fmt.Sprint(long, n)}, Others: n, Title: "image registry.example.com/" + long + " not found: " + long,
			Since: d.At.Add(-time.Hour), Until: d.At, Lasted: time.Hour, Muted: d.At.Add(time.Hour), NoAutoSync: true, Thread: "https://slack.example.com/archives/C0000000001/p1",
		}
		d.Failures, d.OutOfSync, d.Recovered = append(d.Failures, line), append(d.OutOfSync, line), append(d.Recovered, line)
		d.Causes = append(d.Causes, incident.DigestCause{Title: "A cause with a long title, which takes two lines of a phone", Failures: 1})
		d.Often = append(d.Often, incident.DigestApp{App: line.App, Failures: 2})
	}
	d.Left = incident.DigestLeft{Failures: 1200, Recovered: 3, Causes: 2}
	d.Failing, d.Silent = 1234, []string{"staging"}
	d.Outlook = longOutlook(long)
	return d
}

// longOutlook is one with more of everything than there is room for.
func longOutlook(long string) *incident.Outlook {
	o := digesttest.Outlook()
	for n := range 15 {
		o.Windows = append(o.Windows, incident.DigestWindow{Instance: "prod", Project: long, Kind: "deny", Of: "applications " + long, Manual: true, Begins: o.At.Add(time.Hour), Ends: o.At.Add(2 * time.Hour), More: n})
		o.Hooks = append(o.Hooks, incident.DigestHook{App: digesttest.App(long), Kind: "Job", Name: long, NoDeadline: true, NoDeletePolicy: true})
	}
	o.HooksLeft, o.Unread = 1200, []string{"sync windows of staging", "hooks of staging"}
	return o
}

// digests are the messages of digests.
func digests() map[string]*incident.Incident {
	fine := incident.Digest{At: digesttest.Monday, Since: digesttest.Monday.Add(-24 * time.Hour), From: digesttest.Monday.Add(-7 * 24 * time.Hour)}
	silent, quiet := fine, fine
	silent.Silent = []string{"prod"}
	quiet.Causes = []incident.DigestCause{{Title: "Hook failed", Failures: 1, Recovered: 1, Half: 14 * time.Minute}}
	week, well, unread := digesttest.Of(digesttest.Options()), fine, fine
	week.Outlook, well.Outlook = digesttest.Outlook(), digesttest.Outlook()
	unread.Outlook = &incident.Outlook{At: fine.At, Until: fine.At.Add(digest.OutlookFor), Unread: []string{"sync windows of prod"}}
	return map[string]*incident.Incident{
		"digest-outlook": digestOf(week), "digest-fine-outlook": digestOf(well), "digest-unread": digestOf(unread),
		"digest": digestOf(digesttest.Of(digesttest.Options())), "digest-fine": digestOf(fine), "digest-silent": digestOf(silent), "digest-quiet": digestOf(quiet), "digest-long": digestOf(longWeek()),
	}
}

// TestADigestIsOneScreenOfAPhone, whatever is in it.
func TestADigestIsOneScreenOfAPhone(t *testing.T) {
	onOneScreen(t, digests(), 700)
}

// onOneScreen fails if a message is higher than that, in pixels.
func onOneScreen(t *testing.T, all map[string]*incident.Incident, limit int) {
	t.Helper()
	for name, i := range all {
		m := render.Root(posted.To(audience.All(), i), links, render.Controls{Key: key})
		t.Logf("%s: %d px", name, blocks.MessageHeight(m.Blocks))
		if h := blocks.MessageHeight(m.Blocks); h > limit {
			t.Errorf("%s is %d pixels high", name, h)
		}
	}
}

func TestADigestIsOneLineWhereEverythingIsFine(t *testing.T) {
	if got := seen(render.Root(posted.To(audience.All(), digests()["digest-fine"]), links, render.Controls{})); got != "🟢 Everything is fine: no failures in 7 days" {
		t.Errorf("it says\n%s", got)
	}
}

// TestTheNotificationOfADigestSaysWhatItsChartShows, for those who do not see it.
func TestTheNotificationOfADigestSaysWhatItsChartShows(t *testing.T) {
	d := digesttest.Of(digesttest.Options())
	notice := render.Root(posted.To(audience.All(), digestOf(d)), links, render.Controls{}).Text
	for _, c := range d.Causes[:3] {
		if !strings.Contains(notice, c.Title) || !strings.Contains(notice, digest.Took(c)) {
			t.Errorf("no %s in\n%s", c.Title, notice)
		}
	}
}

// TestADigestCountsWhatIsPrivate, also where a channel sees none of what there is.
func TestADigestCountsWhatIsPrivate(t *testing.T) {
	i := digests()["digest-outlook"]
	windows, often := len(i.Digest.Outlook.Windows), len(i.Digest.Often)
	none := audience.New(func(incident.App, string) bool { return false }, func(incident.App) string { return "" })
	got := seen(render.Root(posted.To(none, i), links, render.Controls{}))
	for _, want := range []string{fmt.Sprintf("%d windows are not shown here", windows), fmt.Sprintf("%s not shown here", text.Count(often, "application that is", "applications that are"))} {
		if windows < 2 || often == 0 || !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}
