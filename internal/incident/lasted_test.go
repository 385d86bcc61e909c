package incident

import (
	"testing"
	"time"
)

// TestHowLongAnOutageLasted: as long as its applications failed, unless it was about the connection alone in the end. A connection that was removed did not
// come back.
func TestHowLongAnOutageLasted(t *testing.T) {
	at := func(minutes int) time.Time { return morning.Add(time.Duration(minutes) * time.Minute) }
	for _, c := range []struct {
		name string
		// failed and well are those of the application, in minutes; the connection fails from 0.
		failed, well, connected, now int
		note                         string
		lasted                       time.Duration
		last                         bool
	}{
		{name: "both at once", failed: 120, well: 125, connected: 125, now: 125, lasted: 5 * time.Minute},
		{name: "the connection a little later", failed: 120, well: 125, connected: 130, now: 130, lasted: 5 * time.Minute},
		{name: "the connection much later", failed: 120, well: 125, connected: 240, now: 240, lasted: 4 * time.Hour, last: true},
		{name: "the application later", failed: 120, well: 240, connected: 125, now: 240, lasted: 2 * time.Hour},
		{name: "the connection was removed", failed: 120, well: 125, connected: 240, note: NoteRemoved, now: 240, lasted: 5 * time.Minute},
		{name: "nothing depends on it now", failed: 120, well: 125, connected: 240, note: NoteUnneeded, now: 240, lasted: 5 * time.Minute},
		{name: "the application fails now", failed: 120, connected: 125, now: 180, lasted: time.Hour},
		{name: "the connection fails now", failed: 120, well: 125, now: 240, lasted: 4 * time.Hour},
		{name: "nothing but the connection", connected: 60, now: 60, lasted: time.Hour},
	} {
		i := &Incident{Phase: Open, Since: morning, Connections: []Connection{{Since: morning, Note: c.note}}}
		if c.connected > 0 {
			i.Connections[0].Well = at(c.connected)
		}
		if c.failed > 0 {
			i.Members = []Member{{App: named("pay"), Since: at(c.failed)}}
		}
		if c.well > 0 {
			i.Members[0].Well = at(c.well)
		}
		if got := i.Lasted(at(c.now)); got != c.lasted || i.ConnectedLast() != c.last {
			t.Errorf("%s: it lasted %s, want %s; the connection alone in the end: %t", c.name, got, c.lasted, i.ConnectedLast())
		}
		i.spellEnds(RecoveredNow, at(c.now))
		if got := i.Past[0].Lasted(); got != c.lasted {
			t.Errorf("%s: on record it lasted %s", c.name, got)
		}
	}
}
