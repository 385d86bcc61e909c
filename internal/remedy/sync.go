package remedy

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/sanitize"
	"github.com/argo-why/argo-why/internal/text"
)

// How long a dry run and a sync are followed, and how long an accepted operation may take to show.
const (
	maxDryRun = 2 * time.Minute
	maxFollow = 30 * time.Minute
	maxAppear = time.Minute
)

// sync has Argo CD try the sync first, makes sure that nothing has changed by then, starts it, and follows it to its end.
//
// What is synced must be what the person saw. Each time somebody relies on that, the situation is read again and its plan
// compared by fingerprint with the one that was shown; it is read no more often than that:
//
//  1. when the plan is shown (Service.Plan);
//  2. when it is confirmed (Service.Request): the dialog may have been open for long;
//  3. when it is approved (Service.Decide), and every minute while it waits: approvals take minutes;
//  4. when it is begun (effect): this process may have come to it late. What is read here is also what the dry run starts from;
//  5. after the dry run (stillTrue), which takes minutes on a large application: the last look before something changes.
//
// Between 4 and the dry run the situation needs no look: the dry run changes nothing, and 5 sees whatever changed since 4. But the
// dry run takes the place of the last operation, so an operation of somebody else's that ran in between would be hidden from 5:
// right before the dry run the application alone is read, and another operation than that of 4 is a change (sameOperation).
//
// Git may move on meanwhile: the plan stays true while the newest commit wants the same of the application (action.Moved), and the
// confirmed one is synced.
//
// Between 5 and the sync only Argo CD can look: it is asked for exactly the confirmed commit, and where auto-sync keeps it from
// taking one, what it accepted is compared and another commit terminated (takeBack).
func (x *execution) sync(ctx context.Context, e *examination) error {
	p := e.plan
	words, err := x.dryRun(ctx, p, e.situation)
	if err != nil {
		return err
	}
	if x.record().Sync.DryRun {
		return ends(action.Done, "The dry run of %s succeeded; nothing was changed: %s", text.Revisions(p.Revision), words)
	}
	if p, err = x.stillTrue(ctx, e.situation); err != nil {
		return err
	}
	if err := x.step(ctx, action.StepSync); err != nil {
		return err
	}
	accepted, refused := x.start(ctx, p, false)
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case refused == nil && accepted != p.Revision:
		return x.takeBack(ctx, accepted)
	case refused != nil:
		// The answer may have been lost, and not the call.
		if err := x.startedAnyway(ctx, false, refused, "Argo CD refused the sync; nothing was changed"); err != nil {
			return err
		}
	}
	if err := x.step(ctx, action.StepFollow); err != nil {
		return err
	}
	return x.follow(ctx)
}

// start asks Argo CD for the operation. It carries the ID of the record, by which it is recognised, and the people.
func (x *execution) start(ctx context.Context, p *action.Plan, dryRun bool) (accepted string, err error) {
	r := x.record()
	call := SyncCall{SyncOptions: r.Sync, Revision: p.Revision, Exactly: p.Moved.To != "", Info: []Info{{InfoRequest, r.ID}, {InfoBy, named(r.By)}}}
	call.DryRun = dryRun
	if r.Approval != nil {
		call.Info = append(call.Info, Info{InfoApproved, named(r.Approval.By)})
	}
	ctx, cancel := context.WithTimeout(ctx, effectTimeout)
	defer cancel()
	return x.gateway.Sync(ctx, r.App, call)
}

// dryRun returns what the dry run said when it succeeded.
func (x *execution) dryRun(ctx context.Context, p *action.Plan, before *action.Situation) (sanitize.Clean, error) {
	if err := x.step(ctx, action.StepDryRun); err != nil {
		return "", err
	}
	if err := x.sameOperation(ctx, before); err != nil {
		return "", err
	}
	accepted, refused := x.start(ctx, p, true)
	switch {
	case ctx.Err() != nil:
		return "", context.Cause(ctx)
	case refused != nil:
		if err := x.startedAnyway(ctx, true, refused, "Argo CD refused the dry run; nothing was changed"); err != nil {
			return "", err
		}
	case accepted != p.Revision:
		if err := x.abandon(ctx); err != nil {
			return "", err
		}
		return "", ends(action.Changed, "Argo CD would now sync %s instead of the confirmed %s. Nothing was changed.", took(accepted), text.Revisions(p.Revision))
	}
	op, err := x.untilTried(ctx, began(before.Application))
	switch {
	case stopped(ctx, err):
		return "", err
	case errors.Is(err, errOvertaken):
		return "", ends(action.Changed, "Another operation replaced the dry run, so nothing was changed.")
	case err == nil && op.Phase == evidence.OperationSucceeded:
		return sanitize.Excerpt(cmp.Or(op.Message, "no message from Argo CD")), nil
	}
	if err := x.abandon(ctx); err != nil { // Argo CD tries again where the application says so
		return "", err
	}
	switch {
	case errors.Is(err, errLate):
		return "", ends(action.Failed, "The dry run did not end within %s, so nothing was changed.", text.Duration(maxDryRun))
	case err != nil:
		return "", ends(action.Failed, "The result of the dry run could not be read, so nothing was changed: %s", err)
	}
	return "", ends(action.Failed, "The dry run failed, so nothing was changed. %s", failures(op))
}

// sameOperation ends the action if another operation has begun, or was asked for, since the situation was read.
func (x *execution) sameOperation(ctx context.Context, before *action.Situation) error {
	now, err := x.application(ctx)
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		return ends(action.Failed, "The application could not be read, so nothing was done: %s", err)
	case now.Operation != nil, !began(now).Equal(began(before.Application)):
		return ends(action.Changed, "Another operation started after this was confirmed, so nothing was done.")
	}
	return nil
}

// errOvertaken: another operation is shown now.
var errOvertaken = errors.New("another operation has replaced it")

// untilTried waits until our dry run has ended, and returns it. One that Argo CD is about to try again has. before is when the
// operation began that was the last one before it. The error is errOvertaken, or that of await.
func (x *execution) untilTried(ctx context.Context, before time.Time) (own *evidence.OperationState, err error) {
	id := x.id()
	other := false
	err = x.await(ctx, maxDryRun, func(app *evidence.Application) bool {
		own = ownOperation(app, id, true)
		op := app.Status.OperationState
		other = own == nil && !requested(app, id, true) && op != nil && !op.StartedAt.Equal(before)
		return other || own != nil && (!own.Running() || own.RetryCount > 0)
	})
	if other && err == nil {
		err = errOvertaken
	}
	return own, err
}

// began is when the last operation began; zero when there was none.
func began(app *evidence.Application) time.Time {
	if app.Status.OperationState == nil {
		return time.Time{}
	}
	return app.Status.OperationState.StartedAt.Time
}

// abandon ends our own dry run if it still goes on, or is about to begin: else nobody else could sync. That it could not be
// ended is no reason to do anything else, so the error is only that of an execution that must end.
func (x *execution) abandon(ctx context.Context) error {
	var op *evidence.OperationState
	err := x.await(ctx, maxAppear, func(app *evidence.Application) bool {
		op = ownOperation(app, x.id(), true)
		return !requested(app, x.id(), true)
	})
	if stopped(ctx, err) {
		return err
	}
	if err == nil && op.Running() {
		ctx, cancel := context.WithTimeout(ctx, effectTimeout)
		defer cancel()
		err = x.gateway.Terminate(ctx, x.record().App, op.StartedAt.Time)
	}
	if err != nil { // it ends by itself, or somebody sees it run
		x.log.Warn("dry run not ended", "id", x.id(), "error", err)
	}
	return context.Cause(ctx)
}

// stillTrue makes the plan again after the dry run. The dry run itself must not count as a change. It has replaced the last
// operation, on which the report and its verdict rest: so what is compared now is all that is new, with the operation and the
// report that were there before. Another operation than our dry run is a change, and stays.
func (x *execution) stillTrue(ctx context.Context, before *action.Situation) (*action.Plan, error) {
	r := x.record()
	if err := x.step(ctx, action.StepCheck); err != nil {
		return nil, err
	}
	now, err := x.examiner.read(ctx, x.gateway, r.Project, r.Asked())
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err != nil:
		return nil, ends(action.Failed, "The application could not be read, so nothing was done: %s", err)
	case now.Application == nil:
		return nil, ends(action.Failed, "The application could not be read after the dry run, so nothing was done.")
	}
	if ownOperation(now.Application, r.ID, true) != nil {
		app := *now.Application
		app.Status.OperationState = before.Application.Status.OperationState
		again := *now
		again.Application, again.Report = &app, before.Report
		now = &again
	}
	p := action.Build(r.Asked(), now, time.Now())
	if what := r.Diff(p); what != "" {
		return nil, ends(action.Changed, "The situation changed during the dry run, so nothing was done. %s", what)
	}
	return p, nil
}

// took is the revision that Argo CD says it took.
func took(revision string) string {
	return cmp.Or(text.Revisions(revision), "an unnamed revision")
}
