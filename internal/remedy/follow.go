package remedy

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

// follow reports how our sync goes, until it has ended. That it is of the revision that was confirmed is looked at here too: the
// answer to the call for it, which names the revision, may not have reached us.
func (x *execution) follow(ctx context.Context) error {
	r := x.record()
	var last *evidence.OperationState
	seen, progress := time.Now(), ""
	taken := r.Revision
	err := x.await(ctx, maxFollow, func(app *evidence.Application) bool {
		op := ownOperation(app, r.ID, false)
		switch {
		case op != nil:
			last, seen, taken = op, time.Now(), op.Operation.Sync.At()
		case requested(app, r.ID, false):
			seen, taken = time.Now(), app.Operation.Sync.At()
		}
		if taken != r.Revision {
			return true
		}
		if now := progressOf(op); now != progress {
			progress = now
			x.show(x.record())
		}
		return op != nil && !op.Running() || time.Since(seen) > maxAppear || last != nil && op == nil && overtaken(app, last)
	})
	what := "The sync of " + text.Revisions(r.Revision)
	switch {
	case stopped(ctx, err):
		return err
	case taken != r.Revision:
		return x.takeBack(ctx, taken)
	case errors.Is(err, action.ErrGone):
		return ends(action.Failed, "%s started; then the application was deleted.", what)
	case errors.Is(err, errLate) && last != nil:
		return ends(action.Interrupted, "%s started and is still running after %s. It is no longer followed here; check Argo CD.", what, text.Duration(maxFollow))
	case err != nil && last != nil:
		return ends(action.Interrupted, "%s started, but how it ended could not be read: %s", what, err)
	case err != nil:
		return ends(action.Interrupted, "Argo CD accepted %s, but its progress could not be read: %s", text.LowerFirst(what), err)
	case last == nil:
		return ends(action.Interrupted, "Argo CD accepted the sync of %s but never showed it. Check Argo CD.", text.Revisions(r.Revision))
	case last.Running():
		return ends(action.Interrupted, "%s started; then another operation replaced it, so its result is unknown. Check Argo CD.", what)
	}
	return howEnded(what, last)
}

// howEnded is what there is to say about an operation that has ended.
func howEnded(what string, op *evidence.OperationState) error {
	if op.Phase == evidence.OperationSucceeded {
		return ends(action.Done, "%s succeeded.", what)
	}
	return ends(action.Failed, "%s failed. %s", what, failures(op))
}

// overtaken reports whether another operation than the one we have seen is shown now.
func overtaken(app *evidence.Application, ours *evidence.OperationState) bool {
	op := app.Status.OperationState
	return op != nil && op.StartedAt.After(ours.StartedAt.Time)
}

// progressOf is different whenever there is something new to show.
func progressOf(op *evidence.OperationState) string {
	if op == nil {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s %d %s", op.Phase, op.RetryCount, op.Message)
	for _, res := range op.Results() {
		fmt.Fprintf(&b, "\n%s %s %s %s", res.Ref(), res.Status, res.HookPhase, res.Message)
	}
	return b.String()
}

// How long an operation may take to show whose request gave an error.
const maxShow = 6 * time.Second

// startedAnyway finds out whether our operation was taken down although the call for it gave an error: the answer may have been
// lost, and not the call. The error is nil if it was. That Argo CD refused it is said only after a look at the end of that
// time: an Argo CD that cannot be read may well have begun it.
func (x *execution) startedAnyway(ctx context.Context, dryRun bool, refused error, what string) error {
	var seen *evidence.Application
	ours := func(app *evidence.Application) bool {
		seen = app
		return ownOperation(app, x.id(), dryRun) != nil || requested(app, x.id(), dryRun)
	}
	for until, blind := time.Now().Add(maxSearch), false; ; blind = true {
		err := x.await(ctx, maxShow, ours)
		switch {
		case err == nil || stopped(ctx, err):
			return err
		case errors.Is(err, errLate) && blind && !dryRun && ownOperation(seen, x.id(), true) == nil: // else our dry run would be the last
			return ends(action.Interrupted, "Argo CD could not be read for a while and now shows another operation, so it is unclear whether the sync started. Check Argo CD.")
		case errors.Is(err, errLate):
			return ends(action.Failed, "%s: %s", what, refused)
		case errors.Is(err, action.ErrGone) || !time.Now().Before(until):
			return ends(action.Interrupted, "Argo CD returned an error, so it is unclear whether the operation started. Check Argo CD: %s", err)
		}
	}
}

// takeBack terminates our sync as soon as it has begun, because Argo CD took another revision than the one that was confirmed.
// What is only taken down cannot be terminated, and begins however late the controller comes to it.
func (x *execution) takeBack(ctx context.Context, accepted string) error {
	instead := fmt.Sprintf("Argo CD took %s instead of the confirmed %s", took(accepted), text.Revisions(x.record().Revision))
	var op *evidence.OperationState
	seen := time.Now()
	err := x.await(ctx, maxFollow, func(app *evidence.Application) bool {
		op = ownOperation(app, x.id(), false)
		if requested(app, x.id(), false) {
			seen = time.Now()
		}
		return op != nil || time.Since(seen) > maxAppear
	})
	switch {
	case stopped(ctx, err):
		return err
	case errors.Is(err, action.ErrGone):
		return ends(action.Failed, "%s. Then the application was deleted.", instead)
	case errors.Is(err, errLate):
		return ends(action.Failed, "%s and had not started it after %s, so it could not be terminated. Check Argo CD.", instead, text.Duration(maxFollow))
	case err != nil:
		return ends(action.Failed, "%s. Could not read whether it started, so it was not terminated. Check Argo CD: %s", instead, err)
	case op == nil:
		return ends(action.Failed, "%s but never showed it, so it was not terminated. Check Argo CD.", instead)
	}
	end, err := x.endOperation(ctx, op.StartedAt.Time)
	if res, over := errors.AsType[*result](err); over {
		return ends(action.Failed, "%s. %s", instead, res.text)
	}
	switch {
	case err != nil:
		return err
	case end.succeeded:
		return ends(action.Failed, "%s and finished before it could be terminated. Check what it changed.", instead)
	case end.byItself:
		return ends(action.Failed, "%s. The sync has ended%s Check what it changed.", instead, end.how)
	}
	return ends(action.Changed, "%s, so the sync was terminated immediately. Check whether it had already changed anything.", instead)
}
