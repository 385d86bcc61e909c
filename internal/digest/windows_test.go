package digest_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/digest"
	"github.com/argo-why/argo-why/internal/evidence"
)

func window(kind, schedule, duration, zone string) evidence.ProjectWindow {
	return evidence.ProjectWindow{Project: "shop", SyncWindow: evidence.SyncWindow{Kind: kind, Schedule: schedule, Duration: duration, TimeZone: zone}}
}

// TestWindowsThatBeginOrEndWithinADay, with those that are open now, in their own time zones, on the Saturday before the clocks are put forward.
func TestWindowsThatBeginOrEndWithinADay(t *testing.T) {
	saturday := time.Date(2027, 3, 27, 8, 0, 0, 0, time.UTC)
	for want, w := range map[string]evidence.ProjectWindow{
		"27 17:00 to 28 04:00":          window("deny", "0 18 * * *", "11h", "Europe/Vienna"), // eleven hours, whatever the clocks say
		"27 07:00 to 27 09:00, 1 more":  window("deny", "0 8 * * *", "2h", "Europe/Vienna"),   // open now, and again tomorrow before eight
		"28 00:30 to 28 01:30":          window("allow", "30 0 * * 0", "1h", ""),
		"27 08:05 to 27 08:15, 23 more": window("allow", "5 * * * *", "10m", ""),
		"27 08:30 to 27 09:00, 1 more":  window("deny", "30,45 7,8 * * *", "15m", ""), // one opening after the other; 7:30 to 8:00 is over
		"nothing":                       window("deny", "0 8 1 * *", "2h", ""),
		"nothing: not a schedule":       window("deny", "at night", "2h", ""),
		"nothing: not a time zone":      window("deny", "0 18 * * *", "2h", "Vienna"),
		"nothing: no duration":          window("deny", "0 18 * * *", "", ""),
		"nothing: open for years":       window("deny", "* * * * *", "87600h", ""),
		"nothing: always open":          window("deny", "* * * * *", "1h", ""),
	} {
		got := "nothing"
		for _, o := range digest.Windows("prod", []evidence.ProjectWindow{w}, saturday, digest.OutlookFor) {
			got = o.Begins.Format("02 15:04") + " to " + o.Ends.Format("02 15:04")
			if o.More > 0 {
				got += fmt.Sprintf(", %d more", o.More)
			}
		}
		if strings.HasPrefix(want, "nothing") {
			want = "nothing"
		}
		if got != want {
			t.Errorf("%s %s %s: got %s, want %s", w.Schedule, w.Duration, w.TimeZone, got, want)
		}
	}
}
