package incident

import "time"

// mend finishes what a crash left half done between the entry of an outage and those of the applications that join it.
func (s *Store) mend(e *entry) {
	outage := s.byID(e.JoinedTo)
	if e.Phase == Open && !e.Outage() {
		outage = s.entries[s.outages[e.Members[0].App]]
	}
	switch {
	case e.Phase == Pending && s.superseded(e): // which was to be deleted
		s.unindex(e)
		e.dropped = true
	case e.Phase == Joined && outage == nil && e.JoinedLink == "": // the outage was never written
		e.Phase, e.JoinedTo, e.Expires = Open, "", time.Time{}
	case e.Phase == Open && outage != nil && e.Cause.Group == outage.Cause.Group: // only the outage was
		e.joins(outage, s.policy, outage.Changed)
	case e.Phase == Joined && outage != nil && e.JoinedLink == "" && outage.Thread.Permalink != "":
		e.goesOnAt(outage.Thread.Permalink, outage.Changed)
	case e.Phase == Open && outage != nil: // nor was it written which of the two it is in now; its own thread shows what it fails of
		s.takeOut(e.Members[0].App, outage, later(e.Changed, outage.Changed))
		return
	default:
		return
	}
	e.generation++
}

// superseded reports whether the application of a pending incident is shown in another one by now.
func (s *Store) superseded(waits *entry) bool {
	app := waits.Members[0].App
	return s.own[app] != waits.ID || s.outages[app] != "" || s.parents[app] != ""
}

// takeOut makes an application leave an outage. If it still fails of that, it joins again with the evidence of its next reading.
func (s *Store) takeOut(app App, outage *entry, at time.Time) {
	m := outage.Member(app)
	m.Well, m.Note = at, NoteOtherCause
	outage.generation++
	if s.outages[app] == outage.ID {
		delete(s.outages, app)
	}
}

// indexMember notes that an application is a member of an open outage. If the bot was killed after only the new one of two outages was
// saved, the application is still a member of the former as well: it leaves it now, because no later reading would make it leave.
func (s *Store) indexMember(app App, id string) {
	now, former := s.entries[id], s.entries[s.outages[app]]
	if former != nil && former.Changed.After(now.Changed) {
		now, former = former, now
	}
	s.outages[app] = now.ID
	if former != nil {
		s.takeOut(app, former, now.Changed)
	}
}

// endAbandoned ends an outage that all its applications have left.
func (s *Store) endAbandoned(e *entry) {
	if e.Phase != Open || !e.Outage() || len(e.Connections) > 0 { // which the next look at the connections ends
		return
	}
	var at time.Time
	for _, m := range e.Members {
		if m.Well.IsZero() || !m.left() {
			return
		}
		at = later(at, m.Well)
	}
	e.end(e.howOver(), at, nil, s.policy, at)
	e.generation++
}
