package incident

import (
	"slices"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
)

// inOutage decides about an application that is a member of an outage. It is false when it leaves it, so that its own
// incident is to be decided on.
func (o *observation) inOutage(e *entry) bool {
	o.ID = e.ID
	cause, member := CauseOf(o.seen.Report), *e.Member(o.seen.App)
	was := member
	switch {
	case o.seen.Gone:
		member.Well, member.Note = o.now, NoteDeleted
	case cause.Group == e.Cause.Group:
		member.Well = time.Time{}
		if headline(o.seen.Report) != "" {
			member.says(o.seen.Report)
		}
		o.moveOutage(e)
	case cause.Rule != "" && !o.policy.Ignored(cause.Rule):
		member.Well, member.Note = o.now, NoteOtherCause
	case member.Well.IsZero() && !moving(o.seen):
		member.Well = o.now
	}
	*e.Member(o.seen.App) = member
	o.Reason = Nothing
	if member.Well.IsZero() != was.Well.IsZero() || member.Note != was.Note {
		o.Reason = MembersChanged
		e.Changed = o.now
		o.touch(e)
	}
	if member.left() {
		delete(o.outages, member.App)
		o.muteOutage(e)
	}
	if holding := o.after(e); holding && member.left() {
		o.lookAtRest(e)
	}
	o.Again = e.again(o.Again, o.seen, o.now)
	return member.Note != NoteOtherCause
}

// lookAtRest has an outage looked at when it may be over, by an application that is still part of it: the one that was seen now has left.
func (o *observation) lookAtRest(e *entry) {
	rest := slices.IndexFunc(e.Members, func(m Member) bool { return !m.left() })
	if rest >= 0 {
		o.Rest, o.RestAgain, o.Again = e.Members[rest].App, o.Again, 0
	}
}

// moveOutage takes an outage that Slack has refused to where the configuration says now.
func (o *observation) moveOutage(e *entry) {
	from := e.Channel
	if !e.move(o.seen, o.policy, o.now) {
		return
	}
	delete(o.shared, place(from, e.Cause.Group))
	o.shared[place(e.Channel, e.Cause.Group)] = e.ID
	o.touch(e)
}

// after is what becomes of the outage as a whole. holding: all are well, and it is over when they still are after a while.
func (o *observation) after(e *entry) (holding bool) {
	var well, mayReturn time.Time // since when all are, and all that have not left
	proven := false               // by an application that has not
	for _, m := range e.Members {
		if m.Well.IsZero() {
			o.remind(e)
			return false
		}
		well = later(well, m.Well)
		if !m.left() {
			mayReturn, proven = later(mayReturn, m.Well), true
		}
	}
	for n := range e.Connections {
		c := &e.Connections[n]
		if c.Well.IsZero() {
			o.remind(e)
			return false
		}
		if !proven || c.Well.Sub(well) > testKept { // else it was over when the applications were well: Argo CD tests its connections later
			well = later(well, c.Well)
		}
		if !c.left() {
			mayReturn = later(mayReturn, c.Well)
		}
	}
	if wait := o.policy.HoldFor - o.now.Sub(mayReturn); wait > 0 {
		if o.Reason == Nothing {
			o.Reason = Holding
		}
		o.Again = wait
		return true
	}
	o.Reason = e.howOver()
	e.end(o.Reason, well, nil, o.policy, o.now) // there is no one revision that did it
	for _, m := range e.Members {
		if o.outages[m.App] == e.ID {
			delete(o.outages, m.App)
		}
	}
	o.touch(e)
	return false
}

// Ended is how it ended: [Nothing] while it goes on.
func (i *Incident) Ended() Reason {
	if i.Phase != Recovered {
		return Nothing
	}
	return i.howOver()
}

// howOver is the reason that an incident is over when nothing of it fails any more.
func (i *Incident) howOver() Reason {
	has := func(note string) bool {
		return slices.ContainsFunc(i.Members, func(m Member) bool { return m.Note == note }) ||
			slices.ContainsFunc(i.Connections, func(c Connection) bool { return c.Note == note })
	}
	switch {
	case has(NoteUnwatched): // green is a claim, also about those that were well before
		return Unwatched
	case has(""):
		return RecoveredNow
	case has(NoteOtherCause):
		return Over
	case has(NoteRemoved):
		return Removed
	case has(NoteUnneeded):
		return Unneeded
	}
	return Deleted
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

func moving(seen Seen) bool {
	return seen.Report != nil && seen.Report.Verdict == diagnose.VerdictProgressing
}
