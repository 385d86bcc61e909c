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

// Keeper writes what changes in the Book into the Journal, and then has the Teller tell it: in that order, so that a crash
// in between leaves a note of what was about to be said. Saving is quick and goes on for all incidents in parallel; telling
// goes at Slack's pace, one incident after the other in each channel, and always tells the newest state.
type Keeper struct {
	Book    *Book
	Journal Journal
	Teller  Teller
	Log     *slog.Logger
	Metrics Metrics

	saving  workqueue.TypedRateLimitingInterface[string]
	savers  sync.WaitGroup
	tellers sync.WaitGroup

	mu       sync.Mutex
	channels map[string]workqueue.TypedRateLimitingInterface[string]
	ctx      context.Context //nolint:containedctx // that of Run: channels come up while it runs
	closing  bool
}

// How much is saved at once, and how long one attempt to save or to tell may take. Telling includes waiting for Slack's
// leave to post, at about one message a second.
const (
	savers      = 4
	saveTimeout = 10 * time.Second
	tellTimeout = 2 * time.Minute
	// drainFor is how long what is due may still be told after the end was asked for; Kubernetes gives a pod 30 s. What is
	// not told by then is in the journal.
	drainFor = 15 * time.Second
	// lastSaves is how long all that may take which is saved at the very end.
	lastSaves = 5 * time.Second
	// gatherFor is how long changes of an outage that is told already wait for others: applications join and leave it in
	// crowds.
	gatherFor = 2 * time.Second
	// firstRetry and lastRetry bound the time between attempts.
	firstRetry = 500 * time.Millisecond
	lastRetry  = 30 * time.Second
	// repairRetry is when to see whether a person has repaired what no attempt of ours can.
	repairRetry = 5 * time.Minute
)

func newQueue[K comparable]() workqueue.TypedRateLimitingInterface[K] {
	return workqueue.NewTypedRateLimitingQueue(workqueue.NewTypedItemExponentialFailureRateLimiter[K](firstRetry, lastRetry))
}

// NewKeeper makes a keeper that does nothing until Run.
func NewKeeper(book *Book, journal Journal, teller Teller, log *slog.Logger, metrics Metrics) *Keeper {
	return &Keeper{Book: book, Journal: journal, Teller: teller, Log: log, Metrics: metrics, saving: newQueue[string](),
		channels: map[string]workqueue.TypedRateLimitingInterface[string]{}}
}

// Run saves and tells until the context ends, and then finishes what is being saved and told.
func (k *Keeper) Run(ctx context.Context) error {
	// What has begun is finished after the context ends, for a while: half a message would have to be looked for later.
	working, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	k.mu.Lock()
	k.ctx = working
	k.mu.Unlock()
	for range savers {
		k.savers.Go(func() { work(k.saving, k.save) })
	}
	for _, i := range k.Book.All() {
		k.Touch(i.ID) // what was not told before the last stop
	}
	<-ctx.Done()
	defer time.AfterFunc(drainFor, stop).Stop()
	k.saving.ShutDown()
	k.savers.Wait()
	k.mu.Lock()
	k.closing = true
	for _, q := range k.channels {
		q.ShutDown()
	}
	k.mu.Unlock()
	k.tellers.Wait()
	return k.saveRest(context.WithoutCancel(ctx))
}

// saveRest writes down what was told last: else the next start has to look for it in Slack.
func (k *Keeper) saveRest(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, lastSaves)
	defer cancel()
	for _, id := range k.Book.unsaved() {
		if err := k.write(ctx, id); err != nil {
			return fmt.Errorf("save what was told last: %w", err)
		}
	}
	return nil
}

// Touch has incidents saved and told.
func (k *Keeper) Touch(ids ...string) {
	for _, id := range ids {
		if k.Book.crowded(id) {
			k.saving.AddAfter(id, gatherFor)
			continue
		}
		k.saving.Add(id)
	}
}

// Expire has the journal forget what is over for long.
func (k *Keeper) Expire(now time.Time) { k.Touch(k.Book.expired(now)...) }

// Idle reports whether all is saved and told, or cannot be.
func (k *Keeper) Idle() bool {
	for _, i := range k.Book.All() {
		if k.Book.untold(i.ID) && i.Trouble == "" {
			return false
		}
	}
	return len(k.Book.unsaved()) == 0
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
func (k *Keeper) save(id string) {
	ctx, cancel := context.WithTimeout(k.ctx, saveTimeout)
	defer cancel()
	if err := k.write(ctx, id); err != nil {
		k.Metrics.saved(err)
		k.Log.Warn("incident not saved, will try again", "incident", id, "error", err)
		k.saving.AddRateLimited(id)
		return
	}
	k.saving.Forget(id)
	if channel, fresh := k.Book.fresh(id); fresh {
		k.channel(channel).Add(id)
	}
}

func (k *Keeper) write(ctx context.Context, id string) error {
	t, ok := k.Book.toSave(id)
	switch {
	case !ok:
		return nil
	case t.dropped:
		if t.Version != "" {
			if err := k.Journal.Delete(ctx, t.Incident); err != nil {
				return k.conflict(ctx, t, err)
			}
		}
		k.Book.forget(t)
		return nil
	}
	if err := k.Journal.Put(ctx, t.Incident); err != nil {
		return k.conflict(ctx, t, err)
	}
	k.Book.saved(t)
	k.Metrics.saved(nil)
	return nil
}

// conflict finds out who was faster. The attempt that follows is ours again, on top of theirs.
func (k *Keeper) conflict(ctx context.Context, t task, err error) error {
	if !errors.Is(err, ErrConflict) {
		return err
	}
	theirs, getErr := k.Journal.Get(ctx, t.ID)
	switch {
	case errors.Is(getErr, ErrNotFound): // somebody deleted it: it is written anew while it matters
		theirs = &Incident{ID: t.ID, Thread: t.Thread}
	case getErr != nil:
		return fmt.Errorf("%w, and then: %w", err, getErr)
	}
	k.Book.overtaken(t.ID, theirs)
	return err
}

// channel is the queue of a channel, with a worker of its own: a channel that cannot be posted to holds up no other.
func (k *Keeper) channel(name string) workqueue.TypedRateLimitingInterface[string] {
	k.mu.Lock()
	defer k.mu.Unlock()
	q := k.channels[name]
	if q == nil {
		q = newQueue[string]()
		k.channels[name] = q
		if k.closing {
			q.ShutDown()
			return q
		}
		k.tellers.Go(func() { work(q, func(id string) { k.tell(name, q, id) }) })
	}
	return q
}

// tell brings the thread of an incident up to date, in its turn in the queue of a channel.
func (k *Keeper) tell(channel string, q workqueue.TypedRateLimitingInterface[string], id string) {
	t, ok := k.Book.toTell(id, channel)
	if !ok {
		return
	}
	ctx, cancel := context.WithTimeout(k.ctx, tellTimeout)
	defer cancel()
	told, err := k.Teller.Tell(ctx, t.Incident, t.uncertain)
	k.Metrics.told(err)
	var known *TellError
	if err != nil && !errors.As(err, &known) {
		known = &TellError{Err: err}
	}
	touched := k.Book.tellResult(t, told, err, known != nil && known.Certain, time.Now())
	k.Touch(touched...)
	switch {
	case err == nil:
		q.Forget(id)
		if _, fresh := k.Book.fresh(id); fresh { // it changed meanwhile
			q.Add(id)
		}
	case known.Permanent:
		k.Log.Error("incident cannot be told until somebody repairs it", "incident", id, "channel", channel, "code", known.Code, "error", err)
		q.AddAfter(id, repairRetry)
	case known.After > 0:
		q.AddAfter(id, known.After)
	default:
		k.Log.Warn("incident not told, will try again", "incident", id, "channel", channel, "error", err)
		q.AddRateLimited(id)
	}
}
