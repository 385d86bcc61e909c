package argo

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"
)

const (
	// relistEvery bounds how long a change stays unseen that the stream lost, or that a silent stream kept to itself.
	relistEvery = 5 * time.Minute
	// listTimeout is for all applications together: a busy argocd-server takes seconds for thousands.
	listTimeout = time.Minute
	// firstPause and longestPause are between attempts to get a stream; gRPC itself redials within 5 s.
	firstPause, longestPause = time.Second, 30 * time.Second
	// waiting is how many changes may wait for the caller before Argo CD has to keep them.
	waiting = 1024
)

// Change says that an application is not what it was; State is from after the change, or the last one before it was deleted.
type Change struct {
	State   AppState
	Deleted bool
}

// FollowOptions may be left empty.
type FollowOptions struct {
	// Relist is how often all applications are listed although the stream is up, give or take a tenth: by default every
	// 5 minutes. It bounds how long a lost change stays unseen.
	Relist time.Duration
	// Heard is called when all applications were listed and the stream is up (nil), and when either ended (*Error).
	Heard func(error)
}

// Follow calls each for every application there is, and then for each that changes in more than times and versions, one at
// a time, until the context ends; what it returns is why the context ended. It outlives everything else: a broken stream is
// taken up again (after a second, then later and later up to 30), and all applications are listed again, so that nothing
// is lost meanwhile; each is called for the differences only. It may be called for a change that it was called for before.
//
// A connection on which nobody answers ends by gRPC's own pings (after 40 s; there are none over gRPC-web). A stream that
// is up and silent is not noticed as such, but replaced each time applications are listed again.
//
// What is kept is a key and a number for each application: about 150 bytes.
func (c *Client) Follow(ctx context.Context, o FollowOptions, each func(Change)) error {
	if o.Relist <= 0 {
		o.Relist = relistEvery
	}
	if o.Heard == nil {
		o.Heard = func(error) {}
	}
	f := &follower{client: c, heard: o.Heard, each: each, known: map[appKey]uint64{}}
	pause := firstPause
	for {
		stood, err := f.session(ctx, jitter(o.Relist))
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case err == nil: // time to list again
			pause = firstPause
			continue
		case stood:
			pause = firstPause
		}
		o.Heard(err)
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(jitter(pause)):
		}
		pause = min(2*pause, longestPause)
	}
}

// jitter is d, give or take a tenth: bots that lost the same Argo CD do not come back in the same moment.
func jitter(d time.Duration) time.Duration {
	return d - d/10 + rand.N(d/5+1) //nolint:gosec // G404: spreads load, guards nothing
}

type appKey struct{ namespace, name string }

// follower is the state of one Follow. It has no locks: only the goroutine of Follow touches it.
type follower struct {
	client *Client
	heard  func(error)
	each   func(Change)
	known  map[appKey]uint64 // the digest that was reported to the caller last
}

var errRelist = errors.New("time to list again")

// session opens a stream, lists all applications and then follows the stream; nil when its time is over. The stream is
// opened first, and what it brings before the list waits, so that no change falls between the two. (Argo CD does not say when
// it has subscribed: should the list overtake that, the next list finds what changed in this moment.)
func (f *follower) session(ctx context.Context, length time.Duration) (stood bool, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, length, errRelist)
	defer cancel()
	changes, ended := make(chan Change, waiting), make(chan error, 1)
	go func() {
		ended <- f.client.Watch(ctx, fromNow, func(state AppState, deleted bool) {
			select {
			case changes <- Change{State: state, Deleted: deleted}:
			case <-ctx.Done():
			}
		})
	}()
	if err := f.list(ctx); err != nil {
		return false, err
	}
	f.heard(nil)
	for {
		select {
		case change := <-changes:
			f.take(change)
		case err := <-ended:
			for len(changes) > 0 {
				f.take(<-changes)
			}
			if errors.Is(context.Cause(ctx), errRelist) {
				return true, nil
			}
			return true, err
		}
	}
}

// list compares all applications with what is known.
func (f *follower) list(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, listTimeout)
	defer cancel()
	states, err := f.client.List(ctx)
	if err != nil {
		return err
	}
	gone := make(map[appKey]bool, len(f.known))
	for key := range f.known {
		gone[key] = true
	}
	for i := range states {
		delete(gone, appKey{states[i].Namespace, states[i].Name})
		f.take(Change{State: states[i]})
	}
	for key := range gone {
		f.take(Change{State: AppState{Namespace: key.namespace, Name: key.name}, Deleted: true})
	}
	return nil
}

// take reports to the caller what it does not know yet.
func (f *follower) take(change Change) {
	key := appKey{change.State.Namespace, change.State.Name}
	reported, known := f.known[key]
	switch {
	case change.Deleted && known:
		delete(f.known, key)
	case change.Deleted, known && reported == change.State.Digest:
		return
	default:
		f.known[key] = change.State.Digest
	}
	f.each(change)
}
