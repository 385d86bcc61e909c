package remedy

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/argo-why/argo-why/internal/evidence"
)

// follow tells how our sync goes, until it has ended. That it is of the revision that was confirmed is looked at here too: the
// answer to the call for it, which names the revision, may not have reached us.
func (t *turn) follow(ctx context.Context) (outcome, error) {
	r := t.record()
	var last *evidence.OperationState
	seen, progress := time.Now(), ""
	taken := r.Revision
	late, err := t.await(ctx, followFor, func(app *evidence.Application) bool {
		op := ownOperation(app, r.ID, false)
		switch {
		case op != nil:
			last, seen, taken = op, time.Now(), revisionIn(op.Operation)
		case requested(app, r.ID, false):
			seen, taken = time.Now(), revisionIn(*app.Operation)
		}
		if taken != r.Revision {
			return true
		}
		if now := progressOf(op); now != progress {
			progress = now
			t.teller.Show(t.record())
		}
		return op != nil && !op.Running() || time.Since(seen) > appearFor || last != nil && op == nil && overtaken(app, last)
	})
	what := "The sync of " + short(r.Revision)
	switch {
	case err != nil:
		return outcome{}, err
	case taken != r.Revision:
		return t.takeBack(ctx, taken)
	case errors.Is(late, ErrGone):
		return ends(Failed, "%s began; then the application was deleted.", what)
	case errors.Is(late, errLate) && last != nil:
		return ends(Interrupted, "%s began and still runs after %s. What becomes of it is not told here any more; look in Argo CD.", what, span(followFor))
	case late != nil && last != nil:
		return ends(Interrupted, "%s began; how it ended could not be read: %s", what, sentence(line(late.Error())))
	case late != nil:
		return ends(Interrupted, "Argo CD accepted %s; how it went could not be read: %s", strings.ToLower(what[:1])+what[1:], sentence(line(late.Error())))
	case last == nil:
		return ends(Interrupted, "Argo CD accepted the sync of %s and then showed nothing of it; look there.", short(r.Revision))
	case last.Running():
		return ends(Interrupted, "%s began; then another operation took its place, so how it ended is not known. Look in Argo CD.", what)
	}
	return howEnded(what, last)
}

// howEnded is what there is to say about an operation that has ended.
func howEnded(what string, op *evidence.OperationState) (outcome, error) {
	if op.Phase == evidence.OperationSucceeded {
		return ends(Done, "%s succeeded.", what)
	}
	return ends(Failed, "%s failed. %s", what, failures(op))
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
const showsFor = 6 * time.Second

// orNot finds out whether our operation was taken down although the call for it gave an error: the answer may have been
// lost, and not the call. The outcome is nil if it was. That Argo CD refused it is said only after a look at the end of that
// time: an Argo CD that cannot be read may well have begun it.
func (t *turn) orNot(ctx context.Context, dryRun bool, refused error, what string) (*outcome, error) {
	var seen *evidence.Application
	ours := func(app *evidence.Application) bool {
		seen = app
		return ownOperation(app, t.id(), dryRun) != nil || requested(app, t.id(), dryRun)
	}
	for until, blind := time.Now().Add(findFor), false; ; blind = true {
		late, err := t.await(ctx, showsFor, ours)
		switch {
		case err != nil || late == nil:
			return nil, err
		case errors.Is(late, errLate) && blind && !dryRun && ownOperation(seen, t.id(), true) == nil: // else our dry run would be the last
			return &outcome{Interrupted, "Argo CD could not be read for a while, and by now shows another operation. Whether the sync began is not known; look there."}, nil
		case errors.Is(late, errLate):
			return &outcome{Failed, fmt.Sprintf("%s: %s", what, sentence(line(refused.Error())))}, nil
		case errors.Is(late, ErrGone) || !time.Now().Before(until):
			return &outcome{Interrupted, fmt.Sprintf("Argo CD gave an error, and whether it began is not known; look there: %s", sentence(line(late.Error())))}, nil
		}
	}
}

// took is the revision that Argo CD says it took.
func took(revision string) string { return cmp.Or(short(revision), "a revision that it does not name") }

// revisionIn is the revision that an operation syncs, as Sync of a World gives it: of several sources all of them.
func revisionIn(o evidence.Operation) string {
	if len(o.Sync.Revisions) > 0 {
		return strings.Join(o.Sync.Revisions, ", ")
	}
	return o.Sync.Revision
}

// takeBack terminates our sync as soon as it has begun, because Argo CD took another revision than the one that was confirmed.
// What is only taken down cannot be terminated, and begins however late the controller comes to it.
func (t *turn) takeBack(ctx context.Context, accepted string) (outcome, error) {
	instead := fmt.Sprintf("Argo CD took %s instead of %s that was confirmed", took(accepted), short(t.record().Revision))
	var op *evidence.OperationState
	seen := time.Now()
	late, err := t.await(ctx, followFor, func(app *evidence.Application) bool {
		op = ownOperation(app, t.id(), false)
		if requested(app, t.id(), false) {
			seen = time.Now()
		}
		return op != nil || time.Since(seen) > appearFor
	})
	switch {
	case err != nil:
		return outcome{}, err
	case errors.Is(late, ErrGone):
		return ends(Failed, "%s. Then the application was deleted.", instead)
	case errors.Is(late, errLate):
		return ends(Failed, "%s, and has not begun it after %s, so it could not be terminated. Look at it in Argo CD.", instead, span(followFor))
	case late != nil:
		return ends(Failed, "%s. Whether it has begun could not be read, so it was not terminated; look at it in Argo CD: %s", instead, sentence(line(late.Error())))
	case op == nil:
		return ends(Failed, "%s, and then showed nothing of it, so it was not terminated. Look at it in Argo CD.", instead)
	}
	end, out, err := t.endOperation(ctx, op.StartedAt.Time)
	switch {
	case err != nil:
		return outcome{}, err
	case out != nil:
		return ends(Failed, "%s. %s", instead, out.text)
	case end.succeeded:
		return ends(Failed, "%s, and was done with it before it could be terminated. Look at what it changed.", instead)
	case end.byItself:
		return ends(Failed, "%s. The sync has ended%s Look at what it changed.", instead, end.how)
	}
	return ends(Changed, "%s, so the sync was terminated at once. It may have changed something already; look at it.", instead)
}
