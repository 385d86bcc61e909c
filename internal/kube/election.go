package kube

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/go-logr/logr"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/klog/v2"
)

// How a leader is replaced. One that was killed held its Lease for at most leaseDuration after its last renewal, and the others look every
// retryPeriod (give or take its jitter, up to 2.2 times): one such time until they see the last renewal, and one until they see that there was
// no other. So another leads after at most 12.3 s. One that stops gives its Lease back, which the others see within 1.7 s.
const (
	leaseDuration = 9 * time.Second
	// renewDeadline is how long the leader tries to renew before it stops. It is shorter than leaseDuration by more than a slow clock makes up
	// for.
	renewDeadline = 6 * time.Second
	retryPeriod   = 750 * time.Millisecond
	// leaseTimeout is for one request about the Lease: a server that swallows requests must leave time for a second attempt.
	leaseTimeout = 2500 * time.Millisecond
	// fenceBefore is how long before others may take the Lease this process does nothing more in its name: as long as a request that it
	// sends at the last moment may take to arrive.
	fenceBefore = time.Second
)

// ErrNotLeading is the error of what only the leader may do, where this process is not it, or cannot be sure any more that it is.
var ErrNotLeading = errors.New("this replica is not the leader")

// Election is how replicas agree which of them leads: by a Lease beside the journal, with client-go's leader election. Only one Run at a time.
type Election struct {
	lock *fencedLock
	log  *slog.Logger

	mu     sync.Mutex
	resign context.CancelCauseFunc // nil while this process does not lead
}

// ElectionOptions are what an Election is about.
type ElectionOptions struct {
	// Shard is what is led: see [LeaseName].
	Shard string
	// Identity must be of this process alone, as long as it lives; people see it in the Lease.
	Identity string
	// Turn reports whether it is this process's turn to take a Lease that has been free for so long. nil: always.
	Turn func(free time.Duration) bool
	Log  *slog.Logger
}

// Election prepares one.
func (j *Journal) Election(o ElectionOptions) *Election {
	klog.SetLogger(logr.Discard()) // client-go's leader election logs each attempt; those that fail are logged here, once in a while
	lock := &resourcelock.LeaseLock{
		LeaseMeta:  metav1.ObjectMeta{Name: LeaseName(o.Shard), Namespace: j.namespace},
		Client:     j.leases,
		LockConfig: resourcelock.ResourceLockConfig{Identity: o.Identity},
	}
	fenced := &fencedLock{Interface: lock, failed: complaints(o.Log, "lease not read or renewed, will try again"), turn: o.Turn}
	if o.Shard != "" {
		blocked := complaints(o.Log, "not leading yet")
		fenced.blocked = func(ctx context.Context) error {
			err := j.ledByOne(ctx)
			blocked(err)
			return err
		}
	}
	return &Election{lock: fenced, log: o.Log}
}

// Run calls lead each time this process becomes the leader, until the context ends, and never twice at once. The context of lead ends
// with that of Run, and when the Lease is lost. In the first case lead may take its time to finish: the Lease is given back only when it has
// returned. In the second [Election.Leading] says no before anybody else can lead.
func (e *Election) Run(ctx context.Context, lead func(context.Context)) error {
	for ctx.Err() == nil {
		if err := e.term(ctx, lead); err != nil {
			return err
		}
	}
	return nil
}

// term is one attempt to become the leader, and what follows from it.
func (e *Election) term(ctx context.Context, lead func(context.Context)) error {
	// The elector gives the Lease back when its context ends; so that ends after what is done in the name of the Lease.
	electing, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	e.lock.begin(stop)
	t := &term{done: make(chan struct{})}
	elector, err := leaderelection.NewLeaderElector(leaderelection.LeaderElectionConfig{
		Lock: e.lock, LeaseDuration: leaseDuration, RenewDeadline: renewDeadline, RetryPeriod: retryPeriod, ReleaseOnCancel: true, Name: e.lock.Describe(),
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(held context.Context) {
				if t.start() {
					defer close(t.done)
					e.lead(ctx, held, lead)
					stop()
				}
			},
			OnStoppedLeading: func() {},
		},
	})
	if err != nil {
		return fmt.Errorf("elect a leader: %w", err)
	}
	defer context.AfterFunc(ctx, func() {
		if t.end() { // while another one leads there is nothing to finish
			stop()
		}
	})()
	elector.Run(electing)
	if !t.end() {
		<-t.done
	}
	return nil
}

// term is whether this process has begun to lead in it. client-go says so in a goroutine, which may come after the end.
type term struct {
	mu             sync.Mutex
	started, ended bool
	done           chan struct{}
}

// start reports whether the term has not ended before it began.
func (t *term) start() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.started = !t.ended
	return t.started
}

// end ends a term that has not begun, and reports whether it had not.
func (t *term) end() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.ended = true
	return !t.started
}

// lead leads until the context ends or the Lease is no longer held.
func (e *Election) lead(ctx, held context.Context, lead func(context.Context)) {
	leading, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(held, func() { cancel(ErrNotLeading) })()
	e.mayResign(cancel)
	defer e.mayResign(nil)
	e.log.Info("leading", "lease", e.lock.Describe(), "replica", e.lock.Identity())
	lead(leading)
	switch {
	case ctx.Err() != nil:
	case errors.Is(context.Cause(leading), errResigned):
		e.log.Info("giving the lease to a replica that leads less", "lease", e.lock.Describe())
	default:
		e.log.Warn("no longer leading, standing by", "lease", e.lock.Describe(), "error", e.Leading())
	}
}

var errResigned = errors.New("another replica is to lead")

func (e *Election) mayResign(resign context.CancelCauseFunc) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.resign = resign
}

// Resign ends the present term, if there is one: what was begun is finished, and the Lease is given back. Whether this process takes it
// again is up to Turn.
func (e *Election) Resign() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.resign != nil {
		e.resign(errResigned)
	}
}

// Leading is nil while nobody else can lead: what others see is asked of nobody, it follows from the time of the last renewal. Everything that
// must not be done by two is done right after it has said so.
func (e *Election) Leading() error {
	if !e.lock.holds(time.Now()) {
		return ErrNotLeading
	}
	return nil
}
