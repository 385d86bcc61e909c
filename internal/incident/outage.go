package incident

import (
	"fmt"
	"slices"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/text"
)

// place is where the applications of one shared cause meet: teams with a channel of their own are told there.
func place(channel, group string) string { return channel + "\n" + group }

// left reports whether an application is no part of the outage any more: it fails of something else now, or is gone. One
// that is only well still is, until the outage is over.
func (m Member) left() bool { return m.Note != "" }

// The notes of members that left.
const (
	NoteOtherCause = "another cause now"
	NoteDeleted    = "deleted"
)

// gather puts an open incident into the outage of its cause: the one that is open already, or a new one if it is the last
// that was missing.
func (o *observation) gather(e *entry) {
	group := e.Cause.Group
	if group == "" || o.policy.GroupFrom <= 0 || !e.seenSo() {
		return
	}
	if outage := o.posted(e); outage != nil {
		o.join(outage, []*entry{e})
		return
	}
	at := place(e.Channel, group)
	outage := o.entries[o.shared[at]]
	if outage != nil && outage.dropped {
		outage = nil
	}
	alike := o.alike(at)
	if len(alike) < o.policy.GroupFrom {
		return
	}
	if outage == nil || o.now.Sub(outage.RecoveredAt) > o.policy.ReopenWithin && !(outage.mutes(outage.Cause, o.now) && outage.hadAll(alike)) {
		outage = o.beginShared(e.Cause, alike[0].Report, firstFailed(alike), e.Channel)
	} else {
		o.reopenOutage(outage, alike[0].Report, firstFailed(alike))
	}
	o.join(outage, alike)
}

// firstFailed is since when the first of several applications fails of the cause that they share. What it failed of before is no part of it.
func firstFailed(alike []*entry) time.Time {
	first := alike[0].Members[0].Since
	for _, e := range alike {
		if at := e.Members[0].Since; at.Before(first) {
			first = at
		}
	}
	return first
}

// hadAll reports whether all of these applications were members before: nobody need be shown a new one.
func (i *Incident) hadAll(those []*entry) bool {
	return !slices.ContainsFunc(those, func(e *entry) bool { return i.Member(e.Members[0].App) == nil })
}

// posted is the outage that is open for the cause of an incident; nil if there is none.
func (o *observation) posted(e *entry) *entry {
	if e.Cause.Group == "" || o.policy.GroupFrom <= 0 {
		return nil
	}
	outage := o.entries[o.shared[place(e.Channel, e.Cause.Group)]]
	if outage == nil || outage.dropped || outage.Phase != Open {
		return nil
	}
	return outage
}

// alike are the live incidents of single applications in that place that were last seen to fail of that cause, ordered by application.
func (o *observation) alike(at string) []*entry {
	var out []*entry
	for _, e := range o.entries {
		if e.Live() && !e.dropped && !e.unseen && !e.Outage() && e.seenSo() && place(e.Channel, e.Cause.Group) == at {
			out = append(out, e)
		}
	}
	slices.SortFunc(out, func(x, y *entry) int { return Compare(x.Members[0].App, y.Members[0].App) })
	return out
}

// seenSo reports whether the one application of an incident was last seen to fail of its cause: not to be well, nor to fail of something else.
func (i *Incident) seenSo() bool { return i.Interim == nil && len(i.Failing()) > 0 }

// beginShared is a new incident of a cause that applications share.
func (o *observation) beginShared(c Cause, r *diagnose.Report, since time.Time, channel string) *entry {
	i := &Incident{
		ID: name(c.Subject, fmt.Sprintf("%s %s %d", channel, c.Group, o.now.UnixNano())), Phase: Open,
		Cause:  Cause{Rule: c.Rule, Key: c.Group, Fingerprint: c.Group, Group: c.Group, Subject: c.Subject},
		Report: r.OfMany(), Since: since, Seen: o.now, OpenedAt: o.now, NudgedAt: o.now, Channel: channel,
	}
	outage := &entry{Incident: i}
	o.entries[i.ID] = outage
	o.shared[place(i.Channel, c.Group)] = i.ID
	return outage
}

// reopenOutage has an outage go on in its thread. It fails again since then, as far as is known.
func (o *observation) reopenOutage(e *entry, r *diagnose.Report, since time.Time) {
	since = later(since, e.RecoveredAt)
	back := Reply{Reason: Reopened, At: o.now, Headline: text.UpperFirst(e.Cause.Subject), Rule: e.Cause.Rule}
	if e.howOver() == RecoveredNow { // it was healthy meanwhile
		back.Lasted = since.Sub(e.RecoveredAt)
	}
	e.Members, e.Connections, e.Report = nil, nil, r.OfMany()
	o.parentsOfNow(e)
	e.reply(back)
	e.Phase, e.ReopenedAt, e.NudgedAt = Open, since, o.now
	e.RecoveredAt, e.Expires, e.Resolution = time.Time{}, time.Time{}, nil
}

// join moves incidents of single applications into the outage. Those that people know of say where they go on; of the
// others nobody needs to know.
func (o *observation) join(outage *entry, those []*entry) {
	for _, e := range those {
		m := e.Members[0]
		m.says(e.Report)
		m.Well, m.Note = time.Time{}, ""
		o.firstFails(outage, e)
		outage.admit(m)
		o.outages[m.App] = outage.ID
		o.offList(m.App, e.Cause)
		o.passOn(e, outage)
		if m.Since.Before(outage.Since) && outage.ReopenedAt.IsZero() {
			outage.Since = m.Since
		}
		if !e.attempted {
			o.drop(e)
			continue
		}
		e.joins(outage, o.policy, o.now)
		o.touch(e)
	}
	if outage.Muted != nil || len(outage.Members) == len(those) { // who joins others ends a mute at most
		o.muteOutage(outage)
	}
	outage.Changed = o.now
	o.touch(outage)
	o.ID = outage.ID
	if o.Reason == Opened || o.Reason == CauseChanged || o.Reason == Reopened {
		o.Reason = Grouped
	}
}

// joins makes an incident that people may know of one that is told in the thread of an outage.
func (e *entry) joins(outage *entry, p Policy, now time.Time) {
	e.Report = e.Report.OfMany() // its headline no longer shows the cause, the line below that does
	e.Phase, e.JoinedTo, e.Expires, e.Changed = Joined, outage.ID, now.Add(p.KeepFor), now
	e.Interim, e.Progress = nil, ""
	e.Outbox = slices.DeleteFunc(e.Outbox, func(r Reply) bool { return r.Reason == CauseChanged && r.At.Equal(now) }) // the outage says it
	e.goesOnAt(outage.Thread.Permalink, now)
}

// goesOnAt says, once, in the thread of a joined incident where it continues; not before that thread has a link.
func (i *Incident) goesOnAt(link string, now time.Time) {
	if link == "" || i.JoinedLink != "" {
		return
	}
	i.JoinedLink = link
	i.reply(Reply{Reason: Grouped, At: now, Rule: i.Cause.Rule, Link: link})
}

// admit adds a member, or one that was away, in its place.
func (i *Incident) admit(m Member) {
	at, ok := slices.BinarySearchFunc(i.Members, m.App, func(m Member, app App) int { return Compare(m.App, app) })
	if ok {
		i.Members[at] = m
		return
	}
	i.Members = slices.Insert(i.Members, at, m)
	i.forgetLeft()
}
