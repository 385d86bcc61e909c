package incident

import (
	"cmp"
	"fmt"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
)

// A remainder is the one message of a channel that says how many failures are still to be posted there, while there are more than Slack
// takes: two thousand causes at once take half an hour, and nobody should believe that the first screenful is all. It is an entry of
// the journal like any other, without members: so it is posted once, whenever the bot is killed.

// StillToPost is what stands for the rule of a remainder, which has none.
const StillToPost = "still-to-post"

const (
	// remainderFrom is how many failures must wait in a channel to be worth a message of their own: Slack takes about one a second.
	remainderFrom = 20
	// recountEvery is how often the message is edited. Slack allows 50 edits a minute in all, and threads need them, too.
	recountEvery = 15 * time.Second
)

// Remainder reports whether it counts the failures that are still to be posted.
func (i *Incident) Remainder() bool { return i.Cause.Rule == StillToPost }

// Failure reports whether it is about applications that fail of one cause, rather than a message about several of such incidents or a note
// of the bot's own.
func (i *Incident) Failure() bool {
	return !i.Backlog() && !i.Remainder() && !i.notice() && i.Phase != Watching && i.Phase != HandedOver
}

// toPost reports whether it is a failure that goes on, and nobody knows of it.
func (e *entry) toPost() bool {
	return !e.dropped && e.Failure() && e.Phase == Open && e.Thread.TS == ""
}

// CountRemainders has the remainders of all channels posted, counted again, or ended. It returns what is to be saved and told.
func (s *Store) CountRemainders(now time.Time) (touched []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	waiting := map[string]int{}
	for _, e := range s.entries {
		if e.toPost() {
			waiting[e.Channel]++
		}
	}
	for channel, n := range waiting {
		if e := s.entries[s.remainders[channel]]; n >= remainderFrom && (e == nil || e.dropped || e.Phase != Open) {
			touched = append(touched, s.beginRemainder(channel, n, now))
		}
	}
	for channel, id := range s.remainders {
		e := s.entries[id]
		if e == nil || e.dropped || e.Phase != Open {
			continue
		}
		switch n := waiting[channel]; {
		case n == 0:
			e.Phase, e.RecoveredAt, e.Expires, e.Waiting = Recovered, now, now.Add(s.policy.KeepFor), 0
		case n != e.Waiting && now.Sub(e.Changed) >= recountEvery:
			e.Waiting = n
		default:
			continue
		}
		e.Changed = now
		e.generation++
		touched = append(touched, id)
	}
	return touched
}

// endLostRemainders ends those that nobody counts any more: of a channel that leaders of several Argo CDs had one in each.
func (s *Store) endLostRemainders(now time.Time) {
	for _, e := range s.entries {
		if e.Remainder() && e.Phase == Open && s.remainders[e.Channel] != e.ID {
			e.Phase, e.RecoveredAt, e.Expires, e.Waiting, e.Changed = Recovered, now, now.Add(s.policy.KeepFor), 0, now
			e.generation++
		}
	}
}

func (s *Store) beginRemainder(channel string, n int, now time.Time) (id string) {
	i := &Incident{
		ID: name(StillToPost, fmt.Sprintf("%s %s %s %d", StillToPost, s.policy.Shard.Name, channel, now.UnixNano())), Phase: Open, Shard: s.policy.Shard.Name,
		Cause: Cause{Rule: StillToPost, Key: StillToPost}, Since: now, Seen: now, OpenedAt: now, NudgedAt: now, Changed: now, Channel: channel, Waiting: n,
	}
	s.entries[i.ID] = &entry{Incident: i, generation: 1}
	s.remainders[channel] = i.ID
	return i.ID
}

// importance is which of two failures that nobody knows of yet is posted first.
type importance struct {
	// about: a message about many goes before those about one, and those before what is over by now.
	about int
	// route is the place of the application's route in the configuration.
	route int
	// severity is that of the report: as its colour, red before yellow.
	severity int
	// began is when it began to fail: what failed first is most likely what the others fail of.
	began time.Time
}

// The kinds of messages, by importance.
const (
	aboutMany = iota
	aboutOne
	aboutNone
)

func (a importance) compare(b importance) int {
	return cmp.Or(cmp.Compare(a.about, b.about), cmp.Compare(a.route, b.route), cmp.Compare(a.severity, b.severity), a.began.Compare(b.began))
}

// importance is that of an incident; zero for one that does not exist.
func (s *Store) importance(id string) importance {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.entries[id]
	if e == nil {
		return importance{}
	}
	a := importance{about: aboutOne, began: e.Since, severity: severity(e.Report)}
	switch {
	case e.notice(): // over from the first, and of use only in time
		a.about = aboutMany
	case e.Phase == Recovered:
		a.about = aboutNone
	case !e.Failure(), e.Outage():
		a.about = aboutMany
	case s.policy.Route != nil && e.Report != nil:
		a.route = s.policy.Route(e.Members[0].App, e.Report.Context.Project)
	}
	return a
}

// severity is how bad a report is: the smaller, the worse.
func severity(r *diagnose.Report) int {
	if r == nil {
		return 0
	}
	switch r.Verdict {
	case diagnose.VerdictFailing:
		return 0
	case diagnose.VerdictDegraded:
		return 1
	case diagnose.VerdictBlocked, diagnose.VerdictUnknown, diagnose.VerdictProgressing:
		return 2
	case diagnose.VerdictDrifted, diagnose.VerdictHealthy:
	}
	return 3
}
