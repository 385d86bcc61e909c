package kube

import (
	"context"
	"errors"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
)

// fencedLock is the lock of one process, with the time until which it is certain to be its own. Others count the time of a Lease from when
// they see it renewed, and that is after the request to renew it was sent: so this process counts from then.
//
// A process that slept over the end of its Lease does not get it back, even if nobody else took it: somebody may have held it in between, and
// what this process remembers may not be true any more. It begins a new term, and reads everything again.
type fencedLock struct {
	resourcelock.Interface
	failed func(error)
	// turn reports whether this process may take a Lease that was free for so long, blocked why nobody may; nil for always.
	turn    func(free time.Duration) bool
	blocked func(context.Context) error

	mu    sync.Mutex
	until time.Time
	stop  context.CancelFunc
	// free is since when this process has seen that nobody holds the Lease, renewed what it has seen of it last.
	free, renewed time.Time
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
	if err == nil {
		l.saw(r)
	}
	return r, raw, err
}

// saw notes that somebody has renewed the Lease.
func (l *fencedLock) saw(r *resourcelock.LeaderElectionRecord) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !r.RenewTime.Time.Equal(l.renewed) {
		l.free, l.renewed = time.Time{}, r.RenewTime.Time
	}
}

// mayTake says why a Lease is not taken that is free.
func (l *fencedLock) mayTake(ctx context.Context, now time.Time) error {
	l.mu.Lock()
	holds := !l.until.IsZero()
	if l.free.IsZero() {
		l.free = now
	}
	free := now.Sub(l.free)
	l.mu.Unlock()
	switch {
	case holds:
		return nil
	case l.turn != nil && !l.turn(free):
		return errNotOurTurn
	case l.blocked != nil:
		return l.blocked(ctx)
	}
	return nil
}

var errNotOurTurn = errors.New("a replica that leads less is to take the lease")

// Create implements resourcelock.Interface.
func (l *fencedLock) Create(ctx context.Context, r resourcelock.LeaderElectionRecord) error {
	return l.renew(ctx, r, func() error { return l.Interface.Create(ctx, r) })
}

// Update implements resourcelock.Interface.
func (l *fencedLock) Update(ctx context.Context, r resourcelock.LeaderElectionRecord) error {
	return l.renew(ctx, r, func() error { return l.Interface.Update(ctx, r) })
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

func (l *fencedLock) renew(ctx context.Context, r resourcelock.LeaderElectionRecord, write func() error) error {
	start := time.Now()
	if r.HolderIdentity == "" { // it is given back
		l.mu.Lock()
		l.until = time.Time{}
		l.mu.Unlock()
		return l.giveBack(ctx, write)
	}
	if l.stopIfLapsed(start) {
		return errLapsed
	}
	if err := l.mayTake(ctx, start); err != nil {
		return err
	}
	start = time.Now()
	err := write()
	if l.failed(err); err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.until = start.Add(leaseDuration)
	return nil
}

// giveBack gives the Lease back. The end of a term breaks off a renewal that is under way, and the API server may have taken it all the same: then
// there is a newer version, which is ours to give back as well. The others would have to wait until it runs out.
func (l *fencedLock) giveBack(ctx context.Context, write func() error) error {
	err := write()
	if !apierrors.IsConflict(err) {
		return err
	}
	now, _, unread := l.Interface.Get(ctx)
	switch {
	case unread != nil:
		return errors.Join(err, unread)
	case now.HolderIdentity != l.Identity():
		return nil // somebody else's by now
	}
	return write()
}
