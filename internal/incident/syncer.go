package incident

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"k8s.io/client-go/util/workqueue"
)

// Syncer writes what changes in the Store into the Journal, and then has the Notifier tell it: in that order, so that a crash
// in between leaves a note of what was about to be said. Saving is quick and goes on for all incidents in parallel; telling
// goes at Slack's pace, one message after the other in each channel, the most urgent first (see [Due]), and always tells the
// newest state.
type Syncer struct {
	Store    *Store
	Journal  Journal
	Notifier Notifier
	Log      *slog.Logger
	Metrics  Metrics

	savers    sync.WaitGroup
	notifiers sync.WaitGroup

	// writing keeps two from writing one entry at a time: a saver, and what is about to be posted.
	writing [64]sync.Mutex

	mu      sync.Mutex
	saving  workqueue.TypedRateLimitingInterface[string]
	lines   map[string]*line // by channel
	ctx     context.Context  //nolint:containedctx // that of Run: channels come up while it runs
	closing bool
}

// How much is saved at once, and how long one attempt to save or to tell may take. Waiting for room in Slack is no part of it.
const (
	savers      = 4
	saveTimeout = 10 * time.Second
	tellTimeout = 2 * time.Minute
	// drainFor is how long what is due may still be told after the end was asked for; Kubernetes gives a pod 30 s. What is
	// not told by then is in the journal.
	drainFor = 15 * time.Second
	// lastSaves is how long all that may take which is saved at the very end.
	lastSaves = 5 * time.Second
	// waitUnsaved is how long an incident may wait to be opened before it is saved. Every hiccup of every application would be written
	// down else; and of one that waits for less a restart loses no more than that.
	waitUnsaved = time.Minute
	// gatherFor is how long changes of an outage that is told already wait for others: applications join and leave it in
	// crowds.
	gatherFor = 2 * time.Second
	// firstRetry and lastRetry bound the time between attempts.
	firstRetry = 500 * time.Millisecond
	lastRetry  = 30 * time.Second
	// repairRetry is when to see whether a person has repaired what no attempt of ours can.
	repairRetry = 5 * time.Minute
)

// NewSyncer makes a Syncer that does nothing until Run.
func NewSyncer(store *Store, journal Journal, notifier Notifier, log *slog.Logger, metrics Metrics) *Syncer {
	s := &Syncer{Store: store, Journal: journal, Notifier: notifier, Log: log, Metrics: metrics}
	s.reset()
	return s
}

// reset prepares for a Run.
func (s *Syncer) reset() {
	s.mu.Lock()
	defer s.mu.Unlock()
	order := urgentFirst{workqueue.DefaultQueue[string](), workqueue.DefaultQueue[string](), s.Store.urgent}
	s.saving, s.lines, s.closing = newQueue[string](order), map[string]*line{}, false
}

// queue is what is to be saved.
func (s *Syncer) queue() workqueue.TypedRateLimitingInterface[string] {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.saving
}

// Run saves and tells until the context ends, and then finishes what is being saved and told. It may run again afterwards.
func (s *Syncer) Run(ctx context.Context) error {
	if s.queue().ShuttingDown() { // it ran before
		s.reset()
	}
	// What has begun is finished after the context ends, for a while: half a message would have to be looked for later.
	working, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	s.mu.Lock()
	s.ctx = working
	s.mu.Unlock()
	for range savers {
		s.savers.Go(func() { work(s.queue(), s.save) })
	}
	s.Notifier.Begin(s.Store.channels(), s.posting)
	mended, _ := s.Store.unsaved()
	s.Touch(mended...)
	s.giveUpDigests(time.Now())
	s.Touch(s.Store.posted()...) // what was not told before the last stop
	s.savers.Go(func() { s.keepWatch(ctx) })
	<-ctx.Done()
	defer time.AfterFunc(drainFor, stop).Stop()
	s.queue().ShutDown()
	s.savers.Wait()
	s.mu.Lock()
	s.closing = true
	for _, l := range s.lines {
		l.close()
	}
	s.mu.Unlock()
	s.notifiers.Wait()
	return s.saveRest(context.WithoutCancel(ctx))
}

// saveRest writes down what was decided and told last, and what waits: else the next start has to look for it in Slack, or to wait
// again. One that somebody else was faster with is tried again when all others are safe.
func (s *Syncer) saveRest(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, lastSaves)
	defer cancel()
	var errs []error
	for range 2 {
		errs = nil
		ids, waiting := s.Store.unsaved()
		for _, id := range append(ids, waiting...) {
			if err := s.write(ctx, id); err != nil {
				errs = append(errs, fmt.Errorf("save %s: %w", id, err))
			}
		}
	}
	return errors.Join(errs...)
}

// Touch has incidents saved and told.
func (s *Syncer) Touch(ids ...string) {
	for _, id := range ids {
		if s.Store.crowded(id) {
			s.queue().AddAfter(id, gatherFor)
			continue
		}
		s.queue().Add(id)
	}
}

// ObserveConnections has the Store take in the connections of an Argo CD, and what changes saved and told.
func (s *Syncer) ObserveConnections(instance string, kinds []string, seen []SeenConnection) {
	s.Touch(s.Store.ObserveConnections(instance, kinds, seen, time.Now())...)
}

// saveLater has an incident that waits to be opened saved, if it still waits then.
func (s *Syncer) saveLater(id string) { s.queue().AddAfter(id, waitUnsaved) }

// Expire has the journal forget what is over for long.
func (s *Syncer) Expire(now time.Time) {
	ids, why := s.Store.expired(now)
	s.Metrics.forgot(why)
	if n := why[TooMany]; n > 0 {
		s.Log.Warn("incidents that are over are forgotten before they expire: there are too many", "forgotten", n)
	}
	s.Touch(ids...)
}

// Idle reports whether all is saved and told, or cannot be.
func (s *Syncer) Idle() bool {
	unsaved, _ := s.Store.unsaved()
	return len(unsaved) == 0 && s.Store.count(func(e *entry) bool { return e.untold() && e.Trouble == "" }) == 0
}

// work does what is in a queue, one by one, until it is shut down.
func work[K comparable](q workqueue.TypedRateLimitingInterface[K], do func(K)) {
	for {
		key, shutdown := q.Get()
		if shutdown {
			return
		}
		do(key)
		q.Done(key)
	}
}

// save brings the journal up to date about an incident, and then the channel.
func (s *Syncer) save(id string) {
	ctx, cancel := context.WithTimeout(s.ctx, saveTimeout)
	defer cancel()
	if err := s.write(ctx, id); err != nil {
		s.Metrics.saved(err)
		s.Log.Warn("incident not saved, will try again", "incident", id, "error", err)
		s.queue().AddRateLimited(id)
		return
	}
	s.queue().Forget(id)
	if channel, fresh := s.Store.fresh(id); fresh {
		s.line(channel).add(id)
	}
}

func (s *Syncer) write(ctx context.Context, id string) error {
	defer s.alone(id)()
	t, ok := s.Store.toSave(id)
	switch {
	case !ok:
		return nil
	case t.dropped:
		if t.Version != "" {
			if err := s.Journal.Delete(ctx, t.Incident); err != nil {
				return s.conflict(ctx, t, err)
			}
		}
		s.Store.forget(t)
		return nil
	}
	if err := s.Journal.Put(ctx, t.Incident); err != nil {
		return s.conflict(ctx, t, err)
	}
	s.Store.saved(t)
	s.Metrics.saved(nil)
	return nil
}

// conflict finds out who was faster. The attempt that follows is ours again, on top of theirs.
func (s *Syncer) conflict(ctx context.Context, t task, err error) error {
	if !errors.Is(err, ErrConflict) {
		return err
	}
	theirs, getErr := s.Journal.Get(ctx, t.ID)
	switch {
	case errors.Is(getErr, ErrNotFound): // somebody deleted it: it is written anew while it matters
		theirs = &Incident{ID: t.ID, Thread: t.Thread}
	case getErr != nil:
		return fmt.Errorf("%w, and then: %w", err, getErr)
	}
	s.Store.overtaken(t.ID, theirs)
	return err
}
