package text

import (
	"fmt"
	"strings"
	"time"
)

// Duration is how long something took or is going to take, in one unit, rounded down: "40 s", "61 min", "3 h", "2 days".
func Duration(d time.Duration) string { return inOneUnit(d, time.Minute, "days") }

// Age is how long something has been so, or how long ago it was, as a report says it: "87 s", "61 min", "3 h", "2 d". It
// differs from [Duration] below two minutes, where a report counts what has just begun in seconds, and from two days on, where
// many ages stand in one list and the short unit keeps its lines short.
func Age(d time.Duration) string { return inOneUnit(d, 2*time.Minute, "d") }

// inOneUnit writes a duration in the largest unit of which there are two or more; minutes begin where they are asked for.
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
