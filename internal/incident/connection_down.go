package incident

import (
	"slices"
	"time"

	"github.com/argo-why/argo-why/internal/evidence"
)

// isDown puts a connection that fails into the incident of its cause: at once where there is one, else when it has failed for long enough.
func (o *observation) isDown(c *SeenConnection) {
	cause := CauseOf(c.Report)
	if cause.Rule == "" || o.policy.Ignored(cause.Rule) {
		return
	}
	if cause.Group == "" { // no cause that applications share, as far as their reports say: it is told, and nothing joins it
		cause.Subject = c.Kind + " " + c.Address
		cause.Group = c.Instance + " " + cause.Rule + ": " + cause.Subject
	}
	at := place(o.policy.ConnectionChannel, cause.Group)
	outage := o.entries[o.shared[at]]
	if posted := o.shownIn(c, cause); posted != nil { // it stays where it is, whatever the configuration says now
		o.moveWarning(posted)
		outage = posted
	}
	if outage != nil && outage.dropped {
		outage = nil
	}
	if o.disproved(c, outage) {
		return
	}
	first := o.fails(c, cause)
	if former := o.failsIn(c); former != nil && former.Cause.Group != cause.Group {
		if first = o.disconnected[keyOf(&c.Connection)].of; !o.lasts(first, o.mustLast(c, cause, outage)) {
			return
		}
		o.leaves(c, NoteOtherCause, cause.Group)
	}
	if outage != nil && outage.Phase == Open {
		o.connectionJoins(outage, c)
		return
	}
	if !o.lasts(first, o.policy.OpenAfter(cause.Rule)) {
		return
	}
	c.Since = first
	if c.OfController() && !c.Tested.IsZero() && c.Tested.Before(first) { // it has been silent since its last report
		c.Since = c.Tested
	}
	if outage != nil && (o.now.Sub(outage.RecoveredAt) <= o.policy.ReopenWithin || outage.mutes(outage.Cause, o.now)) {
		o.reopenOutage(outage, c.Report, c.Since)
	} else {
		outage = o.beginShared(cause, c.Report, c.Since, o.policy.ConnectionChannel)
	}
	o.connectionJoins(outage, c)
	if alike := o.alike(at); len(alike) > 0 && o.policy.GroupFrom > 0 {
		o.join(outage, alike)
	}
}

// moveWarning takes a warning that Slack has refused to where the configuration says now: somebody may have put it right. Where applications fail of it
// as well, these move it.
func (o *observation) moveWarning(e *entry) {
	to, group := o.policy.ConnectionChannel, e.Cause.Group
	if len(e.Members) > 0 || !e.refusedFor(to) {
		return
	}
	if there := o.entries[o.shared[place(to, group)]]; there != nil && there.Phase == Open {
		return
	}
	delete(o.shared, place(e.Channel, group))
	e.Channel, e.Changed, o.shared[place(to, group)] = to, o.now, e.ID
	o.touch(e)
}

// disproved reports whether the test of a repository is older than the sight of an application that depends on it and recovered of that cause.
// Then the repository counts as well, until it fails in a newer test.
func (o *observation) disproved(c *SeenConnection, outage *entry) bool {
	if outage == nil || c.Kind != string(evidence.ConnectionToRepository) || c.Tested.IsZero() {
		return false
	}
	var proven time.Time
	for n := range outage.Connections {
		if d := &outage.Connections[n]; d.same(&c.Connection) && d.Proven.After(c.Tested) {
			proven = d.Proven
		}
	}
	for _, m := range outage.Members {
		first := proven.IsZero() || m.Well.Before(proven)
		if first && !m.left() && m.Well.After(c.Tested) && slices.Contains(c.Dependents, m.App) {
			proven = m.Well
		}
	}
	if proven.IsZero() {
		return false
	}
	delete(o.disconnected, keyOf(&c.Connection))
	for n := range outage.Connections {
		d := &outage.Connections[n]
		if outage.Phase != Open || !d.Well.IsZero() || !d.same(&c.Connection) {
			continue
		}
		d.Well, d.Proven, outage.Changed = proven, proven, o.now
		o.touch(outage)
	}
	return true
}

// down is since when a connection fails, and since when it does of the cause of a group.
type down struct {
	since, of time.Time
	group     string
}

// fails notes that a connection fails, and of what. It returns since when it fails.
func (o *observation) fails(c *SeenConnection, cause Cause) time.Time {
	d, known := o.disconnected[keyOf(&c.Connection)]
	if !known {
		d.since = o.now
	}
	if !known || d.group != cause.Group {
		d.of, d.group = o.now, cause.Group
	}
	o.disconnected[keyOf(&c.Connection)] = d
	return d.since
}

// lasts reports whether what is seen again now has lasted for long enough.
func (o *observation) lasts(first time.Time, wait time.Duration) bool {
	return first.Before(o.now) && o.now.Sub(first) >= wait
}

// failsIn is the open incident that shows a connection to fail; nil if there is none.
func (o *observation) failsIn(c *SeenConnection) *entry {
	for _, e := range o.openConnections(c.Instance) {
		if slices.ContainsFunc(e.Disconnected(), func(d Connection) bool { return d.same(&c.Connection) }) {
			return e
		}
	}
	return nil
}

// shownIn is the open incident of a cause that has a connection already, in any channel; nil if there is none.
func (o *observation) shownIn(c *SeenConnection, cause Cause) *entry {
	for _, e := range o.openConnections(c.Instance) {
		has := func(d Connection) bool { return !d.left() && d.same(&c.Connection) }
		if e.Cause.Group == cause.Group && slices.ContainsFunc(e.Connections, has) {
			return e
		}
	}
	return nil
}

// mustLast is how long a connection that people know to fail must fail of another cause before it is moved. One whose error alternates would
// move for ever: it goes back to where it was as slowly as an application that somebody fixes.
func (o *observation) mustLast(c *SeenConnection, cause Cause, to *entry) time.Duration {
	wait := o.policy.OpenAfter(cause.Rule)
	back := func(d Connection) bool { return d.Note == NoteOtherCause && d.same(&c.Connection) }
	if to != nil && slices.ContainsFunc(to.Connections, back) {
		wait = max(wait, settleFor)
	}
	return wait
}
