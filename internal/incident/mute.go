package incident

import (
	"time"

	"github.com/argo-why/argo-why/internal/action"
)

// Mute is the wish of somebody not to hear of an incident for a while: no reminder is told until then. The root message goes
// on showing the truth, and that it is muted and by whom. Another cause is told, and so is the recovery; both end it, since
// what comes after them is not what was muted.
type Mute struct {
	By    action.Person `json:"by"`
	Until time.Time     `json:"until"`
}

// unmuteInTime ends a mute that is over, and reports whether it did.
func (i *Incident) unmuteInTime(now time.Time) bool {
	if i.Muted == nil || now.Before(i.Muted.Until) {
		return false
	}
	i.Muted, i.Changed = nil, now
	return true
}

// Mute silences the open incident of an application until then, or ends that (until is zero, or over). Where it is asked for
// in the thread of an incident it is that one: the application may have joined an outage since, which nobody has spoken of. It
// returns what is to be saved and told; ok is false when there is no open incident.
func (s *Store) Mute(app App, by action.Person, until, now time.Time) (touched []string, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.openOf(app)
	if asked := s.asksToMute(app, by); asked != nil {
		e = asked
	}
	if e == nil || e.dropped || e.Phase != Open {
		return nil, false
	}
	var mute *Mute
	if until.After(now) {
		mute = &Mute{By: by, Until: until}
	}
	switch {
	case mute == nil && e.Muted == nil:
		return nil, true
	case mute != nil && e.Muted != nil && mute.By == e.Muted.By && mute.Until.Equal(e.Muted.Until):
		return nil, true
	}
	e.Muted, e.Changed = mute, now
	e.generation++
	return []string{e.ID}, true
}

// asksToMute is the incident in whose thread a mute of the application is being done, the one asked for last; nil when there
// is none.
func (s *Store) asksToMute(app App, by action.Person) (in *entry) {
	var last time.Time
	for _, e := range s.entries {
		for _, r := range e.Actions {
			if r.Kind == action.Mute && r.State == action.Running && r.App == app && r.By == by && r.At.After(last) {
				in, last = e, r.At
			}
		}
	}
	return in
}
