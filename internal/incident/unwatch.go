package incident

import (
	"slices"
	"time"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/text"
)

// NoteUnwatched is the note of members whose Argo CD is no longer in the configuration.
const NoteUnwatched = "no longer watched"

// Unwatched reports whether it is over because its Argo CD is no longer in the configuration. What became of the failure nobody knows.
func (i *Incident) Unwatched() bool { return i.Phase == Recovered && i.howOver() == Unwatched }

// Unwatch ends what is in progress about each Argo CD that is not among the instances: nobody reads its applications any more, so it would
// stay open for ever. It returns what is to be saved and told.
func (s *Store) Unwatch(instances []string, now time.Time) (touched []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	o := &observation{Store: s, policy: s.policy, now: now}
	for _, e := range s.entries {
		switch {
		case e.dropped:
		case e.Phase == Watching && !slices.Contains(instances, e.Cause.Subject):
			delete(s.watches, e.Cause.Subject)
			e.dropped = true
			o.touch(e)
		case e.Live():
			o.unwatch(e, instances)
		}
	}
	slices.Sort(o.Touched)
	return o.Touched
}

// unwatch takes the members of Argo CDs that are not among the instances out of an incident in progress.
func (o *observation) unwatch(e *entry, instances []string) {
	var removed []string
	for n, m := range e.Members {
		if slices.Contains(instances, m.App.Instance) || m.left() {
			continue
		}
		removed = append(removed, m.App.Instance)
		e.Members[n].Well, e.Members[n].Note = o.now, NoteUnwatched
		delete(o.outages, m.App)
		delete(o.listed, m.App)
	}
	for n, c := range e.Connections {
		if !c.left() && !slices.Contains(instances, c.Instance) { // one that is well may fail again, and nobody would see it
			removed = append(removed, c.Instance)
			e.Connections[n].Well, e.Connections[n].Note = o.now, NoteUnwatched
		}
	}
	switch {
	case len(removed) == 0:
	case e.Backlog():
		o.relisted(e)
		o.endBacklog(e)
	case e.Phase == Pending:
		o.drop(e)
	default: // all of its members are of one instance: see CauseOf
		slices.Sort(removed)
		how := []string{}
		for _, instance := range slices.Compact(removed) {
			how = append(how, text.Sentence(action.RemovedInstance(instance)))
		}
		e.forgetInterim(o.now)
		e.end(Unwatched, o.now, how, o.policy, o.now)
		if !e.Outage() {
			o.isOver(e.Incident)
		}
		o.touch(e)
	}
}
