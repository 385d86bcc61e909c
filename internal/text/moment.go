package text

import "time"

// Moment is a time of day in UTC, with the date if it is not today's: "08:33 UTC", "19 Nov 08:33 UTC".
func Moment(t, now time.Time) string {
	t, now = t.UTC(), now.UTC()
	switch {
	case t.IsZero():
		return "an unknown time"
	case t.Format(time.DateOnly) == now.Format(time.DateOnly):
		return t.Format("15:04 MST")
	}
	return t.Format("2 Jan 15:04 MST")
}

// Timestamp is a time with its date, for what is read on another day: "2026-11-20 08:33 UTC".
func Timestamp(t time.Time) string { return t.UTC().Format("2006-01-02 15:04 MST") }
