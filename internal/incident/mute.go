package incident

import (
	"slices"
	"time"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/text"
)

// Mute is the wish of somebody not to hear of a cause for a while: no reminder is told until then. The root message goes
// on showing the truth, and that it is muted and by whom. A recovery is told, and so is another cause, which is not muted; when the cause
// comes back it still is. The mute ends before its time if somebody takes it back, or if another cause lasts, which the thread says.
type Mute struct {
	By    action.Person `json:"by"`
	Until time.Time     `json:"until"`
	// Cause is the key of what it is about; empty in what an older release stored. Group is that of a shared cause, which is one whether
	// one application fails of it or many do.
	Cause string `json:"cause,omitempty"`
	Group string `json:"group,omitempty"`
	// Each says of an outage that nobody muted it: each of its applications is muted, until this the first of these mutes ends.
	Each bool `json:"each,omitempty"`
}

// about reports whether it is about a cause, which is known by that key.
func (m *Mute) about(key, group string) bool {
	return group != "" && m.Group == group || sameKey(m.Cause, key)
}

// Silenced is the mute of what the incident fails of now; nil for none.
func (i *Incident) Silenced() *Mute {
	if i.Muted == nil || i.Muted.Cause != "" && !i.Muted.about(i.announced(), i.Cause.Group) {
		return nil
	}
	return i.Muted
}

// mutes reports whether a cause is muted at a time.
func (i *Incident) mutes(c Cause, now time.Time) bool {
	return i.Muted != nil && i.Muted.about(c.Key, c.Group) && now.Before(i.Muted.Until)
}

// otherLasts is how long another cause than the muted one has to last until it ends the mute: what passes sooner is what is seen of an
// application while somebody repairs it.
const otherLasts = settleFor

// unmuteForOther ends a mute whose cause has made room for another one.
func (d *deciding) unmuteForOther() {
	i := d.next
	if i.Muted == nil || i.Silenced() != nil || d.now.Sub(i.otherSince()) < otherLasts {
		return
	}
	i.reply(Reply{Reason: Unmuted, At: d.now, Headline: headline(i.Report), Rule: i.Cause.Rule, Notes: []string{"This is not the cause that was muted."}})
	i.Muted, i.Changed = nil, d.now
}

// otherSince is since when an incident of one application fails of what it does now. Which of two errors a program fails of may change at each of its
// starts.
func (i *Incident) otherSince() time.Time { return later(i.Members[0].Since, i.Announced.Since) }

// enter makes a new incident the application's own.
func (o *observation) enter(i *Incident) *entry {
	e := &entry{}
	o.keepMute(i)
	o.entries[i.ID] = e
	o.own[o.seen.App] = i.ID
	return e
}

// keepMute takes over a mute of the same cause from an incident of the application that is over, or is told elsewhere. Of several, that which
// lasts longest.
func (o *observation) keepMute(i *Incident) {
	for _, e := range o.entries {
		if e.ID != i.ID && e.mutes(i.Cause, o.now) && !e.Muted.Each && e.Member(o.seen.App) != nil && (i.Muted == nil || e.Muted.Until.After(i.Muted.Until)) {
			i.Muted = e.Muted
		}
	}
}

// muteOutage has an outage that nobody muted silent while each of its applications is muted, for the same cause: whoever mutes one application may
// have no say in the others. A connection of Argo CD is muted with the outage alone.
func (o *observation) muteOutage(outage *entry) {
	was := outage.Muted
	if was != nil && !was.Each || !slices.ContainsFunc(outage.Members, func(m Member) bool { return !m.left() }) {
		return
	}
	outage.Muted = o.mutedByEach(outage)
	switch {
	case was == nil && outage.Muted == nil, was != nil && outage.Muted != nil && *was == *outage.Muted:
		return
	case was != nil && outage.Muted == nil && o.now.Before(was.Until):
		outage.reply(Reply{
			Reason: Unmuted, At: o.now, Headline: text.UpperFirst(outage.Cause.Subject), Rule: outage.Cause.Rule,
			Notes: []string{"Not all that fails of this cause is muted."},
		})
	}
	outage.Changed = o.now
	o.touch(outage)
}

// mutedByEach is the mute of the applications of an outage that ends first; nil unless all of them have one.
func (o *observation) mutedByEach(outage *entry) *Mute {
	if len(outage.Disconnected()) > 0 {
		return nil
	}
	mutes := map[App]*Mute{}
	for _, e := range o.entries {
		if e == outage || e.dropped || e.Outage() || !e.mutes(outage.Cause, o.now) {
			continue
		}
		if app := e.Members[0].App; mutes[app] == nil || e.Muted.Until.After(mutes[app].Until) {
			mutes[app] = e.Muted
		}
	}
	var first *Mute
	for _, m := range outage.Members {
		if m.left() {
			continue
		}
		mute := mutes[m.App]
		if mute == nil {
			return nil
		}
		if first == nil || mute.Until.Before(first.Until) {
			first = mute
		}
	}
	if first == nil {
		return nil
	}
	return &Mute{By: first.By, Until: first.Until, Cause: outage.Cause.Key, Group: outage.Cause.Group, Each: true}
}

// unmuteInTime ends a mute that is over, and reports whether it did.
func (i *Incident) unmuteInTime(now time.Time) bool {
	if i.Muted == nil || now.Before(i.Muted.Until) {
		return false
	}
	i.Muted = nil
	if i.Phase == Open || i.Phase == Recovered {
		i.Changed = now
	}
	return true
}

// Mute silences the open incident of an application until then, or ends that (until is zero, or over), also of one that has recovered: its mute
// holds for what comes back. Where it is asked for in the thread of an incident it is that one: the application may have joined an outage
// since, which nobody has spoken of. It returns what is to be saved and told; ok is false when there is no such incident.
func (s *Store) Mute(app App, by action.Person, until, now time.Time) (touched []string, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.openOf(app)
	if asked := s.asksToMute(app, by); asked != nil {
		e = asked
	}
	if e == nil || e.dropped || e.Phase != Open && (e.Phase != Recovered || until.After(now)) {
		return nil, false
	}
	var mute *Mute
	if until.After(now) {
		mute = &Mute{By: by, Until: until, Cause: e.announced(), Group: e.Cause.Group}
	}
	switch {
	case mute == nil && e.Muted == nil:
		return nil, true
	case mute != nil && e.Muted != nil && mute.By == e.Muted.By && mute.Until.Equal(e.Muted.Until):
		return nil, true
	}
	e.Muted, e.Changed = mute, now
	e.generation++
	return append(s.unmuteOthers(e), e.ID), true
}

// unmuteOthers leaves the mute of a cause to the incident in which somebody has just said how long it lasts, for all that fails in it. It returns
// what is to be saved.
func (s *Store) unmuteOthers(e *entry) (touched []string) {
	apps := e.Affected()
	shown := func(m Member) bool { return slices.Contains(apps, m.App) }
	for _, other := range s.entries {
		if other != e && other.Muted != nil && other.Muted.about(e.announced(), e.Cause.Group) && slices.ContainsFunc(other.Members, shown) {
			other.Muted = nil
			other.generation++
			touched = append(touched, other.ID)
		}
	}
	slices.Sort(touched)
	return touched
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
