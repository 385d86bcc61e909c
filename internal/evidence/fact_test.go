package evidence_test

import (
	"context"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/evidence"
)

// eventsOf is a source of events alone.
type eventsOf struct {
	evidence.Source
	events []evidence.Event
}

func (s eventsOf) Events(context.Context, evidence.ObjectQuery) ([]evidence.Event, error) {
	return s.events, nil
}

// TestEventsOfAFormerPodAreNotThoseOfThePod: a StatefulSet gives a new pod the name of the one before.
func TestEventsOfAFormerPodAreNotThoseOfThePod(t *testing.T) {
	created := time.Date(2026, 11, 27, 8, 34, 39, 0, time.UTC)
	event := func(uid string, at time.Time) evidence.Event {
		e := evidence.Event{LastTimestamp: evidence.Time{Time: at}}
		e.InvolvedObject.UID = uid
		return e
	}
	for name, c := range map[string]struct {
		event evidence.Event
		uid   string
		want  int
	}{
		"its own":                              {event("new", created.Add(time.Second)), "new", 1},
		"of another UID":                       {event("old", created.Add(time.Second)), "new", 0},
		"without UID, since it was created":    {event("", created), "new", 1},
		"without UID, before it was created":   {event("", created.Add(-time.Second)), "new", 0},
		"UID not known, before it was created": {event("old", created.Add(-time.Second)), "", 0},
		"without any time":                     {event("", time.Time{}), "new", 1},
	} {
		q := evidence.ObjectQuery{UID: c.uid, Created: evidence.Time{Time: created}}
		got, err := evidence.FactEvents(q).Read(t.Context(), eventsOf{events: []evidence.Event{c.event}})
		if err != nil || len(got) != c.want {
			t.Errorf("%s: %d events, want %d (%v)", name, len(got), c.want, err)
		}
	}
}
