package incident

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
)

// Seen is what a reading of an application showed: its report, or that it is gone.
type Seen struct {
	App    App
	Report *diagnose.Report
	Gone   bool
}

// Decision is what becomes of the incident of an application.
type Decision struct {
	Reason Reason
	// Next is the incident as it is now; nil when there is none (any more).
	Next *Incident
	// Again is when the application has to be looked at even if nothing happens; 0 is not at all.
	Again time.Duration
}

// Decide compares what was on record about one application with what is seen now. It is pure: was is not changed. was is
// the application's own incident, its last one if that is over; nil when there is none. Outages are the Store's.
func Decide(was *Incident, seen Seen, p Policy, now time.Time) Decision {
	d := deciding{seen: seen, cause: CauseOf(seen.Report), p: p, now: now}
	if was != nil {
		d.next = was.Clone()
		d.next.unmuteInTime(now)
	}
	out := d.decide()
	if out.Next != nil {
		out.Next.follow(seen, now)
		out.Again = out.Next.again(out.Again, seen, now)
	}
	return out
}

func (d *deciding) decide() Decision {
	switch {
	case d.seen.Gone:
		return d.deleted()
	case d.onlyTried(), d.withoutHooks(), d.overdueBeside():
		return d.moves()
	case d.cause.Rule != "" && !d.p.Ignored(d.cause.Rule):
		return d.fails()
	case moving(d.seen):
		return d.moves()
	}
	return d.ended(resolution(d.next, d.seen.Report), d.p.HoldFor)
}

// deciding is one decision in the making.
type deciding struct {
	next  *Incident
	seen  Seen
	cause Cause
	p     Policy
	now   time.Time
}

func (d *deciding) is(p Phase) bool { return d.next != nil && d.next.Phase == p }

func (d *deciding) result(r Reason, again time.Duration) Decision {
	return Decision{Reason: r, Next: d.next, Again: again}
}

// moves: a sync or a rollout is under way. Nobody knows yet how it ends, so nothing is said: one that failed for a while
// goes on waiting, and the time that one was well does not count.
func (d *deciding) moves() Decision {
	if d.is(Open) {
		d.next.Members[0].Well = time.Time{}
		d.next.forgetInterim(d.now)
	}
	return d.result(Nothing, 0)
}

func (d *deciding) fails() Decision {
	switch {
	case d.is(Open):
		return d.goesOn()
	case d.is(Recovered) && !moving(d.seen) && d.next.reopensWith(d.cause, d.p, d.now):
		return d.comesBack()
	case !d.is(Pending):
		settling := d.is(Recovered) && d.now.Sub(d.next.RecoveredAt) < settleFor
		d.next = begin(d.seen, d.cause, d.p, d.now)
		d.next.Settling = settling
	}
	i := d.next
	if !sameKey(i.Cause.Key, d.cause.Key) {
		i.CauseSince = later(i.Since, since(d.seen, d.now)) // as Argo CD dates it: then a bot that is killed loses nothing of the wait
	}
	i.began(dated(d.seen, d.now))
	i.Cause, i.Report = d.cause, d.seen.Report
	if wait := d.untilOpen(); wait > 0 {
		return d.result(Waiting, wait)
	}
	i.Phase, i.OpenedAt = Open, d.now
	i.announce(d.now)
	return d.result(Opened, d.p.RemindAfter)
}

// untilOpen is how much longer a pending incident waits: the application has to fail of the same cause for as long as the policy says,
// but one that fails of something else each time is not kept from people for ever.
func (d *deciding) untilOpen() time.Duration {
	i := d.next
	last := d.p.OpenAfter(d.cause.Rule)
	if i.Settling {
		last = d.mustLast()
	}
	if wait := 2*last - d.now.Sub(i.Since); !i.CauseSince.IsZero() && wait > 0 {
		return min(wait, last-d.now.Sub(i.CauseSince))
	}
	return d.untilDue(last, i.Since, i.Seen)
}

// untilDue is how much longer it has to fail before it is posted. A bot that was down meanwhile need not wait anew for what Argo CD dates; but
// others that share the cause are seen by us alone.
func (d *deciding) untilDue(last time.Duration, since, seen time.Time) time.Duration {
	wait := last - d.now.Sub(since)
	if d.cause.Group != "" && d.p.GroupFrom > 0 || d.cause.Child.Name != "" {
		wait = max(wait, d.p.GatherFor-d.now.Sub(seen))
	}
	return max(wait, 0)
}

// goesOn: it failed, and fails. The incident keeps the cause that was announced until another one has lasted.
func (d *deciding) goesOn() Decision {
	i := d.next
	i.Members[0].Well, i.LastFailing = time.Time{}, d.now
	i.move(d.seen, d.p, d.now)
	if known := i.remember(d.seen.Report); known != d.seen.Report {
		d.seen.Report, d.cause = known, CauseOf(known)
	}
	switch {
	case sameKey(i.announced(), d.cause.Key):
	case i.toldOfObject(d.cause.Key):
		i.Announced.Key, i.Announced.Headline, i.Announced.Since = d.cause.Key, headline(d.seen.Report), d.now
	default:
		return d.meanwhile()
	}
	i.forgetInterim(d.now)
	i.began(dated(d.seen, d.now))
	d.unmuteForOther()
	was, before := i.Cause, i.Report
	i.Cause, i.Report = d.cause, d.seen.Report
	switch {
	case d.remindIn() <= 0 && d.p.RemindAfter > 0 && i.Muted == nil: // nor of another cause, until that has lasted
		return d.remind()
	case was.Fingerprint != d.cause.Fingerprint, !sameKey(was.Key, d.cause.Key):
		i.Changed = d.now
		return d.result(EvidenceChanged, d.remindIn())
	case sameReport(before, i.Report):
		i.Report = before
	default: // an attempt more, another operation
		i.Changed = d.now
	}
	return d.result(Nothing, d.remindIn())
}

// move takes an incident that Slack has refused to where the configuration says now: somebody may have put it right. One
// that has a thread stays there.
func (i *Incident) move(seen Seen, p Policy, now time.Time) bool {
	to := p.Channel(seen.App, seen.Report.Context.Project)
	if !i.refusedFor(to) {
		return false
	}
	i.Channel, i.Changed = to, now
	return true
}

// refusedFor reports whether Slack has refused an incident where it was to be posted, and that channel is another one now.
func (i *Incident) refusedFor(to string) bool {
	return i.Thread.TS == "" && i.Trouble != "" && to != i.Channel
}

// announce notes what people are told by a new message.
func (i *Incident) announce(now time.Time) {
	i.Announced = Announced{Key: i.Cause.Key, Headline: headline(i.Report)}
	if i.Report != nil {
		i.Announced.Revision = i.Report.Context.Revision
	}
	i.Told = append(slices.DeleteFunc(i.Told, func(known string) bool { return sameKey(known, i.Cause.Key) }), i.Cause.Key)
	i.Told = i.Told[max(0, len(i.Told)-keepTold):]
	i.NudgedAt, i.Changed = now, now
}

func (d *deciding) remindIn() time.Duration {
	if d.p.RemindAfter == 0 {
		return 0
	}
	return d.p.RemindAfter - d.now.Sub(d.next.NudgedAt)
}

func (d *deciding) remind() Decision {
	i := d.next
	i.reply(Reply{Reason: Reminder, At: d.now, Headline: headline(i.Report), Rule: i.Cause.Rule, Lasted: d.now.Sub(i.Begun())})
	i.NudgedAt, i.Changed = d.now, d.now
	return d.result(Reminder, d.p.RemindAfter)
}

// ended: it does not fail, which has to last for some time.
func (d *deciding) ended(how []string, hold time.Duration) Decision {
	switch {
	case d.is(Pending):
		return Decision{Reason: Passed}
	case d.is(Recovered):
		d.next.FailingAgain = time.Time{}
		return d.result(Nothing, 0)
	case !d.is(Open):
		return d.result(Nothing, 0)
	}
	d.next.forgetInterim(d.now)
	m := &d.next.Members[0]
	if m.Well.IsZero() {
		m.Well = d.next.wellSince(d.seen, d.now)
	}
	if wait := hold - d.now.Sub(m.Well); wait > 0 {
		return d.result(Holding, wait)
	}
	d.next.end(RecoveredNow, m.Well, how, d.p, d.now)
	return d.result(RecoveredNow, 0)
}

// deleted: the application is gone, and has not recovered.
func (d *deciding) deleted() Decision {
	if !d.is(Open) {
		return d.ended(nil, 0)
	}
	i := d.next
	i.forgetInterim(d.now)
	i.Members[0].Well, i.Members[0].Note = d.now, NoteDeleted
	i.end(Deleted, d.now, nil, d.p, d.now)
	return d.result(Deleted, 0)
}

// end ends an incident that was open.
func (i *Incident) end(r Reason, at time.Time, how []string, p Policy, now time.Time) {
	i.reply(Reply{Reason: r, At: at, Headline: headline(i.Report), Rule: i.Cause.Rule, Lasted: i.Lasted(at), Notes: how})
	i.spellEnds(r, at)
	i.Phase, i.RecoveredAt, i.Resolution, i.Progress = Recovered, at, how, ""
	i.NudgedAt, i.Changed = now, now
	i.Expires = now.Add(p.KeepFor)
}

// reply puts a line of history into the outbox.
func (i *Incident) reply(r Reply) {
	i.LastReply = max(i.LastReply, DetailsNumber) + 1
	r.Number = i.LastReply
	i.Outbox = append(i.Outbox, r)
	i.shortenOutbox()
}

// begin is a new incident of one application.
func begin(seen Seen, cause Cause, p Policy, now time.Time) *Incident {
	from := since(seen, now)
	return &Incident{
		ID: name(seen.App.Name, fmt.Sprintf("%v %s %d", seen.App, cause.Key, now.UnixNano())), Phase: Pending, Cause: cause,
		Members: []Member{{App: seen.App, Since: from}}, Report: seen.Report, Since: from, Seen: now,
		Channel: p.Channel(seen.App, seen.Report.Context.Project),
	}
}

func headline(r *diagnose.Report) string {
	if r == nil {
		return ""
	}
	return r.Headline
}

// sameReport reports whether two reports show people the same: where the application stands to the letter, all else but for
// what differs from one look to the next ("26 min ago", the name of a pod). Where Git is, is no difference either: in a repository of many
// applications each commit moves it for all of them, and says nothing about one. A commit that is deployed shows as an operation.
func sameReport(a, b *diagnose.Report) bool {
	if a == nil || b == nil {
		return a == b
	}
	x, y := *a, *b
	x.Context.Ago, y.Context.Ago = 0, 0
	if x.Context.Phase == "" && y.Context.Phase == "" { // it is what was compared, not what an operation tried
		x.Context.Revision, y.Context.Revision = "", ""
	}
	if x.Context != y.Context {
		return false
	}
	x.Examined, y.Examined = nil, nil
	xs, errX := json.Marshal(&x)
	ys, errY := json.Marshal(&y)
	return errX == nil && errY == nil && (bytes.Equal(xs, ys) || settled(string(xs)) == settled(string(ys)))
}
