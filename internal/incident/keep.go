package incident

import (
	"cmp"
	"slices"
	"time"
)

// What is remembered at most. The policy says how long; these keep a flood, or a Slack that cannot be reached for days, from filling the
// disk or the cluster's etcd, and the memory of the bot with it.
const (
	// keepEnded are incidents that are over: a month of more than 150 a day.
	keepEnded = 5_000
	// keepBytes is the size of all entries together: etcd has 2 GiB by default for everything in the cluster,
	// https://etcd.io/docs/v3.5/dev-guide/limit/#storage-size-limit
	keepBytes = 200 << 20
	// keepReplies wait to be posted in one thread: nobody reads more of them at once.
	keepReplies = 50
	// keepLeft are the members that have left an outage or a list, and are only named. Previews that come and go leave thousands.
	keepLeft = 1_000
)

// Forgotten says why the journal forgets an incident.
type Forgotten string

// The reasons.
const (
	Expired Forgotten = "expired"
	TooMany Forgotten = "too-many"
)

// expired are the incidents that the journal may forget, which are dropped: those that are over for as long as the policy says, and, of too
// many or too much, those that are over for longest. Others that are over no longer show a mute that has ended. What was announced or posted as
// a digest, and is not an incident, is remembered until then: else it would be posted again.
func (s *Store) expired(now time.Time) (touched []string, why map[Forgotten]int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	why = map[Forgotten]int{}
	drop := func(e *entry, reason Forgotten) {
		e.dropped = true
		e.generation++
		touched = append(touched, e.ID)
		why[reason]++
	}
	var ended []*entry
	size := 0
	for _, e := range s.entries {
		switch {
		case e.dropped:
			continue
		case !e.Expires.IsZero() && e.Expires.Before(now):
			drop(e, Expired)
			continue
		case e.Phase == Recovered && e.unmuteInTime(now):
			e.generation++
			touched = append(touched, e.ID)
		case !e.Expires.IsZero() && len(e.Outbox) == 0 && !e.notice():
			ended = append(ended, e)
		}
		size += e.Size
	}
	slices.SortFunc(ended, func(x, y *entry) int { return cmp.Or(x.Expires.Compare(y.Expires), cmp.Compare(x.ID, y.ID)) })
	tooMany := max(0, len(ended)-keepEnded)
	for _, e := range ended[:tooMany] {
		size -= e.Size
		drop(e, TooMany)
	}
	// The largest make room first: who fills it, as an application with a thousand causes can, does not push out what is of others.
	ended = ended[tooMany:]
	slices.SortStableFunc(ended, func(x, y *entry) int { return cmp.Compare(y.Size, x.Size) })
	for _, e := range ended {
		if size <= keepBytes {
			break
		}
		size -= e.Size
		drop(e, TooMany)
	}
	return touched, why
}

// shortenOutbox leaves out the oldest replies that say what has happened, if too many wait; what people are told of actions stays.
func (i *Incident) shortenOutbox() {
	for len(i.Outbox) > keepReplies {
		oldest := slices.IndexFunc(i.Outbox, func(r Reply) bool { return r.Note == nil })
		if oldest < 0 || oldest == len(i.Outbox)-1 {
			return
		}
		skipped := 1 + i.Outbox[oldest].Skipped
		i.Outbox = slices.Delete(slices.Clone(i.Outbox), oldest, oldest+1)
		next := oldest + slices.IndexFunc(i.Outbox[oldest:], func(r Reply) bool { return r.Note == nil })
		if next >= oldest {
			i.Outbox[next].Skipped += skipped
		}
	}
}

// forgetLeft forgets the members that left first, if too many have.
func (i *Incident) forgetLeft() {
	var left []Member
	for _, m := range i.Members {
		if m.left() {
			left = append(left, m)
		}
	}
	if len(left) <= keepLeft {
		return
	}
	slices.SortFunc(left, func(x, y Member) int { return cmp.Or(x.Well.Compare(y.Well), Compare(x.App, y.App)) })
	forgotten := map[App]bool{}
	for _, m := range left[:len(left)-keepLeft] {
		forgotten[m.App] = true
	}
	i.Members = slices.DeleteFunc(i.Members, func(m Member) bool { return forgotten[m.App] })
}
