package remedy

import (
	"context"
	"errors"
	"time"

	"github.com/argo-why/argo-why/internal/evidence"
)

// findFor is how long it is tried to find out what became of what somebody has left half done.
const findFor = 5 * time.Minute

// findOut finds out what became of a record that somebody has begun and left. It repeats nothing but what does no harm when
// it is repeated; it looks for the traces that each step leaves.
func (t *turn) findOut(ctx context.Context) (outcome, error) {
	switch r := t.record(); r.Kind {
	case HardRefresh, Mute:
		return t.effect(ctx)
	case DeleteHookJob:
		return t.findDeletion(ctx)
	case Terminate:
		return t.findTermination(ctx)
	case Sync:
		return t.findSync(ctx)
	}
	return ends(Interrupted, "The bot ended in the middle of it, and this version does not know how to find out what became of it.")
}

// unfound is the end of a record of which nothing can be found out.
func unfound(late error) (outcome, error) {
	return ends(Interrupted, "The bot ended in the middle of it, and what became of it could not be found out: %s", sentence(line(late.Error())))
}

// findDeletion looks for the Job.
func (t *turn) findDeletion(ctx context.Context) (outcome, error) {
	r := t.record()
	job := Job{Ref: r.Target, UID: r.UID}
	var live *Job
	for until := time.Now().Add(findFor); ; {
		var unread error
		live, unread = t.job(ctx, job)
		switch {
		case ctx.Err() != nil:
			return outcome{}, context.Cause(ctx)
		case unread != nil && !time.Now().Before(until):
			return unfound(unread)
		}
		if unread == nil {
			break
		}
		if err := t.wait(ctx, lookEvery); err != nil {
			return outcome{}, err
		}
	}
	switch {
	case r.Step != StepDelete && live == nil:
		return ends(Interrupted, "The bot ended in the middle of it, before it deleted anything. %s is gone all the same.", job.Ref)
	case r.Step != StepDelete && live.Deleting:
		return ends(Interrupted, "The bot ended in the middle of it, before it deleted anything. %s is being deleted all the same.", job.Ref)
	case live == nil:
		return ends(Done, "%s is deleted (found after a restart).", job.Ref)
	case live.Deleting:
		return ends(Done, "%s is being deleted (found after a restart).", job.Ref)
	}
	if !r.Operation.IsZero() && (r.Step == StepTerminate || r.Step == StepDelete) {
		return t.terminatedOnly(ctx, job)
	}
	return ends(Interrupted, "The bot ended in the middle of it. %s was not deleted; ask for it again.", job.Ref)
}

// terminatedOnly says of a Job that is still there whether the operation was terminated for it.
func (t *turn) terminatedOnly(ctx context.Context, job Job) (outcome, error) {
	began := t.record().Operation
	going := false
	late, err := t.await(ctx, findFor, func(app *evidence.Application) bool {
		going = goesOn(app, began) && app.Status.OperationState.Phase == evidence.OperationRunning
		return true
	})
	switch {
	case err != nil:
		return outcome{}, err
	case late != nil:
		return ends(Interrupted, "The bot ended in the middle of it. %s was not deleted; whether the operation was terminated could not be read.", job.Ref)
	case going:
		return ends(Interrupted, "The bot ended in the middle of it. Neither was the operation terminated nor %s deleted; ask for it again.", job.Ref)
	}
	return ends(Interrupted, "The bot ended in the middle of it. The operation was terminated, but %s was not deleted; ask for it again.", job.Ref)
}

// findTermination looks for the operation that began then.
func (t *turn) findTermination(ctx context.Context) (outcome, error) {
	began := t.record().Operation
	var seen *evidence.Application
	late, err := t.await(ctx, findFor, func(app *evidence.Application) bool { seen = app; return true })
	switch {
	case err != nil:
		return outcome{}, err
	case errors.Is(late, ErrGone):
		return ends(Done, "The application does not exist any more, and its operation neither.")
	case late != nil:
		return unfound(late)
	case goesOn(seen, began) && seen.Status.OperationState.Phase == evidence.OperationRunning:
		return ends(Interrupted, "The bot ended in the middle of it. The operation that began at %s still runs; ask for it again.", clock(began))
	}
	end, out, err := t.untilEnded(ctx, began, nil)
	if err != nil || out != nil {
		return deref(out), err
	}
	return ends(Done, "The operation that began at %s has ended (found after a restart)%s", clock(began), end.how)
}

// findSync looks for the operation that carries the ID of the record.
func (t *turn) findSync(ctx context.Context) (outcome, error) {
	r := t.record()
	var seen *evidence.Application
	late, err := t.await(ctx, findFor, func(app *evidence.Application) bool { seen = app; return true })
	switch {
	case err != nil:
		return outcome{}, err
	case late != nil:
		return unfound(late)
	case ownOperation(seen, r.ID, false) != nil || requested(seen, r.ID, false):
		return t.follow(ctx)
	}
	if r.Sync.DryRun && (ownOperation(seen, r.ID, true) != nil || requested(seen, r.ID, true)) {
		return t.findDryRun(ctx)
	}
	if err := t.abandon(ctx); err != nil {
		return outcome{}, err
	}
	op := seen.Status.OperationState
	switch {
	case r.Step == StepFollow:
		return ends(Interrupted, "The sync of %s began; then the bot ended, and by now Argo CD shows another operation. How it ended is not known; look there.", short(r.Revision))
	case r.Step == StepSync && op != nil && ownOperation(seen, r.ID, true) == nil: // else our dry run would be the last
		return ends(Interrupted, "The bot ended when it was about to start the sync, and by now Argo CD shows another operation. Whether the sync began is not known; look there.")
	}
	return ends(Interrupted, "The bot ended in the middle of it. The sync of %s did not begin; ask for it again.", short(r.Revision))
}

// findDryRun follows the dry run of a record that is about nothing else.
func (t *turn) findDryRun(ctx context.Context) (outcome, error) {
	what := "The dry run of " + short(t.record().Revision)
	op, late, err := t.untilTried(ctx, time.Time{})
	if err == nil && (late != nil || op.Phase != evidence.OperationSucceeded) {
		err = t.abandon(ctx)
	}
	switch {
	case err != nil:
		return outcome{}, err
	case late != nil:
		return unfound(late)
	}
	return howEnded(what, op)
}
