package incident

import (
	"cmp"
	"slices"
	"strings"
)

// The questions that a Store answers: what goes on, and where it is told.

// Live reports whether something is going on, or may be told, about an application: then what a watch or a sweep sees of
// it matters even if it looks well.
func (s *Store) Live(app App) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.outages[app] != "" || s.listed[app] != "" {
		return true
	}
	if _, ok := s.parents[app]; ok {
		return true
	}
	return s.entries[s.own[app]].watched()
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
	for app := range s.outages {
		out = append(out, app)
	}
	for app := range s.parents {
		out = append(out, app)
	}
	for app := range s.listed {
		out = append(out, app)
	}
	slices.SortFunc(out, Compare)
	return slices.Compact(out)
}

// Failing are copies of the incidents that go on now, also those that nobody was told of yet, those that began last first.
func (s *Store) Failing() []*Incident {
	return s.withoutBacklogs(s.pick(func(e *entry) bool { return e.Live() }))
}

// All are copies of the incidents that people were told of, those that began last first.
func (s *Store) All() []*Incident {
	return s.pick(func(e *entry) bool { return e.Posted() })
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

// Of is the open incident that an application is told in: its own, an outage, or that of a child. nil when there is none.
func (s *Store) Of(app App) *Incident {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.openOf(app)
	if e == nil {
		e = s.entries[s.parents[app]]
	}
	if e == nil || e.Phase != Open || e.dropped {
		return nil
	}
	return e.Clone()
}

// openOf is the incident itself that Of returns a copy of.
func (s *Store) openOf(app App) *entry {
	for _, id := range []string{s.outages[app], s.own[app]} {
		if e := s.entries[id]; e != nil && e.Phase == Open && !e.dropped {
			return e
		}
	}
	return nil
}

// ByThread is the incident that is told in a thread; nil when there is none.
func (s *Store) ByThread(channel, ts string) *Incident {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, e := range s.entries {
		if e.Thread.Channel == channel && e.Thread.TS == ts && ts != "" {
			return e.Clone()
		}
	}
	return nil
}
