package incident

import (
	"slices"
	"time"
)

// The Keeper's side of the Book: what is to be saved and told, and what came of it.

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
func (b *Book) toSave(id string) (t task, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	e := b.entries[id]
	if e == nil || e.saved == e.generation {
		return task{}, false
	}
	t = task{Incident: e.Clone(), generation: e.generation, dropped: e.dropped}
	if e.told < e.generation {
		t.Thread.RootDigest, t.Thread.DetailsDigest = "", ""
	}
	return t, true
}

// toTell is a copy of an incident as the journal holds it, with what is known of the thread since; ok is false when that is
// told already, or in another channel. From now on somebody may know of it.
func (b *Book) toTell(id, channel string) (t task, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	e := b.entries[id]
	if e == nil || !e.untold() || e.onRecord.Channel != channel || e.onRecord.Phase == Joined && e.Thread.TS == "" && !e.uncertain {
		return task{}, false // a thread that only says that it goes on elsewhere helps nobody
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

func (e *entry) untold() bool {
	return !e.dropped && e.told < e.saved && e.onRecord.Phase != Pending
}

func (b *Book) untold(id string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	e := b.entries[id]
	return e != nil && e.untold()
}

// fresh reports whether the journal holds something that nobody has tried to tell yet, and where that is to be told. When
// to try again what has failed is another matter.
func (b *Book) fresh(id string) (channel string, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	e := b.entries[id]
	if e == nil || !e.untold() || e.tried >= e.saved {
		return "", false
	}
	return e.onRecord.Channel, true
}

// unsaved are the incidents that the journal does not hold as they are.
func (b *Book) unsaved() (ids []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for id, e := range b.entries {
		if e.saved < e.generation {
			ids = append(ids, id)
		}
	}
	return ids
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
		e.Version, e.saved, e.onRecord = t.Version, t.generation, t.Incident
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
	b.wake()
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
	b.wake()
	e.Trouble = ""
	if err != nil {
		e.Trouble = err.Error()
	}
	e.uncertain = err != nil && !sure
	upTo := t.generation
	if e.Thread != thread || len(e.Outbox) != due || e.Trouble != trouble {
		e.generation++
		if upTo == e.generation-1 { // all that changed is what was told, which nobody has to be told of
			upTo = e.generation
		}
		touched = append(touched, e.ID)
	}
	e.tried = max(e.tried, upTo)
	if err == nil {
		e.told = max(e.told, upTo)
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
	return slices.DeleteFunc(slices.Clone(outbox), func(r Reply) bool { return slices.Contains(numbers, r.Number) })
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
