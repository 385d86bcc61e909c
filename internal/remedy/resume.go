package remedy

import (
	"context"
	"errors"
	"time"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/evidence"
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
	return ends(action.Interrupted, "The bot stopped partway through, and this version cannot check the outcome. Check Argo CD.")
}

// unfound is the end of a record of which nothing can be found out.
func unfound(late error) error {
	return ends(action.Interrupted, "The bot stopped partway through, and the outcome could not be checked: %s", late)
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
		return ends(action.Interrupted, "The bot stopped before it deleted anything, but %s is gone anyway.", job.Ref)
	case r.Step != action.StepDelete && live.Deleting:
		return ends(action.Interrupted, "The bot stopped before it deleted anything, but %s is being deleted anyway.", job.Ref)
	case live == nil:
		return ends(action.Done, "%s was deleted (checked after a restart).", job.Ref)
	case live.Deleting:
		return ends(action.Done, "%s is being deleted (checked after a restart).", job.Ref)
	}
	if !r.Operation.IsZero() && (r.Step == action.StepTerminate || r.Step == action.StepDelete) {
		return x.terminatedOnly(ctx, job)
	}
	return ends(action.Interrupted, "The bot stopped partway through. %s was not deleted. Request it again.", job.Ref)
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
		return ends(action.Interrupted, "The bot stopped partway through. %s was not deleted; could not check whether the operation was terminated.", job.Ref)
	case going:
		return ends(action.Interrupted, "The bot stopped partway through. The operation was not terminated and %s was not deleted. Request it again.", job.Ref)
	}
	return ends(action.Interrupted, "The bot stopped partway through. The operation was terminated, but %s was not deleted. Request it again.", job.Ref)
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
		return ends(action.Done, "The application and its operation no longer exist.")
	case err != nil:
		return unfound(err)
	case goesOn(seen, began) && seen.Status.OperationState.Phase == evidence.OperationRunning:
		return ends(action.Interrupted, "The bot stopped partway through. The operation that started at %s is still running. Request it again.", clock(began))
	}
	end, err := x.untilEnded(ctx, began, nil)
	if err != nil {
		return err
	}
	return ends(action.Done, "The operation that started at %s has ended (checked after a restart)%s", clock(began), end.how)
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
		return ends(action.Interrupted, "The sync of %s started, then the bot stopped, and Argo CD now shows another operation, so the result is unknown. Check Argo CD.", text.Revisions(r.Revision))
	case r.Step == action.StepSync && op != nil && ownOperation(seen, r.ID, true) == nil: // else our dry run would be the last
		return ends(action.Interrupted, "The bot stopped just before it started the sync, and Argo CD now shows another operation, so it is unclear whether the sync started. Check Argo CD.")
	}
	return ends(action.Interrupted, "The bot stopped partway through. The sync of %s did not start. Request it again.", text.Revisions(r.Revision))
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
