package action

import (
	"time"

	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

// Overtaken says in a sentence that somebody has begun another operation since a plan was confirmed, and who: whatever was confirmed, it
// was not that. It is "" where nobody has. It needs the application alone, so that it is known at once.
func (r *Record) Overtaken(app *evidence.Application, now time.Time) string {
	if app == nil || !r.Kind.Confirmed() {
		return ""
	}
	if requested := app.Requested(); requested != nil {
		return starter(requested) + " requested " + aSync(requested, "") + ", which is about to start."
	}
	op := app.Status.OperationState
	if op == nil || !r.follows(op) {
		return ""
	}
	s := starter(&op.Operation) + " started " + aSync(&op.Operation, op.Revision()) + " at " + text.Moment(op.StartedAt.Time, now)
	switch {
	case op.Running():
		return s + "."
	case op.Phase == evidence.OperationSucceeded:
		return s + ", which succeeded."
	}
	return s + ", which failed."
}

// follows reports whether an operation began after the plan was confirmed. Of a record that names none before it, its own date decides.
func (r *Record) follows(op *evidence.OperationState) bool {
	if r.Before.IsZero() {
		return op.StartedAt.After(r.At)
	}
	return !op.StartedAt.Equal(r.Before)
}

// starter is who began an operation, at the begin of a sentence.
func starter(o *evidence.Operation) string {
	switch who := o.Starter(); {
	case o.ByAutoSync():
		return "Auto-sync"
	case who != "":
		return who
	}
	return "Someone"
}

// aSync names an operation: "a sync of 3f2a91c", "a dry run of 3f2a91c".
func aSync(o *evidence.Operation, revision string) string {
	s := "a sync"
	if o.Sync != nil && o.Sync.DryRun {
		s = "a dry run"
	}
	if revision != "" {
		s += " of " + text.Revision(revision)
	}
	return s
}
