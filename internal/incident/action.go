package incident

import (
	"cmp"
	"encoding/json"
	"slices"
	"time"

	"github.com/argo-why/argo-why/internal/action"
)

const (
	// keepActions are listed in an incident; the ActionLog of the application has the others.
	keepActions = 10
	// keepNoted is far more actions than have notes to tell at one time.
	keepNoted = 50
)

// Noted is how far the notes of an action were put into the thread.
type Noted struct {
	// Record is the ID of the action, Note the number of its last note, Reply that of the reply which tells it.
	Record string `json:"record"`
	Note   int    `json:"note"`
	Reply  int    `json:"reply"`
}

// Snapshot is what an incident shows of an action: all but what the process that does it notes for itself.
func Snapshot(r *action.Record) *action.Record {
	c := *r
	c.Notes, c.LastNote, c.Holder, c.Lease = nil, 0, "", time.Time{}
	return &c
}

// Show brings an action as it is now into the incident that it was asked for in. One that was asked for under an answer is
// shown in the open incident of its application, if there is one. It returns what is to be saved and told: nothing when that
// shows it already, or when there is no such incident.
func (s *Store) Show(r *action.Record, now time.Time) (touched []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.show(r, now)
}

func (s *Store) show(r *action.Record, now time.Time) (touched []string) {
	e := s.byID(r.Place.Incident)
	if r.Place.Incident == "" {
		e = s.concerned(r)
	}
	if e == nil || e.dropped || !e.put(Snapshot(r)) {
		return nil
	}
	e.Changed = now
	e.generation++
	return []string{e.ID}
}

// concerned is the incident that an action which was asked for elsewhere is shown in: the one that lists it, else, while it
// is not over, the open one of its application.
func (s *Store) concerned(r *action.Record) *entry {
	for _, e := range s.entries {
		if slices.ContainsFunc(e.Actions, func(o *action.Record) bool { return o.ID == r.ID }) {
			return e
		}
	}
	if r.State.Over() {
		return nil
	}
	return s.openOf(r.App)
}

// put lists an action among those of the incident, and reports whether that changed anything.
func (i *Incident) put(r *action.Record) bool {
	was := i.Actions
	list := slices.Clone(was)
	at := slices.IndexFunc(list, func(o *action.Record) bool { return o.ID == r.ID })
	switch {
	case at < 0:
		list = append(list, r)
	case list[at].State.Over() && !r.State.Over(): // older than what is known
		return false
	default:
		list[at] = r
	}
	slices.SortStableFunc(list, func(x, y *action.Record) int { return cmp.Or(x.At.Compare(y.At), cmp.Compare(x.ID, y.ID)) })
	for len(list) > keepActions {
		oldest := slices.IndexFunc(list, func(o *action.Record) bool { return o.State.Over() })
		if oldest < 0 {
			break
		}
		list = slices.Delete(list, oldest, oldest+1)
	}
	if slices.EqualFunc(list, was, sameRecord) {
		return false
	}
	i.Actions = list
	return true
}

// sameRecord compares what is stored: a time that came back from the journal is equal to the one that went there.
func sameRecord(x, y *action.Record) bool {
	a, errA := json.Marshal(x)
	b, errB := json.Marshal(y)
	return errA == nil && errB == nil && string(a) == string(b)
}

// Note puts a note of an action into the thread of the incident that it was asked for in, also of one that is over or joined
// to another, and the action as it is now into its list: after a restart nobody shows an action that is over. The same note
// twice is told once, also after a restart. It returns what is to be saved and told; ok is false when there is no such
// incident (any more), and the note is to be told elsewhere.
func (s *Store) Note(r *action.Record, n action.Note, now time.Time) (touched []string, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.byID(r.Place.Incident)
	if e == nil || e.dropped {
		return s.show(r, now), false
	}
	listed, known := e.put(Snapshot(r)), n.Number <= e.noted(r.ID)
	if known && !listed {
		return nil, true
	}
	if r.State != action.Waiting {
		e.Outbox = slices.DeleteFunc(slices.Clone(e.Outbox), func(due Reply) bool { return due.asksAgain() && due.Action.ID == r.ID })
	}
	if !known {
		e.reply(Reply{Reason: Acted, At: n.At, Action: Snapshot(r), Note: &n})
		e.note(Noted{Record: r.ID, Note: n.Number, Reply: e.LastReply})
		e.NudgedAt = now
	}
	e.Changed = now
	e.generation++
	return []string{e.ID}, true
}

// askAgain has the requests that wait for approval posted once more: the thread with their buttons was deleted.
func (i *Incident) askAgain() {
	for _, r := range i.Actions {
		due := slices.ContainsFunc(i.Outbox, func(d Reply) bool { return d.Note != nil && d.Note.State == action.Waiting && d.Action.ID == r.ID })
		if r.State == action.Waiting && !due {
			i.reply(Reply{Reason: Acted, At: r.At, Action: r, Note: &action.Note{State: action.Waiting, At: r.At, Text: r.Summary}})
		}
	}
}

// asksAgain reports whether it repeats a request: it tells no note of the record, whose numbers begin with 1.
func (r *Reply) asksAgain() bool { return r.Note != nil && r.Note.Number == 0 }

// Told reports whether a note of an action is told, and gives a channel that is closed when the answer may be another. known
// is false when there is no such incident any more.
func (s *Store) Told(r *action.Record, n action.Note) (told, known bool, news <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.byID(r.Place.Incident)
	if e == nil || e.dropped {
		return false, false, s.news
	}
	due := slices.ContainsFunc(e.Outbox, func(d Reply) bool { return d.Note != nil && d.Action.ID == r.ID && d.Note.Number == n.Number })
	return !due && n.Number <= e.noted(r.ID), true, s.news
}

// wake has those look again who wait for a reply to be told.
func (s *Store) wake() {
	close(s.news)
	s.news = make(chan struct{})
}
