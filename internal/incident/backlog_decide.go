package incident

import (
	"fmt"
	"reflect"
	"slices"
	"time"
)

// What becomes of an application that is listed, or is about to be.

// list puts the application into the backlog of its channel.
func (o *observation) list() {
	o.forgetPending()
	b := o.backlog()
	m := Member{App: o.seen.App, Since: since(o.seen, o.now), Cause: CauseOf(o.seen.Report)}
	m.says(o.seen.Report)
	b.admit(m)
	if m.Since.Before(b.Since) {
		b.Since = m.Since
	}
	o.listed[m.App] = b.ID
	o.Reason, o.ID = Listed, b.ID
	o.relisted(b)
}

// relisted notes a change of a backlog. One that is being gathered is not written down: after a crash it is gathered again.
func (o *observation) relisted(b *entry) {
	b.Changed = o.now
	if b.Phase != Pending {
		o.touch(b)
	}
}

// backlog is the one that is being gathered for the channel of the application, or was posted in it lately; else a new one, which
// people are told of by a new message.
func (o *observation) backlog() *entry {
	channel := o.policy.Channel(o.seen.App, o.seen.Report.Context.Project)
	if b := o.entries[o.backlogs[channel]]; b != nil && !b.dropped && (b.Phase == Pending || b.Phase == Open && o.now.Sub(b.OpenedAt) < o.policy.QuietAfter) {
		return b
	}
	i := &Incident{
		ID: name(AlreadyFailing, fmt.Sprintf("%s %s %s %d", AlreadyFailing, o.policy.Shard.Name, channel, o.now.UnixNano())), Phase: Pending, Shard: o.policy.Shard.Name,
		Cause: Cause{Rule: AlreadyFailing, Key: AlreadyFailing}, Since: o.now, Seen: o.now, Channel: channel,
	}
	b := &entry{Incident: i}
	o.entries[i.ID] = b
	o.backlogs[channel] = i.ID
	return b
}

// inBacklog decides about an application that is listed.
func (o *observation) inBacklog(b *entry) {
	if o.moved(b) {
		return
	}
	m := b.Member(o.seen.App)
	was := *m
	cause := CauseOf(o.seen.Report)
	fails := cause.Rule != "" && !o.policy.Ignored(cause.Rule)
	if fails && m.Wanted {
		o.begin(*m, cause)
	}
	child := o.liveOf(cause.Child)
	switch {
	case fails && child != nil && child.Phase == Open && o.withChild():
		o.offList(m.App, cause)
		return
	case fails && m.Cause.same(cause) && !m.Wanted:
		m.Well, m.Headline, m.Cause = time.Time{}, headline(o.seen.Report), cause
		o.forgetPending()
		o.Reason, o.ID = Nothing, b.ID
	case fails:
		m.Well = time.Time{}
		o.alone()
		if o.openOf(m.App) != nil {
			o.offList(m.App, cause)
		}
	case o.seen.Gone:
		o.alone()
		m.Well, m.Note = o.now, NoteDeleted
	case moving(o.seen):
		o.alone()
	default:
		o.alone()
		o.listedIsWell(m)
	}
	if !reflect.DeepEqual(*m, was) {
		o.relisted(b)
	}
	if m.left() {
		delete(o.listed, m.App)
		o.endBacklog(b)
	}
}

// offList takes an application that has a thread now off its list.
func (o *observation) offList(app App, cause Cause) {
	b := o.entries[o.listed[app]]
	if b == nil {
		return
	}
	m := b.Member(app)
	m.Well, m.Note = o.now, NoteOtherCause
	if m.Cause.same(cause) {
		m.Note = NoteThread
	}
	delete(o.listed, app)
	o.relisted(b)
	o.endBacklog(b)
}

// moved takes an application out of a backlog that Slack has refused, if it would be listed elsewhere now: somebody may have put
// the channel right.
func (o *observation) moved(b *entry) bool {
	if o.seen.Report == nil || !b.refusedFor(o.policy.Channel(o.seen.App, o.seen.Report.Context.Project)) {
		return false
	}
	b.Members = slices.DeleteFunc(b.Members, func(m Member) bool { return m.App == o.seen.App })
	delete(o.listed, o.seen.App)
	if len(b.Listed()) == 0 { // and nobody was told of those that have left it
		b.dropped = true
	}
	o.relisted(b)
	if CauseOf(o.seen.Report).Rule != "" {
		o.list()
	}
	return true
}

// listedIsWell: it does not fail, which has to last for some time.
func (o *observation) listedIsWell(m *Member) {
	if m.Well.IsZero() {
		m.Well = o.now
	}
	if wait := o.policy.HoldFor - o.now.Sub(m.Well); wait > 0 {
		o.Reason, o.Again = Holding, wait
		return
	}
	o.Reason, m.Note = RecoveredNow, NoteRecovered
}

// forgetPending: what it failed of in between has passed.
func (o *observation) forgetPending() {
	if e := o.entries[o.own[o.seen.App]]; e != nil && e.Phase == Pending {
		o.drop(e)
	}
}

// begin is an incident about a listed application that somebody asked for, to be told at once: it has failed since it is listed. As
// one of a shared cause it waits a moment for the others, of which two are enough: a person asked for one thread.
func (o *observation) begin(m Member, cause Cause) {
	p := o.policy
	p.OpenAfter = func(string) time.Duration { return 0 }
	if p.GroupFrom > 0 {
		p.GroupFrom = min(p.GroupFrom, 2)
	}
	o.policy = p
	if e := o.entries[o.own[m.App]]; e != nil && !e.dropped && (e.Live() || sameKey(e.Cause.Key, cause.Key)) { // one that is over comes back, or not
		return
	}
	i := begin(o.seen, cause, p, o.now)
	i.Since, i.Members[0].Since = m.Since, m.Since
	o.entries[i.ID] = &entry{Incident: i}
	o.own[m.App] = i.ID
}

// endBacklog ends a backlog of which nothing is left.
func (o *observation) endBacklog(b *entry) {
	if len(b.Listed()) > 0 || b.Phase == Recovered {
		return
	}
	if b.Phase == Pending { // and nobody was told
		b.dropped = true
		delete(o.entries, b.ID)
		return
	}
	b.Phase, b.RecoveredAt, b.Expires = Recovered, o.now, o.now.Add(o.policy.KeepFor)
	o.relisted(b)
}
