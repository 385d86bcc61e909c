package diagnose

import (
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/evidence"
)

// setPastAside takes a failed sync out of what the rules see where nothing is left of it but Argo CD's word that it failed: it is history, or
// what it failed of is repaired. All else is then looked at as it is now.
func (r *run) setPastAside() {
	op := r.app.Status.OperationState
	switch {
	case !op.Failed() || op.HalfWritten():
		return
	case r.isHistory(op):
		r.past = op
	case r.isRepaired(op):
		r.past, r.repaired = op, true
	default:
		return
	}
	app := *r.app
	app.Status.OperationState = nil
	app.Status.Conditions = slices.DeleteFunc(slices.Clone(app.Status.Conditions), func(c evidence.Condition) bool {
		return c.Type == "SyncError" && op.Message != "" && strings.Contains(c.Message, op.Message) // Argo CD repeats it at each comparison
	})
	r.app = &app
}

// isHistory reports whether nothing is left to be done after a failed sync, because Argo CD has since found all in sync: the sync failed before
// it did anything, or all that it failed of was refused, and Git is known to have changed. A commit elsewhere in the repository ends nothing.
// Hooks run in a sync only, and so does what comes after a resource that did not become healthy.
func (r *run) isHistory(op *evidence.OperationState) bool {
	switch {
	case r.app.Status.Sync.Status != "Synced":
		return false
	case len(op.Results()) == 0:
		return r.app.MovedOn() || r.isRepaired(op)
	}
	return r.app.MovedOn() && r.onlyRefused(op) && r.changedSince(op)
}

// onlyRefused reports whether all that failed are resources that the API server refused, and each of them is in sync now. A server-side diff
// can call in sync what was refused.
func (r *run) onlyRefused(op *evidence.OperationState) bool {
	refused := false
	for _, task := range op.Results() {
		switch {
		case task.HookType == "SyncFail": // it ran because something else failed
		case task.Status == evidence.ResultSyncFailed && !task.IsHook():
			refused = true
			if listed := r.resource(task.Ref()); listed != nil && listed.Status != "Synced" {
				return false
			}
		case task.Failed() || task.IsHook() && task.HookPhase == evidence.OperationRunning:
			return false
		}
	}
	return refused && !r.app.ServerSideDiff()
}

// changedSince reports whether Git is known to have other manifests of this application than the sync tried.
func (r *run) changedSince(op *evidence.OperationState) bool {
	before, after, ok := r.renderings(op)
	return ok && before != after
}

// isRepaired reports whether a sync failed before it did anything because the application could not be rendered or compared, and it can be now.
func (r *run) isRepaired(op *evidence.OperationState) bool {
	return len(op.Results()) == 0 && !slices.ContainsFunc(operationSaid(op), func(f message.Failure) bool { return !comparesAgain(r.app, f) })
}
