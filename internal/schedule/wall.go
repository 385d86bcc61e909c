package schedule

import (
	"fmt"
	"strings"
	"time"

	"github.com/robfig/cron/v3"
)

// Wall is a schedule by the clock on the wall of a place. robfig/cron leaves out what is due in the hour that the beginning of summer time
// skips, and runs twice what is due in the one that its end repeats. A Wall runs each once: in the skipped hour as much later as the clock is
// put forward, in the repeated one the first time.
type Wall struct {
	// fields is about a clock that is never changed.
	fields cron.Schedule
	place  *time.Location
}

var _ cron.Schedule = Wall{}

// NewWall reads five fields ("0 9 * * 1-5") and the IANA name of a time zone, "" for UTC.
func NewWall(fields, zone string) (Wall, error) {
	if strings.Contains(fields, "TZ=") || strings.HasPrefix(fields, "@every") {
		return Wall{}, fmt.Errorf("schedule %q: use five fields such as \"0 9 * * 1-5\"", fields)
	}
	s, err := Parse(fields)
	if err != nil {
		return Wall{}, err
	}
	place, err := time.LoadLocation(zone)
	if err != nil {
		return Wall{}, fmt.Errorf("time zone %q: %w", zone, err)
	}
	return Wall{s, place}, nil
}

// leap is more than a clock is ever changed by at once.
const leap = 3 * time.Hour

// Next is the first moment after t at which it is due; zero where there is none in the next five years. Around a change of the clock, what it
// shows later may be due earlier.
func (w Wall) Next(t time.Time) (next time.Time) {
	clock := onWall(t.In(w.place)).Add(-leap)
	for {
		clock = w.fields.Next(clock)
		if clock.IsZero() || !next.IsZero() && clock.Sub(onWall(next)) > leap {
			return next
		}
		if at := w.moment(clock); at.After(t) && (next.IsZero() || at.Before(next)) {
			next = at
		}
	}
}

// Last is the last moment until t, and not before from, at which it was due; zero where there is none.
func (w Wall) Last(from, t time.Time) (last time.Time) {
	for at := w.Next(from.Add(-time.Nanosecond)); !at.IsZero() && !at.After(t); at = w.Next(at) {
		last = at
	}
	return last
}

// onWall is what the clock shows, as a time in UTC.
func onWall(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), time.UTC)
}

// moment is when the clock first shows that. Of a time that it skips, it is when it would have been had the clock not been put forward.
func (w Wall) moment(clock time.Time) time.Time {
	const longest = 25 * time.Hour // than which no two offsets are further apart
	before := offset(clock.Add(-longest).In(w.place))
	after := offset(clock.Add(longest).In(w.place))
	first := clock.Add(-before)
	if onWall(first.In(w.place)).Equal(clock) || before == after {
		return first.In(w.place)
	}
	if second := clock.Add(-after); onWall(second.In(w.place)).Equal(clock) {
		return second.In(w.place)
	}
	return first.In(w.place)
}

// offset is that of a moment's zone from UTC.
func offset(t time.Time) time.Duration {
	_, seconds := t.Zone()
	return time.Duration(seconds) * time.Second
}
