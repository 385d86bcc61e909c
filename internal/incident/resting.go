package incident

import (
	"sync"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
)

// restFor is how long an application that is too large to be diagnosed is left alone, whatever changes of it: it takes as much as many others. A
// person who asks has it read at once.
const restFor = time.Hour

// resting are the applications that were too large to be diagnosed, with when each may be tried again.
type resting struct {
	mu    sync.Mutex
	until map[App]time.Time
}

// left is how long an application is still left alone.
func (r *resting) left(app App, now time.Time) time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.until[app].Sub(now)
}

func (r *resting) set(app App, until time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if until.IsZero() {
		delete(r.until, app)
		return
	}
	if r.until == nil {
		r.until = map[App]time.Time{}
	}
	r.until[app] = until
}

// rest takes note of whether an application could be diagnosed. One that is not posted yet is tried once more, when that is due.
func (r *Reconciler) rest(app App, report *diagnose.Report, reason Reason) {
	if report == nil || report.Undiagnosed == "" {
		r.resting.set(app, time.Time{})
		return
	}
	r.Metrics.undiagnosed(r.Instance)
	r.Log.Warn("application not diagnosed: it is too large", "app", app, "error", report.Undiagnosed)
	if reason != Waiting {
		r.resting.set(app, time.Now().Add(restFor))
	}
}
