package remedy

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/argo-why/argo-why/internal/evidence"
)

// How long a dry run and a sync are followed, and how long an accepted operation may take to show.
const (
	dryRunFor = 2 * time.Minute
	followFor = 30 * time.Minute
	appearFor = time.Minute
)

// sync has Argo CD try the sync first, makes sure that nothing has changed by then, starts it, and follows it to its end.
func (t *turn) sync(ctx context.Context, p *Plan) (outcome, error) {
	before, out, err := t.lookOnce(ctx)
	if out != nil || err != nil {
		return deref(out), err
	}
	said, out, err := t.dryRun(ctx, p, before)
	if out != nil || err != nil {
		return deref(out), err
	}
	if t.record().Sync.DryRun {
		return ends(Done, "The dry run of %s succeeded, nothing was changed: %s", short(p.Revision), sentence(said))
	}
	if out, err := t.stillTrue(ctx, before); out != nil || err != nil {
		return deref(out), err
	}
	if err := t.step(ctx, StepSync); err != nil {
		return outcome{}, err
	}
	accepted, refused := t.start(ctx, p, false)
	switch {
	case ctx.Err() != nil:
		return outcome{}, context.Cause(ctx)
	case refused == nil && accepted != p.Revision:
		return t.takeBack(ctx, accepted)
	case refused != nil:
		// The answer may have been lost, and not the call.
		if out, err := t.orNot(ctx, false, refused, "Argo CD refused the sync, nothing was changed"); out != nil || err != nil {
			return deref(out), err
		}
	}
	if err := t.step(ctx, StepFollow); err != nil {
		return outcome{}, err
	}
	return t.follow(ctx)
}

// lookOnce reads the situation that the dry run is about to change.
func (t *turn) lookOnce(ctx context.Context) (*Situation, *outcome, error) {
	s, err := t.look(ctx, t.world, t.record().Want)
	switch {
	case ctx.Err() != nil:
		return nil, nil, context.Cause(ctx)
	case err != nil:
		return nil, &outcome{Failed, "The application could not be read, so nothing was done: " + sentence(line(err.Error()))}, nil
	}
	return s, nil, nil
}

// start asks Argo CD for the operation. It carries the ID of the record, by which it is known again, and the people.
func (t *turn) start(ctx context.Context, p *Plan, dryRun bool) (accepted string, err error) {
	r := t.record()
	call := SyncCall{SyncOptions: r.Sync, Revision: p.Revision, Info: []Info{{InfoRequest, r.ID}, {InfoBy, named(r.By)}}}
	call.DryRun = dryRun
	if r.Approval != nil {
		call.Info = append(call.Info, Info{InfoApproved, named(r.Approval.By)})
	}
	ctx, cancel := context.WithTimeout(ctx, effectTimeout)
	defer cancel()
	return t.world.Sync(ctx, r.App, call)
}

// named is a person as an audit wants them: "dana (U0123)".
func named(p Person) string {
	if p.Name == "" {
		return p.ID
	}
	return fmt.Sprintf("%s (%s)", line(p.Name), p.ID)
}

// dryRun returns what the dry run said when it succeeded; else the outcome.
func (t *turn) dryRun(ctx context.Context, p *Plan, before *Situation) (string, *outcome, error) {
	if err := t.step(ctx, StepDryRun); err != nil {
		return "", nil, err
	}
	accepted, refused := t.start(ctx, p, true)
	switch {
	case ctx.Err() != nil:
		return "", nil, context.Cause(ctx)
	case refused != nil:
		if out, err := t.orNot(ctx, true, refused, "Argo CD refused the dry run, nothing was changed"); out != nil || err != nil {
			return "", out, err
		}
	case accepted != p.Revision:
		if err := t.abandon(ctx); err != nil {
			return "", nil, err
		}
		return "", &outcome{Changed, fmt.Sprintf("Argo CD would sync %s now, not %s that was confirmed. Nothing was changed.", took(accepted), short(p.Revision))}, nil
	}
	op, late, err := t.untilTried(ctx, before.began())
	switch {
	case err != nil:
		return "", nil, err
	case errors.Is(late, errOvertaken):
		return "", &outcome{Changed, "Another operation took the place of the dry run, so nothing was changed."}, nil
	case late == nil && op.Phase == evidence.OperationSucceeded:
		return line(cmp.Or(op.Message, "Argo CD had nothing to say")), nil, nil
	}
	if err := t.abandon(ctx); err != nil { // Argo CD tries again where the application says so
		return "", nil, err
	}
	switch {
	case errors.Is(late, errLate):
		return "", &outcome{Failed, fmt.Sprintf("The dry run did not end within %s, so nothing was changed.", span(dryRunFor))}, nil
	case late != nil:
		return "", &outcome{Failed, "How the dry run ended could not be read, so nothing was changed: " + sentence(line(late.Error()))}, nil
	}
	return "", &outcome{Failed, "The dry run failed, so nothing was changed. " + failures(op)}, nil
}

// errOvertaken: another operation is shown now.
var errOvertaken = errors.New("another operation has taken its place")

// untilTried waits until our dry run has ended. One that Argo CD is about to try again has. before is when the operation
// began that was the last one before it.
func (t *turn) untilTried(ctx context.Context, before time.Time) (own *evidence.OperationState, late, err error) {
	id := t.id()
	other := false
	late, err = t.await(ctx, dryRunFor, func(app *evidence.Application) bool {
		own = ownOperation(app, id, true)
		op := app.Status.OperationState
		other = own == nil && !requested(app, id, true) && op != nil && !op.StartedAt.Equal(before)
		return other || own != nil && (!own.Running() || own.RetryCount > 0)
	})
	if other && late == nil {
		late = errOvertaken
	}
	return own, late, err
}

// began is when the last operation began; zero when there was none.
func (s *Situation) began() time.Time {
	if s.Application == nil || s.Application.Status.OperationState == nil {
		return time.Time{}
	}
	return s.Application.Status.OperationState.StartedAt.Time
}

// abandon ends our own dry run if it still goes on, or is about to begin: else nobody else could sync. That it could not be
// ended is no reason to do anything else, so the error is only that of a turn that must end.
func (t *turn) abandon(ctx context.Context) error {
	var op *evidence.OperationState
	late, err := t.await(ctx, appearFor, func(app *evidence.Application) bool {
		op = ownOperation(app, t.id(), true)
		return !requested(app, t.id(), true)
	})
	if err != nil {
		return err
	}
	if late == nil && op.Running() {
		ctx, cancel := context.WithTimeout(ctx, effectTimeout)
		defer cancel()
		late = t.world.Terminate(ctx, t.record().App, op.StartedAt.Time)
	}
	if late != nil { // it ends by itself, or somebody sees it run
		t.log.Warn("dry run not ended", "id", t.id(), "error", late)
	}
	return context.Cause(ctx)
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

// stillTrue makes the plan anew after the dry run. The dry run itself must not count as a change. It has replaced the last
// operation, on which the report and its verdict rest: so what is compared now is all that is new, with the operation and the
// report that were there before. Another operation than our dry run is a change, and stays.
func (t *turn) stillTrue(ctx context.Context, before *Situation) (*outcome, error) {
	r := t.record()
	if err := t.step(ctx, StepCheck); err != nil {
		return nil, err
	}
	now, out, err := t.lookOnce(ctx)
	if out != nil || err != nil {
		return out, err
	}
	if now.Application == nil {
		return &outcome{Failed, "The application could not be read after the dry run, so nothing was done."}, nil
	}
	if ownOperation(now.Application, r.ID, true) != nil && before.Application != nil {
		app := *now.Application
		app.Status.OperationState = before.Application.Status.OperationState
		again := *now
		again.Application, again.Report = &app, before.Report
		now = &again
	}
	if what := different(r, Build(r.Want, now, time.Now())); what != "" {
		return &outcome{Changed, "It changed during the dry run, so nothing was done. " + what}, nil
	}
	return nil, nil
}

// failures are the words of what failed in an operation: the first few resources and hooks, or else the operation's own.
func failures(op *evidence.OperationState) string {
	const most = 3
	var said []string
	rest := 0
	for _, res := range op.Results() {
		switch {
		case !res.Failed():
		case len(said) == most:
			rest++
		default:
			said = append(said, fmt.Sprintf("%s: %s", res.Ref(), line(cmp.Or(res.Message, "it gives no reason"))))
		}
	}
	if len(said) == 0 {
		return sentence(line(cmp.Or(op.Message, "Argo CD gives no reason")))
	}
	if rest > 0 {
		said = append(said, fmt.Sprintf("and %d more", rest))
	}
	return sentence(strings.Join(said, "; "))
}
