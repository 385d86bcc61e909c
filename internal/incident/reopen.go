package incident

import (
	"slices"
	"time"
)

// announced is the key of the cause that people were told of. Incidents that an older release has stored may have shown another one
// since.
func (i *Incident) announced() string {
	if i.Announced.Key != "" {
		return i.Announced.Key
	}
	return i.Cause.Key
}

// keepTold is how many causes of one thread are remembered.
const keepTold = 10

// reopensWith reports whether a recovered incident goes on with that cause.
func (i *Incident) reopensWith(c Cause, p Policy, now time.Time) bool {
	known := sameKey(i.announced(), c.Key) || i.told(c.Key)
	return known && i.Phase == Recovered && (now.Sub(i.RecoveredAt) <= p.ReopenWithin || i.mutes(c, now))
}

// told reports whether the thread was about a cause before.
func (i *Incident) told(cause string) bool {
	return slices.ContainsFunc(i.Told, func(told string) bool { return sameKey(told, cause) })
}

// toldOfObject reports whether the thread was about a cause before, and is now about another error of the same resource. Some programs fail of one
// thing at one start and of another at the next, which is worth one message each.
func (i *Incident) toldOfObject(cause string) bool {
	return sameObject(i.announced(), cause) && i.told(cause)
}

// comesBack: the same cause, soon after it was over. It waits as long as a new one.
func (d *deciding) comesBack() Decision {
	i := d.next
	if i.FailingAgain.IsZero() {
		i.FailingAgain = d.now
		if at := since(d.seen, d.now); at.After(i.RecoveredAt) {
			i.FailingAgain = at
		}
	}
	if wait := d.untilDue(d.p.OpenAfter(d.cause.Rule), i.FailingAgain, i.FailingAgain); wait > 0 {
		return d.result(Waiting, wait)
	}
	back := Reply{Reason: Reopened, At: d.now, Headline: headline(d.seen.Report), Rule: d.cause.Rule}
	if !i.Deleted() && !i.Unwatched() { // it was healthy meanwhile
		back.Lasted = i.FailingAgain.Sub(i.RecoveredAt)
	}
	i.reply(back)
	i.Phase, i.Cause, i.Report = Open, d.cause, d.seen.Report
	i.Members[0] = Member{App: d.seen.App, Since: i.FailingAgain}
	i.ReopenedAt = i.FailingAgain
	i.announce(d.now)
	i.RecoveredAt, i.Expires, i.FailingAgain, i.Resolution = time.Time{}, time.Time{}, time.Time{}, nil
	return d.result(Reopened, d.p.RemindAfter)
}

// isOver lists an incident as the last one of its application that recovered.
func (s *Store) isOver(i *Incident) {
	app := i.Members[0].App
	s.over[app] = append(without(s.over[app], i.ID), i.ID)
}

// unindex has an application no longer known by an incident that waited: the one before may come back.
func (s *Store) unindex(e *entry) {
	app := e.Members[0].App
	if s.own[app] != e.ID {
		return
	}
	delete(s.own, app)
	if over := s.over[app]; len(over) > 0 {
		s.own[app] = over[len(over)-1]
	}
}

// record is the incident on record that what is seen is compared with: the application's own. Instead of one that nobody was told of,
// or that is over, it is the one that recovered not long ago of the cause that is seen now: an application that is made anew says many
// things before it says what it said before. nil where there is none.
func (o *observation) record() *Incident {
	var own *Incident
	if e := o.entries[o.own[o.seen.App]]; e != nil && e.Phase != Joined && !e.dropped {
		own = e.Incident
		if e.unseen { // the others that may share its cause are not seen again yet
			own = own.Clone()
			own.Seen = o.now
		}
	}
	if own != nil && own.Phase == Open {
		return own
	}
	last := o.sameBefore()
	if last == nil || own != nil && own.ID == last.ID {
		return own
	}
	again := last.Clone()
	if own != nil && own.Phase == Pending {
		o.drop(o.entries[own.ID])
		if again.FailingAgain.IsZero() {
			again.FailingAgain = own.Seen
		}
	}
	o.own[o.seen.App] = again.ID
	return again
}

// sameBefore is the last incident of the application that recovered of the cause that is seen now, and may be reopened.
func (o *observation) sameBefore() *Incident {
	cause := CauseOf(o.seen.Report)
	if cause.Rule == "" || moving(o.seen) {
		return nil
	}
	for _, id := range slices.Backward(o.over[o.seen.App]) {
		if e := o.entries[id]; e != nil && !e.dropped && e.reopensWith(cause, o.policy, o.now) {
			return e.Incident
		}
	}
	return nil
}
