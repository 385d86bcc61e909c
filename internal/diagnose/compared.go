package diagnose

import (
	"slices"
	"time"

	"github.com/argo-why/argo-why/internal/evidence"
)

// firstCompared is how long a controller may take until it has compared an application that is new, or was synced just now: seconds, and in
// a large installation minutes. After that it is worth a word that it does not.
const firstCompared = 10 * time.Minute

// uncomparedSince is the moment after which Argo CD has not compared the application yet: that it was created, or that its last sync
// succeeded. Zero where it has.
func (r *run) uncomparedSince() evidence.Time {
	st := r.app.Status
	switch op := st.OperationState; {
	case op == nil && st.ReconciledAt.IsZero() && st.Sync.Status == "":
		return r.app.Metadata.CreationTimestamp
	case op == nil || op.Running() || op.Failed() || r.app.ComparedSince(op.FinishedAt):
		return evidence.Time{}
	default:
		return op.FinishedAt
	}
}

// Uncompared is for how long Argo CD has not compared the application since it was created, or since its last sync succeeded, and whether that
// is longer than a controller takes that works. 0 where it has.
func (in *In) Uncompared() (since time.Duration, overdue bool) {
	since = in.Since(in.run.uncomparedSince())
	return since, since >= firstCompared
}

// isNew reports whether Argo CD has not looked at an application yet, and need not have.
func (r *run) isNew() bool { return r.app.Status.OperationState == nil && r.isUncompared() }

// isUncompared is isNew, or that all in the status is from before the last sync, and may be: what differed then, or was not healthy, says
// nothing now.
func (r *run) isUncompared() bool {
	since := r.uncomparedSince()
	return !since.IsZero() && r.since(since) < firstCompared
}

// dropOutrun drops what rests on a comparison from before the last sync. What comes back after each sync rests on many.
func (r *run) dropOutrun() {
	if r.uncomparedSince().IsZero() || slices.ContainsFunc(r.findings, func(f Finding) bool { return f.Recurs }) {
		return
	}
	r.findings = slices.DeleteFunc(r.findings, func(f Finding) bool { return GroupDrift.Has(f.Rule) || GroupHealth.Has(f.Rule) })
}
