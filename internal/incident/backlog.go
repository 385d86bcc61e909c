package incident

import (
	"cmp"
	"maps"
	"slices"
	"time"
)

// A backlog is the one message of a channel that lists what was already failing when the bot began to watch. Its members are the
// applications, each with its own cause. An application leaves the list when it has been healthy for long enough, when it fails for
// another cause, or when somebody asks for its thread: from then on its failures are posted as usual.

// AlreadyFailing is what stands for the rule of a backlog, which has none.
const AlreadyFailing = "already-failing"

// The further notes of members that left a backlog.
const (
	NoteRecovered = "recovered"
	NoteThread    = "own thread"
	NoteListed    = "another list"
)

// Backlog reports whether it lists what failed before the bot began to watch.
func (i *Incident) Backlog() bool { return i.Cause.Rule == AlreadyFailing }

// Listed are the members of a backlog that have not left it.
func (i *Incident) Listed() []Member {
	return slices.DeleteFunc(slices.Clone(i.Members), Member.left)
}

// Line is what a backlog says of one cause: a shared one, else all of one rule.
type Line struct {
	// ID is short, and the same for the same cause.
	ID string
	// Members are listed for it, those that began last first.
	Members []Member
}

// Shared reports whether it is one cause that the applications share, which has one thread.
func (l Line) Shared() bool { return l.Members[0].Cause.Group != "" }

// Lines are the causes that a backlog lists, those of the most applications first, of as many the newest.
func (i *Incident) Lines() []Line {
	byID := map[string][]Member{}
	for _, m := range i.Listed() {
		byID[m.line()] = append(byID[m.line()], m)
	}
	var out []Line
	for id, members := range byID {
		slices.SortFunc(members, newestFirst)
		out = append(out, Line{id, members})
	}
	slices.SortFunc(out, func(x, y Line) int {
		return cmp.Or(cmp.Compare(len(y.Members), len(x.Members)), newestFirst(x.Members[0], y.Members[0]))
	})
	return out
}

func newestFirst(x, y Member) int { return cmp.Or(y.Since.Compare(x.Since), Compare(x.App, y.App)) }

// line is the ID of the line that a member is listed in.
func (m Member) line() string { return digest(cmp.Or(m.Cause.Group, m.Cause.Rule))[:8] }

// Part is a backlog as it concerns one application: as if that had an incident of its own, which nobody has told yet.
func (i *Incident) Part(m Member) *Incident {
	p := &Incident{ID: i.ID, Phase: i.Phase, Cause: m.Cause, Members: []Member{m}, Since: m.Since, Seen: i.Seen, Channel: i.Channel}
	if !m.Well.IsZero() {
		p.Phase, p.RecoveredAt = Recovered, m.Well
	}
	return p
}

// withoutBacklogs has the parts of a backlog instead of it. What is about to be told of an application comes before what is listed.
func (s *Store) withoutBacklogs(all []*Incident) (out []*Incident) {
	own := map[App]bool{}
	for _, i := range all {
		if !i.Backlog() && len(i.Members) > 0 {
			own[i.Members[0].App] = true
		}
	}
	for _, i := range all {
		if !i.Backlog() {
			out = append(out, i)
			continue
		}
		for _, m := range i.Listed() {
			if m.Well.IsZero() && !own[m.App] {
				out = append(out, i.Part(m))
			}
		}
	}
	return out
}

func (s *Store) indexBacklog(i *Incident) {
	s.backlogs[i.Channel] = i.ID
	if i.Phase != Open {
		return
	}
	for _, m := range i.Listed() {
		s.listed[m.App] = i.ID
	}
}

// mendBacklogs takes off their lists the applications whose threads were opened just before a crash.
func (s *Store) mendBacklogs() {
	for app := range maps.Clone(s.listed) {
		if e := s.openOf(app); e != nil {
			o := &observation{Store: s, policy: s.policy, now: e.OpenedAt}
			o.offList(app, e.Cause)
		}
	}
}

// requested reports whether somebody waits for the thread of a listed application.
func (i *Incident) requested() bool {
	return slices.ContainsFunc(i.Members, func(m Member) bool { return m.Wanted && !m.left() })
}

// same reports whether two causes are one to those who read a list: the same resource, or the same shared thing.
func (c Cause) same(d Cause) bool {
	return sameKey(c.Key, d.Key) || c.Group != "" && c.Group == d.Group
}

// OpenThreads has the applications of a line of a backlog told in threads, once they are read again. It returns these, none if
// somebody asked for it before, and what is to be saved and told.
func (s *Store) OpenThreads(id, line string, now time.Time) (apps []App, touched []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	b := s.entries[id]
	if b == nil || b.dropped {
		return nil, nil
	}
	if apps = b.want(line); len(apps) > 0 {
		b.Changed = now
		b.generation++
		touched = []string{id}
	}
	return apps, touched
}
