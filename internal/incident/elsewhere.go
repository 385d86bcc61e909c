package incident

import (
	"cmp"
	"slices"
	"time"

	"github.com/argo-why/argo-why/internal/text"
)

// keepLinked is how many threads an incident remembers to have named: a Git host that fails for a week is posted in each channel a few times.
const keepLinked = 100

// linkThreads has threads of one cause in different channels name each other, once, where one of them is about a connection of Argo CD: who was
// warned sees what fails of it, and who sees that, where people may already be at work. It does so for an incident that has just got its
// thread, and returns those that are to be saved and told.
func (s *Store) linkThreads(posted *entry, now time.Time) (touched []string) {
	if !posted.linkable() {
		return nil
	}
	var others []*entry
	for _, e := range s.entries {
		elsewhere := e.Channel != posted.Channel && e.Cause.Group == posted.Cause.Group
		if elsewhere && e.linkable() && len(e.Connections)+len(posted.Connections) > 0 {
			others = append(others, e)
		}
	}
	slices.SortFunc(others, func(x, y *entry) int { return cmp.Compare(x.ID, y.ID) })
	for _, e := range others {
		for _, pair := range [][2]*entry{{e, posted}, {posted, e}} {
			if pair[0].linkTo(pair[1], now) && !slices.Contains(touched, pair[0].ID) {
				touched = append(touched, pair[0].ID)
			}
		}
	}
	return touched
}

// mendLinks names the threads that a process was killed before it named.
func (s *Store) mendLinks() {
	var warned []*entry
	for _, e := range s.entries {
		if len(e.Connections) > 0 {
			warned = append(warned, e)
		}
	}
	slices.SortFunc(warned, func(x, y *entry) int { return cmp.Compare(x.ID, y.ID) })
	for _, e := range warned {
		s.linkThreads(e, e.Changed)
	}
}

// linkable reports whether an incident is in progress about a cause that applications share, and has a thread.
func (e *entry) linkable() bool {
	return e.Phase == Open && !e.dropped && e.Cause.Group != "" && e.Thread.Permalink != "" && !e.Backlog()
}

// linkTo names another thread in that of an incident, unless it has done so. It reports whether it did.
func (e *entry) linkTo(other *entry, now time.Time) bool {
	if slices.Contains(e.Linked, other.ID) {
		return false
	}
	e.Linked = append(slices.Clone(e.Linked), other.ID)
	e.Linked = e.Linked[max(0, len(e.Linked)-keepLinked):]
	e.reply(Reply{Reason: Elsewhere, At: now, Headline: other.headlineNow(), Link: other.Thread.Permalink})
	e.Changed = now
	e.generation++
	return true
}

// headlineNow is what is wrong and for whom: the application, how many there are, or the Argo CD.
func (i *Incident) headlineNow() string {
	h := headline(i.Report)
	if n := len(i.Failing()); i.Outage() && n > 0 && i.Report != nil {
		h = text.Count(n, "application", "applications") + ": " + i.Report.Title()
	}
	return h
}
