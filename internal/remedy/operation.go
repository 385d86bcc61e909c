package remedy

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/sanitize"
	"github.com/argo-why/argo-why/internal/text"
)

// How long Argo CD has to end an operation, and how often we look.
const (
	maxTermination = 2 * time.Minute
	lookInterval   = 2 * time.Second
)

// errLate: what was awaited has not come in time.
var errLate = errors.New("timed out")

// await looks at the application until it is as awaited, and no longer than limit. The error is errLate, action.ErrGone or that
// of the last look where that did not come; one that stopped reports is that of an execution that must end.
func (x *execution) await(ctx context.Context, limit time.Duration, is func(*evidence.Application) bool) error {
	for until := time.Now().Add(limit); ; {
		app, unread := x.application(ctx)
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case errors.Is(unread, action.ErrGone):
			return action.ErrGone
		case unread == nil && is(app):
			return nil
		case !time.Now().Before(until) && unread != nil:
			return fmt.Errorf("the application could not be read: %w", unread)
		case !time.Now().Before(until):
			return errLate
		}
		if err := x.wait(ctx, lookInterval); err != nil {
			return err
		}
	}
}

// application reads the application alone.
func (x *execution) application(ctx context.Context) (*evidence.Application, error) {
	return readApplication(ctx, x.gateway, x.record().App)
}

// goesOn reports whether the operation that began then has not ended.
func goesOn(app *evidence.Application, began time.Time) bool {
	op := app.Status.OperationState
	return op.Running() && op.StartedAt.Equal(began)
}

func (x *execution) terminate(ctx context.Context, p *action.Plan) error {
	end, err := x.endOperation(ctx, p.Operation)
	switch {
	case err != nil:
		return err
	case end.byItself:
		return ends(action.Changed, "The operation that started at %s ended before it could be terminated%s", clock(p.Operation), end.how)
	}
	return ends(action.Done, "The operation that started at %s has ended%s", clock(p.Operation), end.how)
}

// ending is how an operation ended: how is the rest of a sentence that says that it has.
type ending struct {
	how                 sanitize.Clean
	byItself, succeeded bool
}

// endOperation terminates the operation that began then, and waits for its end.
func (x *execution) endOperation(ctx context.Context, began time.Time) (ending, error) {
	if err := x.step(ctx, action.StepTerminate); err != nil {
		return ending{}, err
	}
	calling, cancel := context.WithTimeout(ctx, effectTimeout)
	refused := x.gateway.Terminate(calling, x.record().App, began)
	cancel()
	if ctx.Err() != nil {
		return ending{}, context.Cause(ctx)
	}
	// Whatever was answered, or was not: what counts is what becomes of the operation.
	return x.untilEnded(ctx, began, refused)
}

// untilEnded waits for the end of the operation that began then. refused is why Argo CD would not terminate it.
func (x *execution) untilEnded(ctx context.Context, began time.Time, refused error) (ending, error) {
	var last *evidence.Application
	err := x.await(ctx, maxTermination, func(app *evidence.Application) bool {
		last = app
		untouched := refused != nil && goesOn(app, began) && app.Status.OperationState.Phase == evidence.OperationRunning
		return untouched || !goesOn(app, began)
	})
	failed := func(format string, args ...any) (ending, error) {
		return ending{}, ends(action.Failed, format, args...)
	}
	switch {
	case stopped(ctx, err):
		return ending{}, err
	case errors.Is(err, action.ErrGone):
		return failed("The application no longer exists.")
	case err != nil && last != nil && goesOn(last, began):
		return failed("After %[2]s Argo CD is still terminating the operation that started at %[1]s: something in it does not end. Check its hooks.", clock(began), text.Duration(maxTermination))
	case err != nil:
		return failed("It is unclear whether the operation that started at %s has ended: %s", clock(began), err)
	case goesOn(last, began):
		return failed("The operation that started at %s was not terminated: %s", clock(began), refused)
	}
	op := last.Status.OperationState
	succeeded := op != nil && op.StartedAt.Equal(began) && op.Phase == evidence.OperationSucceeded
	return ending{how: how(op, began), byItself: errors.Is(refused, action.ErrChanged), succeeded: succeeded}, nil
}

// how is how the operation that began then ended, as the rest of a sentence.
func how(op *evidence.OperationState, began time.Time) sanitize.Clean {
	if op == nil || !op.StartedAt.Equal(began) {
		return "."
	}
	if op.Message == "" {
		return sanitize.Sprintf(": %s.", op.Phase)
	}
	return sanitize.Sprintf(": %s, %s", op.Phase, sanitize.Sentence(sanitize.Excerpt(op.Message)))
}

// ownOperation is the last operation, running or ended, if it is ours; else nil.
func ownOperation(app *evidence.Application, id string, dryRun bool) *evidence.OperationState {
	op := app.Status.OperationState
	if op == nil || !carries(op.Operation, id, dryRun) {
		return nil
	}
	return op
}

// requested reports whether our operation is taken down and has not begun.
func requested(app *evidence.Application, id string, dryRun bool) bool {
	return app.Operation != nil && carries(*app.Operation, id, dryRun) && ownOperation(app, id, dryRun) == nil
}

func carries(o evidence.Operation, id string, dryRun bool) bool {
	return o.Sync != nil && o.Sync.DryRun == dryRun && slices.Contains(o.Info, evidence.OperationInfo{Name: InfoRequest, Value: id})
}

// failures are the words of what failed in an operation: the first few resources and hooks, or else the operation's own.
func failures(op *evidence.OperationState) sanitize.Clean {
	const maxQuoted = 3
	var quoted []string
	for _, res := range op.Results() {
		if res.Failed() {
			quoted = append(quoted, string(sanitize.Sprintf("%s: %s", res.Ref(), cmp.Or(res.Message, "no reason given"))))
		}
	}
	if len(quoted) == 0 {
		return sanitize.Sentence(sanitize.Excerpt(cmp.Or(op.Message, "Argo CD gave no reason")))
	}
	return sanitize.Sentence(sanitize.Line(strings.Join(text.First(quoted, maxQuoted), "; ")))
}
