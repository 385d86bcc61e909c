package kube

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"sync"
	"time"

	"github.com/go-logr/logr"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	coordination "k8s.io/client-go/kubernetes/typed/coordination/v1"
	"k8s.io/client-go/rest"
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

var leases = schema.GroupVersionResource{Group: "coordination.k8s.io", Version: "v1", Resource: "leases"}

// LeaseName is that of the Lease which says who leads.
const LeaseName = "argo-why"

// leaseRights are those of deploy/rbac/journal.yaml. Kubernetes cannot limit the right to create to a name.
func leaseRights(namespace string) []right {
	on := func(verb, name string) right {
		return right{verb: verb, resource: leases, namespace: namespace, name: name}
	}
	return []right{on("create", ""), on("get", LeaseName), on("update", LeaseName)}
}

// checkLease finds the rights to the Lease that the account lacks.
func (j *Journal) checkLease(ctx context.Context) error {
	return j.checkRights(ctx, "check the election of a leader", leaseRights(j.namespace)...)
}

// ErrNotLeading is the error of what only the leader may do, where this process is not it, or cannot be sure any more that it is.
var ErrNotLeading = errors.New("this replica is not the leader")

// Election is how replicas agree which of them leads: by a Lease beside the journal, with client-go's leader election. Only one Run at a time.
type Election struct {
	lock *fencedLock
	log  *slog.Logger
}

// newLeases is a client for the Lease alone: it waits for no other request, and for no server that does not answer.
func newLeases(config *rest.Config, userAgent string) (coordination.LeasesGetter, error) {
	config = rest.CopyConfig(config)
	config.UserAgent, config.Timeout, config.QPS, config.Burst = userAgent, leaseTimeout, 10, 10
	config.WarningHandler = rest.NoWarnings{}
	config.Dial = (&net.Dialer{Timeout: leaseTimeout}).DialContext
	return coordination.NewForConfig(config)
}

// Election prepares one, of the Lease [LeaseName]. The identity must be of this process alone, as long as it lives; people see it in the Lease.
func (j *Journal) Election(identity string, log *slog.Logger) *Election {
	klog.SetLogger(logr.Discard()) // client-go's leader election logs each attempt; those that fail are logged here, once in a while
	lock := &resourcelock.LeaseLock{
		LeaseMeta:  metav1.ObjectMeta{Name: LeaseName, Namespace: j.namespace},
		Client:     j.leases,
		LockConfig: resourcelock.ResourceLockConfig{Identity: identity},
	}
	return &Election{lock: &fencedLock{Interface: lock, failed: complaints(log, "lease not read or renewed, will try again")}, log: log}
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
	e.log.Info("leading", "lease", e.lock.Describe(), "replica", e.lock.Identity())
	lead(leading)
	if ctx.Err() == nil {
		e.log.Warn("no longer leading, standing by", "lease", e.lock.Describe(), "error", e.Leading())
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

// fencedLock is the lock of one process, with the time until which it is certain to be its own. Others count the time of a Lease from when
// they see it renewed, and that is after the request to renew it was sent: so this process counts from then.
//
// A process that slept over the end of its Lease does not get it back, even if nobody else took it: somebody may have held it in between, and
// what this process remembers may not be true any more. It begins a new term, and reads everything again.
type fencedLock struct {
	resourcelock.Interface
	failed func(error)

	mu    sync.Mutex
	until time.Time
	stop  context.CancelFunc
}

// begin begins a term, which stop ends.
func (l *fencedLock) begin(stop context.CancelFunc) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.until, l.stop = time.Time{}, stop
}

func (l *fencedLock) holds(now time.Time) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return before(now, l.until.Add(-fenceBefore))
}

// before compares by both clocks: the one that counts on does not see a machine that was suspended, and the other may be set back.
func before(x, y time.Time) bool { return x.Before(y) && x.Round(0).Before(y.Round(0)) }

var errLapsed = errors.New("the lease has run out: it is asked for again")

// Get implements resourcelock.Interface.
func (l *fencedLock) Get(ctx context.Context) (*resourcelock.LeaderElectionRecord, []byte, error) {
	l.stopIfLapsed(time.Now()) // a process that slept over the end does not go on until it is told who has the Lease
	r, raw, err := l.Interface.Get(ctx)
	if !apierrors.IsNotFound(err) {
		l.failed(err)
	}
	return r, raw, err
}

// Create implements resourcelock.Interface.
func (l *fencedLock) Create(ctx context.Context, r resourcelock.LeaderElectionRecord) error {
	return l.renew(r, func() error { return l.Interface.Create(ctx, r) })
}

// Update implements resourcelock.Interface.
func (l *fencedLock) Update(ctx context.Context, r resourcelock.LeaderElectionRecord) error {
	return l.renew(r, func() error { return l.Interface.Update(ctx, r) })
}

// stopIfLapsed ends a term whose Lease has run out, and reports whether it had.
func (l *fencedLock) stopIfLapsed(now time.Time) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	lapsed := !l.until.IsZero() && !before(now, l.until)
	if lapsed {
		l.stop()
	}
	return lapsed
}

func (l *fencedLock) renew(r resourcelock.LeaderElectionRecord, write func() error) error {
	start := time.Now()
	if r.HolderIdentity == "" { // it is given back
		l.mu.Lock()
		l.until = time.Time{}
		l.mu.Unlock()
		return write()
	}
	if l.stopIfLapsed(start) {
		return errLapsed
	}
	err := write()
	if l.failed(err); err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.until = start.Add(leaseDuration)
	return nil
}
