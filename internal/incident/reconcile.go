package incident

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"k8s.io/client-go/util/workqueue"
)

// Reconciler reads the applications of one Argo CD instance whose keys it is given, and has the Store decide. The same key
// given many times is read once, and never twice at the same time.
type Reconciler struct {
	Instance string
	Reader   Reader
	Store    *Store
	Syncer   *Syncer
	Log      *slog.Logger
	Metrics  Metrics

	mu      sync.Mutex
	agenda  *agenda
	resting resting
	// Wanted is a digest of what is wanted of an application: its spec and the commits. 0 where that is not known; nil knows nothing.
	Wanted func(App) uint64
}

// readers is how many applications of one instance are read at once. A diagnosis is up to seven calls; Argo CD's server
// takes many more, and the limit keeps an outage of everything from becoming one of Argo CD's API.
const (
	readers = 8
	// readTimeout is for one diagnosis as a whole. Each fact has a shorter time of its own in it, see diagnose.Engine.
	readTimeout = time.Minute
	// maxTries are for an application that nothing is told of, which takes a few minutes: it may be one that the account must not
	// read, or that never was.
	maxTries = 10
)

// NewReconciler makes a reconciler that does nothing until Run.
func NewReconciler(instance string, reader Reader, syncer *Syncer, log *slog.Logger, metrics Metrics) *Reconciler {
	r := &Reconciler{Instance: instance, Reader: reader, Store: syncer.Store, Syncer: syncer, Log: log, Metrics: metrics}
	r.reset()
	return r
}

// agenda is what one Run has to look at, and what is known of it.
type agenda struct {
	workqueue.TypedRateLimitingInterface[App]
	expected *expected
}

// reset prepares for a Run.
func (r *Reconciler) reset() {
	r.mu.Lock()
	defer r.mu.Unlock()
	x := newExpected()
	r.agenda = &agenda{newQueue(newReadOrder(func(app App) rank { return x.rank(app, r.Store) })), x}
}

// due is what is to be looked at.
func (r *Reconciler) due() *agenda {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.agenda
}

// Add has an application looked at, soon.
func (r *Reconciler) Add(app App) { r.AddAs(app, "") }

// AddAs is Add for an application of which it is known how Argo CD lists it, in any words: those that look like one that is part of an
// outage are read after those that may be something else.
func (r *Reconciler) AddAs(app App, looks string) {
	r.add(app, expectation{hinted: true, looks: looks})
}

// AddFirst is Add for somebody who waits for what comes of it.
func (r *Reconciler) AddFirst(app App) { r.add(app, expectation{hinted: true, asked: true}) }

func (r *Reconciler) add(app App, e expectation) {
	due := r.due()
	due.expected.add(app, e)
	due.Add(app)
}

// FirstLook takes in which applications are not well when all are listed for the first time: see [Store.FirstLook].
func (r *Reconciler) FirstLook(unwell []App) { r.Store.FirstLook(r.Instance, unwell, time.Now()) }

// Waiting is how many applications wait to be read.
func (r *Reconciler) Waiting() int { return r.due().Len() }

// Run reads until the context ends. It may run again afterwards.
func (r *Reconciler) Run(ctx context.Context) error {
	if r.due().ShuttingDown() { // it ran before
		r.reset()
	}
	queue := r.due()
	done := make(chan struct{})
	for range readers {
		go func() {
			defer func() { done <- struct{}{} }()
			work(queue, func(app App) { r.reconcile(ctx, app) })
		}()
	}
	<-ctx.Done()
	queue.ShutDown()
	for range readers {
		<-done
	}
	return nil
}

func (r *Reconciler) reconcile(ctx context.Context, app App) {
	if ctx.Err() != nil {
		return // the queue still hands out what waited when it was shut down
	}
	known := r.due().expected.take(app)
	if !known.hinted && !known.due.IsZero() && r.Store.counted(app) {
		return // it waited to be posted, and was counted with others meanwhile
	}
	if rest := r.resting.left(app, r.wanted(app), time.Now()); rest > 0 && !known.asked {
		r.due().Forget(app)
		r.due().AddAfter(app, rest)
		return
	}
	out, err := r.observe(ctx, app)
	switch {
	case ctx.Err() != nil:
	case err != nil && r.due().NumRequeues(app) >= maxTries && !r.Store.Live(app):
		r.Log.Warn("application not read, the next sweep will try again if needed", "app", app, "error", err)
		r.due().Forget(app)
	case err != nil: // what cannot be read is neither well nor failing
		r.Log.Warn("application not read, will try again", "app", app, "error", err)
		r.due().AddRateLimited(app)
	default:
		r.due().Forget(app)
		r.again(app, known.looks, out)
	}
}

// again has an application looked at again when that is due.
func (r *Reconciler) again(app App, looks string, out Outcome) {
	if r.Store.counted(app) {
		r.due().expected.isPosted(looks, out.ID)
	}
	if out.RestAgain > 0 {
		r.due().AddAfter(out.Rest, out.RestAgain)
	}
	if out.Again <= 0 {
		return
	}
	if out.Reason == Waiting {
		r.due().expected.add(app, expectation{looks: looks, due: time.Now().Add(out.Again)})
	}
	r.due().AddAfter(app, out.Again)
}

// Look does at once what Add does soon, for somebody who waits.
func (r *Reconciler) Look(ctx context.Context, app App) error {
	out, err := r.observe(ctx, app)
	r.again(app, "", out)
	return err
}

// observe reads an application, decides, and passes on what changed.
func (r *Reconciler) observe(ctx context.Context, app App) (Outcome, error) {
	ctx, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	start, wanted := time.Now(), r.wanted(app) // what changes while it is read is another change
	report, err := r.Reader.Read(ctx, app)
	seen := Seen{App: app, Report: report, Gone: errors.Is(err, ErrGone)}
	if seen.Gone {
		err = nil
	}
	r.Metrics.read(r.Instance, time.Since(start).Seconds(), err)
	if err != nil {
		return Outcome{}, err
	}
	out := r.Store.Observe(seen, time.Now())
	r.Metrics.decided(out.Reason)
	r.rest(app, wanted, report, out)
	if out.Reason != Nothing && out.Reason != Waiting {
		r.Log.Info("incident decision", "app", app, "reason", out.Reason, "incident", out.ID)
	}
	r.Syncer.Touch(out.Touched...)
	if out.Reason == Waiting {
		r.Syncer.saveLater(out.ID)
	}
	return out, nil
}
