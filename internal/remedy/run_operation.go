package remedy

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/argo-why/argo-why/internal/evidence"
)

// How long Argo CD has to end an operation, and how often we look.
const (
	terminateFor = 2 * time.Minute
	lookEvery    = 2 * time.Second
)

// errLate: what was awaited has not come in time.
var errLate = errors.New("that takes too long")

// await looks at the application until it is as awaited, and no longer than limit. late says why that did not come; err is
// that of a turn that must end.
func (t *turn) await(ctx context.Context, limit time.Duration, is func(*evidence.Application) bool) (late, err error) {
	for until := time.Now().Add(limit); ; {
		reading, cancel := context.WithTimeout(ctx, readTimeout)
		app, unread := t.world.Application(reading, t.record().App)
		cancel()
		switch {
		case ctx.Err() != nil:
			return nil, context.Cause(ctx)
		case errors.Is(unread, ErrGone):
			return ErrGone, nil
		case unread == nil && is(app):
			return nil, nil
		case !time.Now().Before(until) && unread != nil:
			return fmt.Errorf("the application could not be read: %w", unread), nil
		case !time.Now().Before(until):
			return errLate, nil
		}
		if err := t.wait(ctx, lookEvery); err != nil {
			return nil, err
		}
	}
}

// goesOn reports whether the operation that began then has not ended.
func goesOn(app *evidence.Application, began time.Time) bool {
	op := app.Status.OperationState
	return op.Running() && op.StartedAt.Equal(began)
}

func (t *turn) terminate(ctx context.Context, p *Plan) (outcome, error) {
	end, out, err := t.endOperation(ctx, p.Operation)
	switch {
	case err != nil || out != nil:
		return deref(out), err
	case end.byItself:
		return ends(Changed, "The operation that began at %s ended before it was terminated%s", clock(p.Operation), end.how)
	}
	return ends(Done, "The operation that began at %s has ended%s", clock(p.Operation), end.how)
}

func deref(o *outcome) outcome {
	if o == nil {
		return outcome{}
	}
	return *o
}

// ending is how an operation ended: how is the rest of a sentence that says that it has.
type ending struct {
	how                 string
	byItself, succeeded bool
}

// endOperation terminates the operation that began then, and waits for its end. The outcome is nil when it has ended.
func (t *turn) endOperation(ctx context.Context, began time.Time) (ending, *outcome, error) {
	if err := t.step(ctx, StepTerminate); err != nil {
		return ending{}, nil, err
	}
	calling, cancel := context.WithTimeout(ctx, effectTimeout)
	refused := t.world.Terminate(calling, t.record().App, began)
	cancel()
	if ctx.Err() != nil {
		return ending{}, nil, context.Cause(ctx)
	}
	// Whatever was answered, or was not: what counts is what becomes of the operation.
	return t.untilEnded(ctx, began, refused)
}

// untilEnded waits for the end of the operation that began then. refused is why Argo CD would not terminate it.
func (t *turn) untilEnded(ctx context.Context, began time.Time, refused error) (ending, *outcome, error) {
	var last *evidence.Application
	late, err := t.await(ctx, terminateFor, func(app *evidence.Application) bool {
		last = app
		untouched := refused != nil && goesOn(app, began) && app.Status.OperationState.Phase == evidence.OperationRunning
		return untouched || !goesOn(app, began)
	})
	failed := func(format string, args ...any) (ending, *outcome, error) {
		return ending{}, &outcome{state: Failed, text: fmt.Sprintf(format, args...)}, nil
	}
	switch {
	case err != nil:
		return ending{}, nil, err
	case errors.Is(late, ErrGone):
		return failed("The application does not exist any more.")
	case late != nil && last != nil && goesOn(last, began):
		return failed("Argo CD is still terminating the operation that began at %s after %s: something in it does not end. Look at its hooks.", clock(began), span(terminateFor))
	case late != nil:
		return failed("Whether the operation that began at %s has ended is not known: %s", clock(began), sentence(line(late.Error())))
	case goesOn(last, began):
		return failed("The operation that began at %s was not terminated: %s", clock(began), sentence(line(refused.Error())))
	}
	op := last.Status.OperationState
	succeeded := op != nil && op.StartedAt.Equal(began) && op.Phase == evidence.OperationSucceeded
	return ending{how: how(op, began), byItself: errors.Is(refused, ErrChanged), succeeded: succeeded}, nil, nil
}

// how is how the operation that began then ended, as the rest of a sentence.
func how(op *evidence.OperationState, began time.Time) string {
	if op == nil || !op.StartedAt.Equal(began) {
		return "."
	}
	if op.Message == "" {
		return ": " + op.Phase + "."
	}
	return fmt.Sprintf(": %s, %s", op.Phase, sentence(line(op.Message)))
}
