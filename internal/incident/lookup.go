package incident

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"
)

// What a Store knows: which failures are in progress, and in which thread each application is shown.

// Live reports whether something is going on, or may be told, about an application: then what a watch or a sweep sees of
// it matters even if it looks well.
func (s *Store) Live(app App) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, with := range s.together() {
		if with[app] != "" {
			return true
		}
	}
	return s.entries[s.own[app]].watched()
}

// together are the incidents that applications are shown in with others: those of outages, of children, and of lists.
func (s *Store) together() []map[App]string {
	return []map[App]string{s.outages, s.parents, s.listed}
}

// watched reports whether something is going on in an incident, or may be told soon.
func (e *entry) watched() bool { return e != nil && (e.Live() || !e.FailingAgain.IsZero()) }

// LiveApps are the applications of which Live is true, sorted.
func (s *Store) LiveApps() []App {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []App
	for app, id := range s.own {
		if s.entries[id].watched() {
			out = append(out, app)
		}
	}
	for _, with := range s.together() {
		out = slices.AppendSeq(out, maps.Keys(with))
	}
	slices.SortFunc(out, Compare)
	return slices.Compact(out)
}

// Failing returns copies of the incidents in progress, also those that are not posted yet, the newest first.
func (s *Store) Failing() []*Incident {
	return s.withoutBacklogs(s.pick(func(e *entry) bool { return e.Live() && !e.Remainder() }))
}

// All returns copies of the incidents that were posted, the newest first.
func (s *Store) All() []*Incident {
	return s.pick(func(e *entry) bool { return e.Posted() && !e.Remainder() && !e.notice() })
}

// Watches reports whether the journal records until when each Argo CD was watched.
func (s *Store) Watches() bool { return s.policy.QuietAfter > 0 }

// WatchedUntil is until when each Argo CD was watched at least, by its name.
func (s *Store) WatchedUntil() map[string]time.Time {
	until := map[string]time.Time{}
	for _, i := range s.pick(func(e *entry) bool { return e.Phase == Watching && s.Watches() }) {
		until[i.Cause.Subject] = i.Watched
	}
	return until
}

// Watched is since when all Argo CDs have been watched, as far as the journal still remembers what failed, and until when at least; zero where
// it does not say.
func (s *Store) Watched(now time.Time) (since, until time.Time) {
	for _, i := range s.pick(func(e *entry) bool { return e.Phase == Watching && s.Watches() }) {
		if i.Since.After(since) {
			since = i.Since
		}
		if until.IsZero() || i.Watched.Before(until) {
			until = i.Watched
		}
	}
	if remembered := now.Add(-s.policy.KeepFor); !since.IsZero() && s.policy.KeepFor > 0 {
		since = later(since, remembered)
	}
	return since, until
}

// posted are the IDs of all that was posted, or is to be, also of what is no incident.
func (s *Store) posted() (ids []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for id, e := range s.entries {
		if !e.dropped && e.Posted() {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

func (s *Store) pick(these func(*entry) bool) []*Incident {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []*Incident
	for _, e := range s.entries {
		if !e.dropped && these(e) {
			out = append(out, e.Clone())
		}
	}
	slices.SortFunc(out, func(x, y *Incident) int {
		return cmp.Or(y.Seen.Compare(x.Seen), strings.Compare(x.ID, y.ID))
	})
	return out
}

// Of returns a copy of the open incident in whose thread an application is shown: an outage, its own, or that of a child; nil if there is
// none.
func (s *Store) Of(app App) *Incident {
	s.mu.Lock()
	defer s.mu.Unlock()
	if e := s.first((*entry).open, s.outages[app], s.own[app], s.parents[app]); e != nil {
		return e.Clone()
	}
	return nil
}

// ChannelOf is the channel in which an application is shown, or was last and may be again; "" where it is in none.
func (s *Store) ChannelOf(app App) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if e := s.first(func(e *entry) bool { return e.Thread.TS != "" }, s.outages[app], s.own[app], s.parents[app]); e != nil {
		return e.Channel
	}
	return ""
}

// openOf is the open incident about a failure of the application itself: an outage, or its own.
func (s *Store) openOf(app App) *entry {
	return s.first((*entry).open, s.outages[app], s.own[app])
}

// liveOf is the incident in progress in which an application is shown; nil if there is none.
func (s *Store) liveOf(app App) *entry {
	return s.first(func(e *entry) bool { return e.Live() }, s.outages[app], s.own[app], s.parents[app])
}

func (e *entry) open() bool { return e.Phase == Open }

// first is the first of these incidents that is not dropped and is as asked for; nil if there is none.
func (s *Store) first(is func(*entry) bool, ids ...string) *entry {
	for _, id := range ids {
		if e := s.entries[id]; e != nil && !e.dropped && is(e) {
			return e
		}
	}
	return nil
}

// ThreadOf is the thread that an incident has now; zero where it has none, or is not known.
func (s *Store) ThreadOf(id string) Thread {
	s.mu.Lock()
	defer s.mu.Unlock()
	if e := s.byID(id); e != nil {
		return e.Thread
	}
	return Thread{}
}

// Holds reports whether it knows an entry.
func (s *Store) Holds(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.entries[id] != nil
}

// ByThread returns a copy of the incident whose thread it is; nil if there is none.
func (s *Store) ByThread(channel, ts string) *Incident {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, e := range s.entries {
		if e.Thread.Channel == channel && e.Thread.TS == ts && ts != "" && !e.Remainder() && !e.notice() {
			return e.Clone()
		}
	}
	return nil
}

// channels are the IDs of the channels that were posted in, by what the configuration calls them; of two the one that was posted in last.
func (s *Store) channels() map[string]string {
	s.mu.Lock()
	defer s.mu.Unlock()
	ids, last := map[string]string{}, map[string]time.Time{}
	for _, e := range s.entries {
		if e.Thread.Channel != "" && !e.Seen.Before(last[e.Channel]) {
			ids[e.Channel], last[e.Channel] = e.Thread.Channel, e.Seen
		}
	}
	return ids
}
