package digest

import (
	"maps"
	"slices"
	"time"

	"github.com/argo-why/argo-why/internal/incident"
)

const (
	// Period is how long a digest looks back for causes.
	Period = 7 * 24 * time.Hour
	// readsWithin is how long a digest waits for a bot that has just started to read what fails: somewhat longer than [incident.Store.KeepWatch] lets it
	// take. lastMinutes are those in which it waits no longer: late is better than never.
	readsWithin = 12 * time.Minute
	lastMinutes = 2 * time.Minute
	// longestGap is how long ago a digest may have been missed for anybody to be told.
	longestGap = 8 * 24 * time.Hour
)

// Clock knows when digests are due.
type Clock interface {
	// Last is the last time until t, and not before from; zero where there is none.
	Last(from, t time.Time) time.Time
}

// Plan says when which channels get a digest.
type Plan struct {
	// Channels get one. The first also has the incidents of channels that the configuration no longer names.
	Channels []Channel
	// Configured are all channels for incidents.
	Configured     []string
	OutOfSyncAfter time.Duration
	// Titles are those of the rules, by ID.
	Titles map[string]string
	// Instances are the Argo CDs that are watched. Begun is since when this process leads.
	Instances []string
	Begun     time.Time
}

// Channel gets a digest when its clock says.
type Channel struct {
	Name string
	When Clock
}

// Message is a digest for a channel; a skipped one is only to be remembered.
type Message struct {
	Channel string
	incident.Digest
}

// Due are the digests that are due and are not on record. What was missed comes with them, as skipped. It depends on what is on record and
// not on who was there when: so it does not matter which replica leads at the time, or whether one does. outlook is asked only for a channel whose
// digest is due; nil where nobody can say.
func (p Plan) Due(stores []*incident.Store, silent []string, outlook func(channel string) *incident.Outlook, now time.Time) (due []Message) {
	watchedUntil, unread := p.watchedUntil(stores, silent, now)
	for _, c := range p.Channels {
		last, told := lastOf(stores, c.Name)
		if missed := c.missed(last, now); !missed.IsZero() {
			due = append(due, Message{c.Name, incident.Digest{Due: missed, At: now, Since: told, Skipped: true}})
		}
		at := c.When.Last(now.Add(-incident.DigestLate), now)
		if at.IsZero() || !at.After(last) {
			continue
		}
		if unread && now.Sub(p.Begun) < readsWithin && now.Sub(at) < incident.DigestLate-lastMinutes {
			continue // the bot has just started: it may look as if nothing failed
		}
		if told.IsZero() {
			told = c.before(at)
		}
		o := Options{Now: now, Since: told, Silent: silent}
		if outlook != nil {
			o.Outlook = outlook(c.Name)
		}
		d := p.digest(stores, c.Name, o)
		d.Due, d.WatchedUntil = at, watchedUntil
		due = append(due, Message{c.Name, d})
	}
	return due
}

// watchedUntil is until when at least all Argo CDs are known to have been watched, but for the silent ones, which a digest names. unread: of one of them
// nobody has read lately what fails. It is zero, and false, where the journal is not told.
func (p Plan) watchedUntil(stores []*incident.Store, silent []string, now time.Time) (until time.Time, unread bool) {
	known := map[string]time.Time{}
	watches := false
	for _, s := range stores {
		watches = watches || s.Watches()
		maps.Copy(known, s.WatchedUntil())
	}
	if !watches {
		return time.Time{}, false
	}
	for _, name := range p.Instances {
		if slices.Contains(silent, name) {
			continue
		}
		at, noted := known[name]
		unread = unread || !noted || now.Sub(at) > longest
		if noted && (until.IsZero() || at.Before(until)) {
			until = at
		}
	}
	return until, unread
}

// lastOf is when the last digest on record of a channel was due, and when the figures were made of the last that people got.
func lastOf(stores []*incident.Store, channel string) (last, told time.Time) {
	for _, s := range stores {
		for _, d := range s.Digests(channel) {
			if d.Due.After(last) {
				last = d.Due
			}
			if !d.Skipped && d.At.After(told) {
				told = d.At
			}
		}
	}
	return last, told
}

// missed is the last time at which a digest was due that is not on record and too late to post. It is zero if there is none, or if the channel
// never had one.
func (c Channel) missed(last, now time.Time) time.Time {
	if last.IsZero() {
		return time.Time{}
	}
	from := last.Add(time.Nanosecond)
	if oldest := now.Add(-longestGap); from.Before(oldest) {
		from = oldest
	}
	until := now.Add(-incident.DigestLate - time.Nanosecond)
	if until.Before(from) {
		return time.Time{}
	}
	return c.When.Last(from, until)
}

// before is when the first digest of a channel begins: at the time that one would have been due before it.
func (c Channel) before(at time.Time) time.Time {
	if was := c.When.Last(at.Add(-longestGap), at.Add(-time.Nanosecond)); !was.IsZero() {
		return was
	}
	return at.Add(-24 * time.Hour)
}

func (p Plan) digest(stores []*incident.Store, channel string, o Options) incident.Digest {
	o.Period, o.OutOfSyncAfter, o.Channel, o.Titles = Period, p.OutOfSyncAfter, channel, p.Titles
	if channel == p.Channels[0].Name {
		o.Other = func(of string) bool { return !slices.Contains(p.Configured, of) }
	}
	var live, all []*incident.Incident
	for _, s := range stores {
		live, all = append(live, s.Failing()...), append(all, s.All()...)
		if since, _ := s.Watched(o.Now); since.After(o.Watched) {
			o.Watched = since
		}
	}
	return Of(live, all, o)
}
