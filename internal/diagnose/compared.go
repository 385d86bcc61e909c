package diagnose

import (
	"slices"
	"time"

	"github.com/argo-why/argo-why/internal/evidence"
)

// firstCompared is how long a controller may take until it has compared an application that is new, or was synced just now: seconds, and in
// a large installation minutes. After that the application is as the last comparison has it, and what is wrong is worth a word.
const firstCompared = 10 * time.Minute

// isNew reports whether Argo CD has not looked at an application yet, and need not have.
func (r *run) isNew() bool {
	st := r.app.Status
	return st.ReconciledAt.IsZero() && st.Sync.Status == "" && st.OperationState == nil && r.justNow(r.app.Metadata.CreationTimestamp)
}

// isOutrun reports whether a sync has succeeded since the last comparison: what differed then, or was not healthy, says nothing now.
func (r *run) isOutrun() bool {
	op := r.app.Status.OperationState
	return op != nil && !op.Running() && !op.Failed() && !r.app.ComparedSince(op.FinishedAt) && r.justNow(op.FinishedAt)
}

func (r *run) justNow(t evidence.Time) bool { return !t.IsZero() && r.since(t) < firstCompared }

// dropOutrun drops what rests on a comparison from before the last sync. What comes back after each sync rests on many.
func (r *run) dropOutrun() {
	if !r.isOutrun() || slices.ContainsFunc(r.findings, func(f Finding) bool { return f.Recurs }) {
		return
	}
	r.findings = slices.DeleteFunc(r.findings, func(f Finding) bool { return GroupDrift.Has(f.Rule) || GroupHealth.Has(f.Rule) })
}
