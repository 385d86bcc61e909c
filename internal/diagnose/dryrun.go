package diagnose

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

// setDryRunAside takes a dry run that is over out of what the rules see. Argo CD writes it down like any sync, in place of
// the last one: but it changed nothing, so neither its failure nor its success is the application's.
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
		return fmt.Sprintf("The last operation was a dry run%s; it succeeded.", of)
	}
	return fmt.Sprintf("The last operation was a dry run%s; it failed: %s", of, text.Sentence(failure(r.tried)))
}

// failure quotes Argo CD on what failed: the first failed task and how many more there are, or the operation's message.
func failure(op *evidence.OperationState) string {
	said, more := "", 0
	for _, res := range op.Results() {
		switch {
		case !res.Failed() || res.Message == "":
		case said == "":
			said = res.Ref().String() + ": " + message.LastClause(res.Message)
		default:
			more++
		}
	}
	switch {
	case more > 0:
		return fmt.Sprintf("%s; %s failed as well", strings.TrimRight(said, ". "), text.Count(more, "more resource", "more resources"))
	case said != "":
		return said
	}
	return cmp.Or(message.LastClause(op.Message), "Argo CD gives no reason")
}

// refusedInDryRun reports whether the revision that a sync would bring failed in a dry run.
func (r *run) refusedInDryRun() bool {
	return r.tried.Failed() && r.tried.Revision() != "" && r.tried.Revision() == r.app.Status.Sync.At()
}
