package action

import (
	"testing"
	"time"
)

// TestALogIsOutdatedWhenAllOfItIs: what is live, or not told yet, is needed however old it is.
func TestALogIsOutdatedWhenAllOfItIs(t *testing.T) {
	now := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	record := func(age time.Duration, state State, notes int) *Record {
		return &Record{State: state, At: now.Add(-age), Notes: make([]Note, notes)}
	}
	const day = 24 * time.Hour
	for name, c := range map[string]struct {
		records []*Record
		want    bool
	}{
		"all is old":        {[]*Record{record(100*day, Done, 0), record(91*day, Failed, 0)}, true},
		"there is nothing":  {nil, true},
		"one is not":        {[]*Record{record(100*day, Done, 0), record(89*day, Done, 0)}, false},
		"one waits":         {[]*Record{record(100*day, Waiting, 0)}, false},
		"one is not told":   {[]*Record{record(100*day, Done, 1)}, false},
		"one is being done": {[]*Record{record(100*day, Running, 0)}, false},
	} {
		if got := (&Log{Records: c.records}).Outdated(now); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
