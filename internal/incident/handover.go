package incident

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"
)

const (
	// handOverFor is how long an application stays handed over: a leader that changes, or whose watch breaks off, still finds it.
	handOverFor = 30 * time.Second
	// handOverEvery is how often at most a replica writes what it hands over, while webhooks arrive.
	handOverEvery = 500 * time.Millisecond
	// maxHandedOver bounds the entry. What is too much is dropped, the oldest first: the leader watches Argo CD as well, and these are hints.
	maxHandedOver = 500
	// beatEvery is how often a replica writes its entry where others must know that it is there.
	beatEvery = 3 * time.Second
	// entryTimeout is for removing the entry at the end.
	entryTimeout = 2 * time.Second
	// complainEvery is how often at most it is logged that the entry cannot be written.
	complainEvery = time.Minute
	// forgetReplicaAfter is when the entry of a replica that wrote nothing more may be deleted.
	forgetReplicaAfter = 10 * time.Minute
)

// HandOver tells the leader which applications to look at: those that webhooks and people told a replica of that stands by. They go through
// the journal, in one entry of this replica's own, of which [Inbox] is the other end.
type HandOver struct {
	// Leads is how many shards this replica leads, of several: then it writes its entry every few seconds, so that the others know of it. nil
	// where there is one.
	Leads func() int

	journal Journal
	log     *slog.Logger
	entry   *Incident
	wake    chan struct{}
	// complained is when it was last logged that the entry cannot be written.
	complained time.Time

	mu  sync.Mutex
	due map[App]handedOver
}

// handedOver is an application that the leader is to look at. asked: somebody waits until the thread shows what it is like.
type handedOver struct {
	at    time.Time
	asked bool
}

// NewHandOver is that of a replica, which has a name that is a DNS label.
func NewHandOver(journal Journal, replica string, log *slog.Logger) *HandOver {
	return &HandOver{
		journal: journal, log: log, wake: make(chan struct{}, 1), due: map[App]handedOver{},
		entry: &Incident{ID: name("replica-"+replica, "replica "+replica), Phase: HandedOver, Cause: Cause{Rule: "handed-over", Key: "handed-over", Subject: replica}},
	}
}

// Add hands an application over. It returns at once.
func (h *HandOver) Add(app App) { h.add(app, false) }

// Ask is Add for somebody who waits: the leader writes the incident of the application again when it has looked, also if nothing has changed.
func (h *HandOver) Ask(app App) { h.add(app, true) }

func (h *HandOver) add(app App, asked bool) {
	h.mu.Lock()
	h.due[app] = handedOver{time.Now(), asked || h.due[app].asked}
	h.mu.Unlock()
	h.wakeUp()
}

// Run writes what is handed over until the context ends, and then removes the entry.
func (h *HandOver) Run(ctx context.Context) {
	var beat <-chan time.Time
	if h.Leads != nil {
		ticker := time.NewTicker(beatEvery)
		defer ticker.Stop()
		beat = ticker.C
		h.wakeUp()
	}
	for ctx.Err() == nil {
		select {
		case <-ctx.Done():
		case <-beat:
			h.wakeUp()
		case <-h.wake:
			h.attempt(ctx)
			select {
			case <-ctx.Done():
			case <-time.After(handOverEvery):
			}
		}
	}
	if h.entry.Version == "" {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), entryTimeout)
	defer cancel()
	if err := h.journal.Delete(ctx, h.entry); err != nil { // the leader does, in a while
		h.log.Debug("entry of this replica not deleted", "error", err)
	}
}

// attempt writes, or tries again soon.
func (h *HandOver) attempt(ctx context.Context) {
	err := h.write(ctx)
	switch {
	case ctx.Err() != nil:
		return
	case err == nil:
		h.complained = time.Time{}
		return
	case time.Since(h.complained) >= complainEvery:
		h.complained = time.Now()
		h.log.Warn("applications not handed over to the leader, will try again", "error", err)
	}
	time.AfterFunc(firstRetry, h.wakeUp)
}

// Changed has the others know soon how many shards this replica leads now.
func (h *HandOver) Changed() { h.wakeUp() }

func (h *HandOver) wakeUp() {
	select {
	case h.wake <- struct{}{}:
	default: // it is about to
	}
}

// write writes what is due, and what was not long ago.
func (h *HandOver) write(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, saveTimeout)
	defer cancel()
	now := time.Now()
	h.entry.Members = h.members(now)
	if h.Leads != nil {
		h.entry.Leads = h.Leads()
	}
	h.entry.Since, h.entry.Seen, h.entry.Changed, h.entry.Expires = now, now, now, now.Add(forgetReplicaAfter)
	err := h.journal.Put(ctx, h.entry)
	if !errors.Is(err, ErrConflict) {
		return err
	}
	there, err := h.journal.Get(ctx, h.entry.ID)
	switch {
	case errors.Is(err, ErrNotFound):
		h.entry.Version = ""
	case err != nil:
		return err
	default:
		h.entry.Version = there.Version
	}
	return h.journal.Put(ctx, h.entry)
}

func (h *HandOver) members(now time.Time) []Member {
	h.mu.Lock()
	defer h.mu.Unlock()
	maps.DeleteFunc(h.due, func(_ App, o handedOver) bool { return now.Sub(o.at) > handOverFor })
	all := make([]Member, 0, len(h.due))
	for app, o := range h.due {
		all = append(all, Member{App: app, Since: o.at, Wanted: o.asked})
	}
	slices.SortFunc(all, newestFirst)
	if len(all) > maxHandedOver {
		for _, m := range all[maxHandedOver:] {
			delete(h.due, m.App)
		}
		all = all[:maxHandedOver]
	}
	slices.SortFunc(all, func(x, y Member) int { return Compare(x.App, y.App) })
	return all
}

// Inbox is what the leader knows of what it was handed over. It is for one goroutine.
type Inbox struct{ taken map[string]time.Time }

// Take returns the members of an entry that were not taken before. Those that are Wanted are of [HandOver.Ask].
func (b *Inbox) Take(i *Incident) (fresh []Member) {
	if b.taken == nil {
		b.taken = map[string]time.Time{}
	}
	last := b.taken[i.ID]
	for _, m := range i.Members {
		if m.Since.After(last) {
			fresh = append(fresh, m)
			b.taken[i.ID] = later(b.taken[i.ID], m.Since)
		}
	}
	return fresh
}

// Confirm has the incident in whose thread an application is shown written again as it is: whoever asked another replica about it sees that it
// is up to date.
func (s *Syncer) Confirm(app App) { s.Touch(s.Store.confirm(app)...) }

func (s *Store) confirm(app App) (touched []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if e := s.first((*entry).open, s.outages[app], s.own[app], s.parents[app]); e != nil {
		e.generation++
		return []string{e.ID}
	}
	return nil
}

// TakeWanted takes in that people have asked another replica for the threads of applications of a backlog, which has written that down. It
// returns the applications, and what is to be saved and told.
func (s *Store) TakeWanted(theirs *Incident, now time.Time) (apps []App, touched []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.entries[theirs.ID]
	if e == nil || e.dropped || !e.Backlog() {
		return nil, nil
	}
	apps = e.takeWanted(theirs)
	if len(apps) > 0 {
		e.Changed = now
		e.generation++
		touched = []string{e.ID}
	}
	return apps, touched
}

func (i *Incident) takeWanted(theirs *Incident) (apps []App) {
	for n, m := range i.Members {
		if t := theirs.Member(m.App); t != nil && t.Wanted && !m.Wanted && !m.left() {
			i.Members[n].Wanted = true
			apps = append(apps, m.App)
		}
	}
	return apps
}

// Want writes into the journal that somebody wants the threads of a line of a backlog, for the leader to open them: see [Store.OpenThreads],
// which is what the leader itself does. It returns the applications, none if somebody asked for them before.
func Want(ctx context.Context, journal Journal, id, line string) (apps []App, err error) {
	for range 3 { // the leader may be writing
		i, err := journal.Get(ctx, id)
		if errors.Is(err, ErrNotFound) {
			return nil, nil
		}
		if err != nil {
			return nil, fmt.Errorf("open threads: %w", err)
		}
		if apps = i.want(line); len(apps) == 0 {
			return nil, nil
		}
		if err = journal.Put(ctx, i); !errors.Is(err, ErrConflict) {
			return apps, err
		}
	}
	return nil, fmt.Errorf("open threads: %w", ErrConflict)
}

// want marks the members of a line that nobody asked for yet.
func (i *Incident) want(line string) (apps []App) {
	for n, m := range i.Members {
		if m.left() || m.Wanted || m.line() != line {
			continue
		}
		i.Members[n].Wanted = true
		apps = append(apps, m.App)
	}
	return apps
}
