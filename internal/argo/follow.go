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
	// Heard is called when all applications were read and the stream is up (nil), and when either ended (*Error).
	Heard func(error)
	// Whole is called when whole applications have to be followed from now on, with the reason, and with nil when that is over.
	Whole func(error)
}

// Follow calls each for every application there is, and then for each that changes in what a diagnosis could depend on, one at
// a time, until the context ends; what it returns is why the context ended. It outlives everything else: a broken stream is
// taken up again (after a second, then later and later up to 30), and all applications are listed again, so that nothing
// is lost meanwhile; each is called for the differences only. It may be called for a change that it was called for before.
//
// The stream and the lists leave out most of each application, through Argo CD's HTTP API; only the first time all are read
// completely. What a list finds that the stream did not say is reported with a partial state. Where the HTTP API cannot be
// used, whole applications are followed over gRPC until the next list is due, when it is tried again.
//
// A connection on which nobody answers ends when Argo CD's comments stay out for a minute; over gRPC by its own pings (after
// 40 s; there are none over gRPC-web). A stream that says nothing of what the lists find is replaced.
//
// What is kept is a key and two numbers for each application: about 150 bytes.
func (c *Client) Follow(ctx context.Context, o FollowOptions, each func(Change)) error {
	if o.Relist <= 0 {
		o.Relist = relistEvery
	}
	if o.Heard == nil {
		o.Heard = func(error) {}
	}
	if o.Whole == nil {
		o.Whole = func(error) {}
	}
	f := &follower{FollowOptions: o, client: c, each: each, known: map[appKey]seen{}}
	pause := firstPause
	for {
		stood, err := f.session(ctx)
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case err == nil: // time to begin again
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

// keyOf is by what an application is known.
func keyOf(s *AppState) appKey { return appKey{s.Namespace, s.Name} }

// seen is what was reported to the caller last; without a digest if that was a partial state.
type seen struct{ digest, outline uint64 }

// follower is the state of one Follow. It has no locks: only the goroutine of Follow touches it.
type follower struct {
	FollowOptions
	client *Client
	each   func(Change)
	known  map[appKey]seen
	read   bool // completely, once
	whole  bool // Whole was called with an error last
}

// session follows until the stream ends or it is time to begin again (nil). It stood if all applications were read.
func (f *follower) session(ctx context.Context) (stood bool, err error) {
	stood, err = f.newSession(ctx, nil)
	var cannot *cannotBeShort
	if errors.As(err, &cannot) && ctx.Err() == nil {
		return f.newSession(ctx, cannot.reason)
	}
	return stood, err
}

// standing says that all applications were read and the stream is up, of whole applications if there is a reason.
func (f *follower) standing(whole error) {
	if f.whole != (whole != nil) {
		f.whole = !f.whole
		f.Whole(whole)
	}
	f.Heard(nil)
}

// take reports to the caller what it does not know yet.
func (f *follower) take(change Change) (news bool) {
	key, now := keyOf(&change.State), seen{change.State.Digest, change.State.outline}
	reported, known := f.known[key]
	switch {
	case change.Deleted && known:
		delete(f.known, key)
	case change.Deleted, known && reported == now, known && change.State.Partial && reported.outline == now.outline:
		return false
	default:
		f.known[key] = now
	}
	f.each(change)
	return true
}
