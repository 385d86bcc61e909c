package text

import (
	"fmt"
	"strings"
	"time"
)

// Duration is a length of time: how long a failure lasted, for how long an incident is muted, after how long the bot gave up. It
// is written in one unit and rounded down, because the rest of it changes no decision:
//
//	below 1 min     seconds   "40 s"
//	below 2 h       minutes   "1 min", "61 min", "119 min"
//	below 48 h      hours     "2 h"; 3 h 5 min and 3 h 59 min are both "3 h"
//	from 48 h on    days      "2 days", "1,200 days"
//
// If the exact end matters it is shown as a [Moment]; a duration that somebody set is shown as a [Setting]. The age of what a
// finding is about is an [Age].
func Duration(d time.Duration) string { return inOneUnit(d, time.Minute, "days") }

// Age is how old something is in a finding of a report, which is how long it has been so, or how long ago it was: "has been running
// for 87 s", "compared 61 min ago". It is rounded down in one unit as a [Duration] is, and differs from it at both ends:
//
//	below 2 min     seconds   "87 s", "119 s": what has just begun still changes from one report to the next
//	below 2 h       minutes   "2 min", "61 min"
//	below 48 h      hours     "2 h"; 3 h 5 min is "3 h"
//	from 48 h on    days      "2 d": many ages are in one list, and the short unit keeps its lines short
func Age(d time.Duration) string { return inOneUnit(d, 2*time.Minute, "d") }

// inOneUnit writes a duration in the largest unit of which there are two or more; minutes begin at minutesFrom.
func inOneUnit(d, minutesFrom time.Duration, days string) string {
	switch {
	case d < minutesFrom:
		return fmt.Sprintf("%d s", int(d.Seconds()))
	case d < 2*time.Hour:
		return fmt.Sprintf("%d min", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h", int(d.Hours()))
	}
	return fmt.Sprintf("%s %s", Number(int(d.Hours()/24)), days)
}

// Setting is a duration as the configuration and a flag have it, without its empty units: "15m", "1h30m".
func Setting(d time.Duration) string {
	s := strings.TrimSuffix(d.String(), "m0s")
	if s == d.String() {
		return s
	}
	if hours, ok := strings.CutSuffix(s, "h0"); ok {
		return hours + "h"
	}
	return s + "m"
}
