package incident

import (
	"slices"
	"time"
)

// The Syncer's side of the Store: what is to be saved and told, and what came of it.

// task is a state of an incident to be saved, or told.
type task struct {
	*Incident
	generation int
	uncertain  bool
	dropped    bool
}

// toSave is a copy of an incident as it is now; ok is false when the journal holds that already.
//
// What stands in the thread is not known from the moment that it is about to change: the digests go on record when they
// are true again.
func (s *Store) toSave(id string) (t task, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.entries[id]
	if e == nil || e.saved == e.generation {
		return task{}, false
	}
	e.written = true
	t = task{Incident: e.Clone(), generation: e.generation, dropped: e.dropped}
	if e.told < e.generation {
		t.Thread.RootDigest, t.Thread.DetailsDigest = "", ""
	}
	return t, true
}

// toTell is a copy of an incident as the journal holds it, with what is known of the thread since; ok is false when that is
// told already, or in another channel. From now on somebody may know of it.
func (s *Store) toTell(id, channel string) (t task, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.entries[id]
	if e == nil || !e.tellable(channel) {
		return task{}, false
	}
	e.attempted = true
	t = task{Incident: e.onRecord.Clone(), generation: e.saved, uncertain: e.uncertain}
	t.Thread = e.Thread
	t.Outbox = slices.DeleteFunc(t.Outbox, func(r Reply) bool { return !due(e.Outbox, r.Number) })
	return t, true
}

func due(outbox []Reply, number int) bool {
	return slices.ContainsFunc(outbox, func(r Reply) bool { return r.Number == number })
}

// untold reports whether there is something to tell. A thread that would only say that it goes on elsewhere helps nobody.
func (e *entry) untold() bool {
	if e.dropped || e.told >= e.saved || !e.onRecord.Posted() || e.skipped() {
		return false
	}
	return e.onRecord.Phase != Joined || e.Thread.TS != "" || e.uncertain
}

// fresh reports whether the journal holds something that nobody has tried to tell yet, and where that is to be told. When
// to try again what has failed is another matter.
func (s *Store) fresh(id string) (channel string, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.entries[id]
	if e == nil || !e.untold() || e.tried >= e.saved {
		return "", false
	}
	return e.onRecord.Channel, true
}

// unsaved are the incidents that the journal does not hold as they are: those that people know of, or will, and those that wait.
func (s *Store) unsaved() (ids, waiting []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for id, e := range s.entries {
		switch {
		case e.saved >= e.generation:
		case e.Phase == Pending && !e.dropped:
			waiting = append(waiting, id)
		default:
			ids = append(ids, id)
		}
	}
	return ids, waiting
}

// crowded reports whether changes of an incident come in crowds: an outage or a backlog that people know of already. What somebody
// asked for is saved at once.
func (s *Store) crowded(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.entries[id]
	return e != nil && (e.Outage() || e.Backlog() && !e.requested()) && e.Thread.TS != "" && e.Phase == Open
}

// saved notes that the journal holds that state.
func (s *Store) saved(t task) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if e := s.entries[t.ID]; e != nil {
		e.Version, e.Size, e.saved, e.onRecord, e.claimed = t.Version, t.Size, t.generation, t.Incident, t.claim()
	}
}

// toPost is the entry of an incident as the journal holds it, with the message that is about to be posted; ok is false where it holds none.
func (s *Store) toPost(id string, p Posting) (t task, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.entries[id]
	if e == nil || e.onRecord == nil {
		return task{}, false
	}
	t = task{Incident: e.onRecord.Clone()}
	t.Version, t.Posting = e.Version, &p
	return t, true
}

// toBePosted notes that the journal holds it.
func (s *Store) toBePosted(t task) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if e := s.entries[t.ID]; e != nil {
		e.Version, e.Size, e.onRecord, e.Posting = t.Version, t.Size, t.Incident, t.Posting
	}
}

// forget removes an incident that the journal does not hold any more.
func (s *Store) forget(t task) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.entries[t.ID]
	if e == nil {
		return
	}
	delete(s.entries, t.ID)
	s.wake()
	for _, m := range e.Members {
		if s.own[m.App] == t.ID {
			delete(s.own, m.App)
		}
		if s.over[m.App] = without(s.over[m.App], t.ID); len(s.over[m.App]) == 0 {
			delete(s.over, m.App)
		}
		if s.outages[m.App] == t.ID {
			delete(s.outages, m.App)
		}
		if s.listed[m.App] == t.ID {
			delete(s.listed, m.App)
		}
	}
	if at := place(e.Channel, e.Cause.Group); s.shared[at] == t.ID {
		delete(s.shared, at)
	}
}

// tellResult takes in what was told of a state, and why it was due. It returns the incidents that changed by it.
func (s *Store) tellResult(t task, why Due, told Told, err error, now time.Time) (touched []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.entries[t.ID]
	if e == nil {
		return nil
	}
	thread, due, trouble := e.Thread, len(e.Outbox), e.Trouble
	linked := e.Thread.Permalink == "" && told.Thread.Permalink != ""
	if told.Thread.TS != "" || told.Gone {
		e.Thread = told.Thread
	}
	if told.Gone {
		touched = s.unlink(e, thread.Permalink)
		e.askAgain()
	}
	e.Outbox = slices.DeleteFunc(slices.Clone(e.Outbox), func(r Reply) bool { return slices.Contains(told.Numbers, r.Number) })
	s.wake()
	known := asNotifyError(err)
	if known == nil || !known.early() {
		e.Trouble = ""
	}
	if known != nil && !known.early() {
		e.Trouble = err.Error()
	}
	// Until an attempt has got through nobody has looked for what the former may have posted.
	e.uncertain = known != nil && (t.uncertain || !known.Certain)
	if !e.uncertain {
		e.Posting = nil
	}
	upTo := t.generation
	if e.Thread != thread || len(e.Outbox) != due || e.Trouble != trouble {
		e.generation++
		if upTo == e.generation-1 { // all that changed is what was told, which nobody has to be told of
			upTo = e.generation
		}
		touched = append(touched, e.ID)
	}
	e.tried = max(e.tried, upTo)
	if e.edited == t.generation {
		e.edited = upTo
	}
	if err == nil && (why.Edit() || why == NewRoot) && told.Thread.RootDigest != "" {
		e.shown, e.edited = t.claim(), upTo
	}
	if err == nil && told.All {
		e.told = max(e.told, upTo)
	}
	if linked {
		touched = append(touched, s.linkJoined(e, now)...)
		touched = append(touched, s.linkThreads(e, now)...)
	}
	return touched
}

// linkJoined has the incidents that joined another one say where it is told.
func (s *Store) linkJoined(outage *entry, now time.Time) (touched []string) {
	for _, e := range s.entries {
		if e.Phase == Joined && e.JoinedTo == outage.ID && e.JoinedLink == "" {
			e.goesOnAt(outage.Thread.Permalink, now)
			e.Changed = now
			e.generation++
			touched = append(touched, e.ID)
		}
	}
	return touched
}

// without is the list without an ID.
func without(ids []string, id string) []string {
	return slices.DeleteFunc(ids, func(s string) bool { return s == id })
}
