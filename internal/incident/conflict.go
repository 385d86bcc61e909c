package incident

import (
	"cmp"
	"slices"

	"github.com/argo-why/argo-why/internal/action"
)

// overtaken takes in that somebody else wrote the entry. What they know of the thread counts, what they told is told, and
// what they were told of actions is kept, for nobody tells it us; about the applications we know better, or will.
func (s *Store) overtaken(id string, theirs *Incident) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.entries[id]
	if e == nil {
		return
	}
	e.Version = theirs.Version
	if e.Thread.TS == "" {
		e.Thread = theirs.Thread
	}
	for _, r := range theirs.Actions {
		ours := slices.ContainsFunc(e.Actions, func(o *action.Record) bool { return o.ID == r.ID })
		if r.State.Over() || !ours {
			e.put(r)
		}
	}
	e.bringTogether(theirs)
	e.takeWanted(theirs)
	e.uncertain = true
	e.generation++
	s.wake()
}

// bringTogether makes one outbox of the notes of actions that they and we are about to tell. The numbers of their replies
// stand, for they may be in the thread already. Nobody tells what is not on record: what of ours is not goes after theirs.
func (e *entry) bringTogether(theirs *Incident) {
	known := 0 // what both know of
	if e.onRecord != nil {
		known = e.onRecord.LastReply
	}
	outbox := slices.DeleteFunc(slices.Clone(e.Outbox), func(r Reply) bool { // of what both tell theirs is told
		return r.Number > known && r.Note != nil && r.Note.Number <= theirs.noted(r.Action.ID)
	})
	e.LastReply = max(e.LastReply, theirs.LastReply)
	for n, r := range outbox {
		if r.Number <= known || r.Number > theirs.LastReply || r.Note == nil && !theirs.notedAs(r.Number) {
			continue
		}
		e.LastReply++
		outbox[n].Number = e.LastReply
		for at, d := range e.Noted {
			if d.Reply == r.Number {
				e.Noted[at].Reply = e.LastReply
			}
		}
	}
	for _, r := range theirs.Outbox {
		if r.Number > known && r.Note != nil {
			outbox = append(outbox, r)
		}
	}
	slices.SortStableFunc(outbox, func(x, y Reply) int { return cmp.Compare(x.Number, y.Number) })
	e.Outbox = outbox
	for _, d := range theirs.Noted {
		if d.Note >= e.noted(d.Record) {
			e.note(d)
		}
	}
}

// noted is the number of the last note of an action that was put into the thread; 0 for none.
func (i *Incident) noted(record string) int {
	at := slices.IndexFunc(i.Noted, func(d Noted) bool { return d.Record == record })
	if at < 0 {
		return 0
	}
	return i.Noted[at].Note
}

// notedAs reports whether a reply tells, or told last, of an action.
func (i *Incident) notedAs(number int) bool {
	return slices.ContainsFunc(i.Noted, func(d Noted) bool { return d.Reply == number }) ||
		slices.ContainsFunc(i.Outbox, func(r Reply) bool { return r.Number == number && r.Note != nil })
}

// note writes down how far the notes of an action were put into the thread.
func (i *Incident) note(d Noted) {
	i.Noted = slices.DeleteFunc(i.Noted, func(was Noted) bool { return was.Record == d.Record })
	i.Noted = append(i.Noted, d)
	i.Noted = i.Noted[max(0, len(i.Noted)-keepNoted):]
}
