package incident

import "time"

// The Keeper's side of the Book: what is to be saved and told, and what came of it.

// task is a state of an incident to be saved, or told.
type task struct {
	*Incident
	generation int
	uncertain  bool
	dropped    bool
}

// task is a copy of an incident as it is now; ok is false when it is forgotten.
func (b *Book) task(id string) (t task, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	e := b.entries[id]
	if e == nil {
		return task{}, false
	}
	return task{Incident: e.Clone(), generation: e.generation, uncertain: e.uncertain, dropped: e.dropped}, true
}

// unsaved and untold report what is left to do.
func (b *Book) unsaved(id string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	e := b.entries[id]
	return e != nil && e.saved < e.generation
}

func (b *Book) untold(id string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	e := b.entries[id]
	return e != nil && !e.dropped && e.told < e.generation && e.Phase != Pending
}

// crowded reports whether changes of an incident come in crowds: an outage that people know of already.
func (b *Book) crowded(id string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	e := b.entries[id]
	return e != nil && e.Outage() && e.Thread.TS != "" && e.Phase == Open
}

// saved notes that the journal holds that state.
func (b *Book) saved(t task) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if e := b.entries[t.ID]; e != nil {
		e.Version, e.saved = t.Version, max(e.saved, t.generation)
	}
}

// forget removes an incident that the journal does not hold any more.
func (b *Book) forget(t task) {
	b.mu.Lock()
	defer b.mu.Unlock()
	e := b.entries[t.ID]
	if e == nil {
		return
	}
	delete(b.entries, t.ID)
	for _, m := range e.Members {
		if b.own[m.App] == t.ID {
			delete(b.own, m.App)
		}
		if b.over[m.App] == t.ID {
			delete(b.over, m.App)
		}
		if b.outages[m.App] == t.ID {
			delete(b.outages, m.App)
		}
	}
	if at := place(e.Channel, e.Cause.Group); b.shared[at] == t.ID {
		delete(b.shared, at)
	}
}

// overtaken takes in that somebody else wrote the entry. What they know of the thread counts, and what they told is told;
// about the applications we know better, or will.
func (b *Book) overtaken(id string, theirs *Incident) {
	b.mu.Lock()
	defer b.mu.Unlock()
	e := b.entries[id]
	if e == nil {
		return
	}
	e.Version = theirs.Version
	if e.Thread.TS == "" {
		e.Thread = theirs.Thread
	}
	e.uncertain = true
	e.generation++
}

// attempt notes that somebody may know of the incident from now on.
func (b *Book) attempt(id string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if e := b.entries[id]; e != nil {
		e.attempted = true
	}
}

// tellResult takes in what was told of a state. It returns the incidents that changed by it.
func (b *Book) tellResult(t task, told Told, err error, sure bool, now time.Time) (touched []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	e := b.entries[t.ID]
	if e == nil {
		return nil
	}
	thread, due, trouble := e.Thread, len(e.Outbox), e.Trouble
	linked := e.Thread.Permalink == "" && told.Thread.Permalink != ""
	if told.Thread.TS != "" {
		e.Thread = told.Thread
	}
	e.Outbox = without(e.Outbox, told.Numbers)
	e.Trouble = ""
	if err != nil {
		e.Trouble = err.Error()
	}
	e.uncertain = err != nil && !sure
	if err == nil {
		e.told = max(e.told, t.generation)
	}
	if e.Thread != thread || len(e.Outbox) != due || e.Trouble != trouble {
		done := e.told == e.generation
		e.generation++
		if done { // what changed is what was told, which nobody has to be told of
			e.told = e.generation
		}
		touched = append(touched, e.ID)
	}
	if linked && e.Outage() {
		touched = append(touched, b.linkJoined(e, now)...)
	}
	return touched
}

// linkJoined has the incidents that joined an outage say where it is told.
func (b *Book) linkJoined(outage *entry, now time.Time) (touched []string) {
	for _, e := range b.entries {
		if e.Phase == Joined && e.JoinedTo == outage.ID && e.JoinedLink == "" {
			e.goesOnAt(outage.Thread.Permalink, now)
			e.Changed = now
			e.generation++
			touched = append(touched, e.ID)
		}
	}
	return touched
}

func without(outbox []Reply, numbers []int) []Reply {
	var out []Reply
	for _, r := range outbox {
		told := false
		for _, n := range numbers {
			told = told || n == r.Number
		}
		if !told {
			out = append(out, r)
		}
	}
	return out
}

// expired are the incidents that the journal may forget, which are dropped.
func (b *Book) expired(now time.Time) (touched []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, e := range b.entries {
		if !e.Expires.IsZero() && e.Expires.Before(now) && !e.dropped {
			e.dropped = true
			e.generation++
			touched = append(touched, e.ID)
		}
	}
	return touched
}
