package incident

import (
	"sync"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
)

const (
	// restFor is how long an application that is too large to be diagnosed is left alone, whatever its state does: it takes as much as many
	// others. A person who asks has it read at once.
	restFor = time.Hour
	// changedRest is how long it is left alone after somebody has changed what is wanted of it, which may have made it smaller: the first time not
	// at all, and then no longer than this, because whoever made it so large can also change it every second.
	changedRest = 10 * time.Minute
)

// resting are the applications that were too large to be diagnosed.
type resting struct {
	mu  sync.Mutex
	all map[App]rest
}

// rest is when one may be tried again: until, or from early on if another thing is wanted of it than at the last try.
type rest struct {
	until, early time.Time
	wanted       uint64
}

// left is how long an application of which that is wanted is still left alone.
func (r *resting) left(app App, wanted uint64, now time.Time) time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	at := r.all[app]
	if wanted != at.wanted && at.early.Before(at.until) {
		return at.early.Sub(now)
	}
	return at.until.Sub(now)
}

// begin leaves an application alone for a while.
func (r *resting) begin(app App, wanted uint64, now time.Time, while time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.all == nil {
		r.all = map[App]rest{}
	}
	next := rest{until: now.Add(while), early: now, wanted: wanted}
	if before, rested := r.all[app]; rested && before.wanted != wanted {
		next.early = now.Add(changedRest)
	}
	r.all[app] = next
}

func (r *resting) end(app App) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.all, app)
}

// wanted is what is wanted of an application, as a digest; 0 where that is not known.
func (r *Reconciler) wanted(app App) uint64 {
	if r.Wanted == nil {
		return 0
	}
	return r.Wanted(app)
}

// rest takes note of whether an application could be diagnosed, which that was wanted of. One that is not posted yet is tried once more, when that
// is due.
func (r *Reconciler) rest(app App, wanted uint64, report *diagnose.Report, out Outcome) {
	if report == nil || report.Undiagnosed == "" {
		r.resting.end(app)
		return
	}
	r.Metrics.undiagnosed(r.Instance)
	r.Log.Warn("application not diagnosed: it is too large", "app", app, "error", report.Undiagnosed)
	while := restFor
	if out.Reason == Waiting {
		while = out.Again
	}
	r.resting.begin(app, wanted, time.Now(), while)
}
