package remedy

import (
	"context"
	"errors"
	"time"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/sanitize"
	"github.com/argo-why/argo-why/internal/text"
)

// maxSearch is how long it is tried to find out what became of what somebody has left half done.
const maxSearch = 5 * time.Minute

// findOut finds out what became of a record that somebody has begun and left. It repeats nothing but what does no harm when
// it is repeated; it looks for the traces that each step leaves.
func (x *execution) findOut(ctx context.Context) error {
	switch r := x.record(); r.Kind {
	case action.HardRefresh, action.Mute:
		return x.effect(ctx)
	case action.DeleteHookJob:
		return x.findDeletion(ctx)
	case action.Terminate:
		return x.findTermination(ctx)
	case action.Sync:
		return x.findSync(ctx)
	}
	return ends(action.Interrupted, "The bot ended in the middle of it, and this version does not know how to find out what became of it.")
}

// unfound is the end of a record of which nothing can be found out.
func unfound(late error) error {
	return ends(action.Interrupted, "The bot ended in the middle of it, and what became of it could not be found out: %s", text.Sentence(sanitize.Excerpt(late.Error())))
}

// findDeletion looks for the Job.
func (x *execution) findDeletion(ctx context.Context) error {
	r := x.record()
	job := action.Job{Ref: r.Target, UID: r.UID}
	var live *action.Job
	for until := time.Now().Add(maxSearch); ; {
		var unread error
		live, unread = x.job(ctx, job)
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case unread != nil && !time.Now().Before(until):
			return unfound(unread)
		}
		if unread == nil {
			break
		}
		if err := x.wait(ctx, lookInterval); err != nil {
			return err
		}
	}
	switch {
	case r.Step != action.StepDelete && live == nil:
		return ends(action.Interrupted, "The bot ended in the middle of it, before it deleted anything. %s is gone all the same.", job.Ref)
	case r.Step != action.StepDelete && live.Deleting:
		return ends(action.Interrupted, "The bot ended in the middle of it, before it deleted anything. %s is being deleted all the same.", job.Ref)
	case live == nil:
		return ends(action.Done, "%s is deleted (found after a restart).", job.Ref)
	case live.Deleting:
		return ends(action.Done, "%s is being deleted (found after a restart).", job.Ref)
	}
	if !r.Operation.IsZero() && (r.Step == action.StepTerminate || r.Step == action.StepDelete) {
		return x.terminatedOnly(ctx, job)
	}
	return ends(action.Interrupted, "The bot ended in the middle of it. %s was not deleted; ask for it again.", job.Ref)
}

// terminatedOnly says of a Job that is still there whether the operation was terminated for it.
func (x *execution) terminatedOnly(ctx context.Context, job action.Job) error {
	began := x.record().Operation
	going := false
	err := x.await(ctx, maxSearch, func(app *evidence.Application) bool {
		going = goesOn(app, began) && app.Status.OperationState.Phase == evidence.OperationRunning
		return true
	})
	switch {
	case stopped(ctx, err):
		return err
	case err != nil:
		return ends(action.Interrupted, "The bot ended in the middle of it. %s was not deleted; whether the operation was terminated could not be read.", job.Ref)
	case going:
		return ends(action.Interrupted, "The bot ended in the middle of it. Neither was the operation terminated nor %s deleted; ask for it again.", job.Ref)
	}
	return ends(action.Interrupted, "The bot ended in the middle of it. The operation was terminated, but %s was not deleted; ask for it again.", job.Ref)
}

// findTermination looks for the operation that began then.
func (x *execution) findTermination(ctx context.Context) error {
	began := x.record().Operation
	var seen *evidence.Application
	err := x.await(ctx, maxSearch, func(app *evidence.Application) bool { seen = app; return true })
	switch {
	case stopped(ctx, err):
		return err
	case errors.Is(err, action.ErrGone):
		return ends(action.Done, "The application does not exist any more, and its operation neither.")
	case err != nil:
		return unfound(err)
	case goesOn(seen, began) && seen.Status.OperationState.Phase == evidence.OperationRunning:
		return ends(action.Interrupted, "The bot ended in the middle of it. The operation that began at %s still runs; ask for it again.", clock(began))
	}
	end, err := x.untilEnded(ctx, began, nil)
	if err != nil {
		return err
	}
	return ends(action.Done, "The operation that began at %s has ended (found after a restart)%s", clock(began), end.how)
}

// findSync looks for the operation that carries the ID of the record.
func (x *execution) findSync(ctx context.Context) error {
	r := x.record()
	var seen *evidence.Application
	err := x.await(ctx, maxSearch, func(app *evidence.Application) bool { seen = app; return true })
	switch {
	case stopped(ctx, err):
		return err
	case err != nil:
		return unfound(err)
	case ownOperation(seen, r.ID, false) != nil || requested(seen, r.ID, false):
		return x.follow(ctx)
	}
	if r.Sync.DryRun && (ownOperation(seen, r.ID, true) != nil || requested(seen, r.ID, true)) {
		return x.findDryRun(ctx)
	}
	if err := x.abandon(ctx); err != nil {
		return err
	}
	op := seen.Status.OperationState
	switch {
	case r.Step == action.StepFollow:
		return ends(action.Interrupted, "The sync of %s began; then the bot ended, and by now Argo CD shows another operation. How it ended is not known; look there.", text.Revisions(r.Revision))
	case r.Step == action.StepSync && op != nil && ownOperation(seen, r.ID, true) == nil: // else our dry run would be the last
		return ends(action.Interrupted, "The bot ended when it was about to start the sync, and by now Argo CD shows another operation. Whether the sync began is not known; look there.")
	}
	return ends(action.Interrupted, "The bot ended in the middle of it. The sync of %s did not begin; ask for it again.", text.Revisions(r.Revision))
}

// findDryRun follows the dry run of a record that is about nothing else.
func (x *execution) findDryRun(ctx context.Context) error {
	what := "The dry run of " + text.Revisions(x.record().Revision)
	op, err := x.untilTried(ctx, time.Time{})
	if stopped(ctx, err) {
		return err
	}
	if err != nil || op.Phase != evidence.OperationSucceeded {
		if err := x.abandon(ctx); err != nil {
			return err
		}
	}
	if err != nil {
		return unfound(err)
	}
	return howEnded(what, op)
}
