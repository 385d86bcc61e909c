package diagnose

import (
	"cmp"
	"fmt"

	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

// setDryRunAside takes a dry run that is over out of what the rules see. Argo CD writes it down like any sync, in place of
// the last one: but it changed nothing, so that neither its failure nor its success is the application's.
func (r *run) setDryRunAside() {
	op := r.app.Status.OperationState
	if !op.DryRun() || op.Running() {
		return
	}
	app := *r.app
	app.Status.OperationState = nil
	r.app, r.tried = &app, op
}

// dryRun says what came of the last dry run: somebody waits for that.
func (r *run) dryRun() string {
	if r.tried == nil {
		return ""
	}
	of := revisions(r.tried)
	if of != "" {
		of = " of " + of
	}
	if !r.tried.Failed() {
		return fmt.Sprintf("The last operation was a dry run%s. It succeeded and changed nothing.", of)
	}
	return fmt.Sprintf("The last operation was a dry run%s. It failed and changed nothing: %s", of, text.Clip(failure(r.tried), maxFailure))
}

// maxFailure is how much of what a dry run says is repeated: about two lines of a terminal.
const maxFailure = 160

// failure is what failed in an operation, in Argo CD's words: the first task that did, else the operation's message.
func failure(op *evidence.OperationState) string {
	for _, res := range op.Results() {
		if res.Failed() && res.Message != "" {
			return res.Ref().String() + ": " + text.OneLine(res.Message)
		}
	}
	return cmp.Or(text.OneLine(op.Message), "Argo CD does not say why.")
}

// refusedInDryRun reports whether the revision that a sync would bring failed in a dry run.
func (r *run) refusedInDryRun() bool {
	return r.tried.Failed() && r.tried.Revision() != "" && r.tried.Revision() == r.app.Status.Sync.Revision
}
