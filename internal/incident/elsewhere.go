package incident

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/argo-why/argo-why/internal/text"
)

// Threads of one cause in different channels name each other, once, where one of them is about a connection of Argo CD: people who were warned see
// what fails because of it, and the others where somebody may already be at work.

// keepLinked is how many threads in progress one thread names: more than that, nobody follows from a message.
const keepLinked = 20

// linkTouched links the incidents that have changed.
func (o *observation) linkTouched() {
	for _, id := range slices.Clone(o.Touched) {
		for _, linked := range o.linkThreads(o.entries[id], o.now) {
			if !slices.Contains(o.Touched, linked) {
				o.Touched = append(o.Touched, linked)
			}
		}
	}
}

// mendLinks names the threads that a process was killed before it named.
func (s *Store) mendLinks() {
	for _, e := range s.connected() {
		s.linkThreads(e, e.Changed)
	}
}

// linkThreads links an incident that has got its thread, or another cause, or is about a connection now. It returns those that are to be saved
// and told.
func (s *Store) linkThreads(e *entry, now time.Time) (touched []string) {
	if e == nil {
		return nil
	}
	as := e.linkedWith()
	if as == e.linkedAs {
		return nil
	}
	if e.linkedAs = as; as == "" {
		return nil
	}
	for _, other := range s.elsewhere(e) {
		for _, pair := range [][2]*entry{{other, e}, {e, other}} {
			if s.linkTo(pair[0], pair[1], now) && !slices.Contains(touched, pair[0].ID) {
				touched = append(touched, pair[0].ID)
			}
		}
	}
	return touched
}

// elsewhere are the incidents in progress of the same cause in other channels, of which one at least is about a connection, in the order of their IDs.
func (s *Store) elsewhere(e *entry) (others []*entry) {
	add := func(other *entry) {
		if other.Cause.Group == e.Cause.Group && other.linkable() && other.Thread.Channel != e.Thread.Channel {
			others = append(others, other)
		}
	}
	if len(e.Connections) == 0 { // of thousands of incidents, few are about connections
		for _, other := range s.connected() {
			add(other)
		}
		return others
	}
	for _, other := range s.entries {
		add(other)
	}
	slices.SortFunc(others, func(x, y *entry) int { return cmp.Compare(x.ID, y.ID) })
	return others
}

// linkedWith changes when an incident is to be linked; "" while it is not.
func (e *entry) linkedWith() string {
	if !e.linkable() {
		return ""
	}
	return fmt.Sprintf("%s %s %t", e.Cause.Group, e.Thread.TS, len(e.Connections) > 0)
}

// linkable reports whether an incident is in progress about a cause that applications share, and has a thread.
func (e *entry) linkable() bool {
	return e.Phase == Open && !e.dropped && e.Cause.Group != "" && e.Thread.Permalink != "" && !e.Backlog()
}

// linkTo names another thread in that of an incident, unless it has done so or names enough. It reports whether it did.
func (s *Store) linkTo(e, other *entry, now time.Time) bool {
	if slices.Contains(e.Linked, other.PostedID()) {
		return false
	}
	linked := slices.DeleteFunc(slices.Clone(e.Linked), func(id string) bool {
		known := s.byID(id)
		return known == nil || known.dropped || known.Phase != Open
	})
	if len(linked) >= keepLinked {
		return false
	}
	var notes []string
	if len(linked) == keepLinked-1 {
		notes = []string{"Further threads are not linked here: /argo list has all of them."}
	}
	e.Linked = append(linked, other.PostedID())
	e.reply(Reply{Reason: Elsewhere, At: now, Headline: other.headlineNow(), Others: other.about(), Notes: notes, Link: other.Thread.Permalink})
	e.generation++ // the root message shows nothing of it, so the incident has not Changed
	return true
}

// unlink forgets links to and from an incident whose thread, at that link, was deleted: it will be posted again, and then linked. It returns the
// others, which are to be saved.
func (s *Store) unlink(e *entry, link string) (touched []string) {
	e.Linked, e.linkedAs = nil, ""
	e.Outbox = slices.DeleteFunc(slices.Clone(e.Outbox), func(r Reply) bool { return r.Reason == Elsewhere })
	for _, other := range s.entries {
		if !slices.Contains(other.Linked, e.PostedID()) {
			continue
		}
		other.Linked = without(slices.Clone(other.Linked), e.PostedID())
		other.Outbox = slices.DeleteFunc(slices.Clone(other.Outbox), func(r Reply) bool { return r.Reason == Elsewhere && r.Link == link })
		other.generation++
		touched = append(touched, other.ID)
	}
	slices.Sort(touched)
	return touched
}

// about are all applications that the thread is about, or that its headline may name.
func (i *Incident) about() (apps []App) {
	apps = i.Affected()
	if i.Report != nil {
		apps = append(apps, i.Report.Mentions...)
	}
	slices.SortFunc(apps, Compare)
	return slices.Compact(apps)
}

// headlineNow is what is wrong and for whom: the application, how many there are, or the Argo CD.
func (i *Incident) headlineNow() string {
	if n := len(i.Failing()); i.Outage() && n > 0 && i.Report != nil {
		return text.Count(n, "application", "applications") + ": " + i.Report.Title()
	}
	return headline(i.Report)
}
