package app

import (
	"strings"
	"testing"
	"time"

	"github.com/argo-why/argo-why/config"
)

// TestCheckSaysWhichJobsRunWhen: on the Friday before the clocks are put forward.
func TestCheckSaysWhichJobsRunWhen(t *testing.T) {
	friday := time.Date(2027, 3, 26, 12, 0, 0, 0, time.UTC)
	c := config.Default()
	c.Slack.Channel = "alerts"
	said := func() string {
		var lines []string
		for _, f := range checkJobs(c, friday) {
			lines = append(lines, f.String())
		}
		return strings.Join(lines, "\n")
	}
	if got, want := said(), "✓ job sweep: @every 5m from the start of the bot\n✓ job connections: @every 1m from the start of the bot, warnings go to alerts\n✓ job expiry: @every 10m from the start of the bot, tokens that expire soon are announced in alerts\n✓ job digest: off: digest.schedule is empty"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if jobs := jobsOf(c)(friday); len(jobs) != 2 || !strings.Contains(jobs[0].What, "connect") || !strings.Contains(jobs[1].What, "tokens") {
		t.Errorf("the help names %+v", jobs)
	}
	c.Sweep, c.Connections.Schedule, c.Digest.Schedule, c.Digest.TimeZone = "*/5 * * * *", "", "0 9 * * 1-5", "Europe/Vienna"
	c.Routes = []config.Route{{Channel: "payments"}}
	if got, want := said(), "✓ job sweep: */5 * * * *, next 2027-03-26 12:05 UTC\n✓ job connections: off: connections.schedule is empty\n✓ job expiry: off: connections.schedule is empty\n✓ job digest: 0 9 * * 1-5, next 2027-03-29 09:00 CEST, in alerts, payments"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	jobs := jobsOf(c)(friday)
	if len(jobs) != 1 || !strings.Contains(jobs[0].What, "digest") || !jobs[0].Next.Equal(time.Date(2027, 3, 29, 7, 0, 0, 0, time.UTC)) {
		t.Errorf("the help names %+v", jobs)
	}
	c.Digest.Overrides = []config.DigestOverride{{Channels: []string{"payments"}, Schedule: "0 14 * * *", TimeZone: "America/New_York"}}
	if got, want := said(), "job digest: 0 9 * * 1-5, next 2027-03-29 09:00 CEST, in alerts\n✓ job digest: 0 14 * * *, next 2027-03-26 14:00 EDT, in payments"; !strings.HasSuffix(got, want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if jobs := jobsOf(c)(friday); len(jobs) != 2 || !strings.Contains(jobs[1].What, "in payments") || !jobs[1].Next.Equal(time.Date(2027, 3, 26, 18, 0, 0, 0, time.UTC)) {
		t.Errorf("the help names %+v", jobs)
	}
}
