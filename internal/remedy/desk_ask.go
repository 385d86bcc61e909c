package remedy

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/argo-why/argo-why/internal/evidence"
)

// Plan is what would happen if a person did what they want: with RefusedBecause where it cannot be done now. That the person
// may not, that the bot may not, and that something could not be read are a *Refusal.
func (d *Desk) Plan(ctx context.Context, by Person, want Want) (*Plan, error) {
	e, err := d.examine(ctx, by, want, true)
	if err != nil {
		return nil, d.refused(want.Kind, want.App, by, err)
	}
	return e.plan, nil
}

// Ask takes a confirmed wish down, if it may be done and is still what was shown. It is done by Run, here or in another process.
// An error is a *Refusal; along with AlreadyAsked comes the record that this click has made already.
func (d *Desk) Ask(ctx context.Context, a Ask) (*Record, error) {
	r, err := d.ask(ctx, a)
	if err != nil {
		return r, d.refused(a.Kind, a.App, a.By, err)
	}
	d.log.Info("action asked for", "id", r.ID, "kind", r.Kind, "app", r.App, "by", r.By.ID, "state", r.State, "summary", r.Summary)
	d.teller.Show(r)
	d.hint(r.App)
	return r, nil
}

func (d *Desk) ask(ctx context.Context, a Ask) (*Record, error) {
	// A click that comes twice must hear of the first, not that the first has changed the world.
	l, err := d.read(ctx, a.App)
	if err != nil {
		return nil, unreadable("whether it is under way already could not be found out", err)
	}
	if r := l.clicked(a.Click); r != nil {
		return r, alreadyAsked(r)
	}
	e, err := d.admit(ctx, a.By, a.Want)
	if err != nil {
		return nil, err
	}
	if r := l.inTheWay(a.Kind); r != nil && !r.yields(len(e.approvals) == 0) { // that is what there is to say, and not what it does to the application
		return nil, busy(r)
	}
	if a.Kind.confirmed() {
		if err := d.foresee(ctx, e, a.By, a.Want); err != nil {
			return nil, err
		}
		if why := e.plan.RefusedBecause; why != "" {
			return nil, &Refusal{Code: NotOffered, What: why, Plan: e.plan}
		}
		if a.Print != e.plan.Print { // nothing was shown counts as something else
			return nil, &Refusal{Code: PlanChanged, What: "what was shown is not true any more", Plan: e.plan}
		}
		if e.plan.Confirm != "" && !a.Sync.Confirmed {
			return nil, &Refusal{Code: NotConfirmed, What: "you have not said that " + e.plan.Confirm, Plan: e.plan}
		}
	}
	return d.file(ctx, e.record(a, time.Now()))
}

// file writes a new record, if nothing is in its way.
func (d *Desk) file(ctx context.Context, r *Record) (*Record, error) {
	var there *Record
	var withdrawn []*Record
	err := d.change(ctx, r.App, func(l *ActionLog) error {
		if there = l.clicked(r.Click); there != nil {
			return alreadyAsked(there)
		}
		withdrawn = nil
		for there = l.inTheWay(r.Kind); there != nil; there = l.inTheWay(r.Kind) {
			if !there.yields(r.State == Ready) {
				return busy(there)
			}
			there.end(Withdrawn, fmt.Sprintf("%s asked for %s, and needs nobody's approval.", named(r.By), called[r.Kind]), r.At)
			withdrawn = append(withdrawn, there)
		}
		l.forget(r.At)
		l.App = r.App
		l.Records = append(l.Records, r)
		return nil
	})
	var refusal *Refusal
	switch {
	case err == nil:
	case errors.As(err, &refusal) && there != nil && there.ID == r.ID: // a write that seemed to fail had come through
	case errors.As(err, &refusal):
		return there, err
	case !d.holds(ctx, r): // an answer that did not come says nothing: what is on record counts
		return nil, unfiled(err)
	}
	for _, w := range withdrawn {
		d.ended(w)
	}
	return r, nil
}

// holds reports whether a new record is on record.
func (d *Desk) holds(ctx context.Context, r *Record) bool {
	l, err := d.read(context.WithoutCancel(ctx), r.App)
	return err == nil && l.record(r.ID) != nil
}

func unfiled(err error) *Refusal {
	return &Refusal{Code: Unreadable, What: "it could not be written down, so it is not done: " + line(err.Error()), Err: err}
}

func alreadyAsked(r *Record) *Refusal {
	return &Refusal{Code: AlreadyAsked, What: "that was taken down already", Record: r}
}

func busy(r *Record) *Refusal {
	return &Refusal{Code: Busy, What: fmt.Sprintf("%s is under way already", called[r.Kind]), Record: r}
}

// examined is a wish that a person may have.
type examined struct {
	plan      *Plan
	project   string
	approvals []*ApprovalRule
}

// examine finds out whether a person may, whether the bot may, and what would happen, in this order: who may not learns
// nothing of the application. The plan is nil where it is not wanted.
func (d *Desk) examine(ctx context.Context, by Person, want Want, planned bool) (*examined, error) {
	e, err := d.admit(ctx, by, want)
	if err != nil || !planned {
		return e, err
	}
	return e, d.foresee(ctx, e, by, want)
}

// admit finds out whether a person may, and whether the bot may.
func (d *Desk) admit(ctx context.Context, by Person, want Want) (*examined, error) {
	w, err := d.world(want.App)
	if err != nil {
		return nil, err
	}
	app, err := d.application(ctx, w, want.App)
	if err != nil {
		return nil, err
	}
	e := &examined{project: projectOf(app)}
	if err := d.permit(ctx, e, by, want.App, want.Kind); err != nil {
		return nil, err
	}
	return e, refreshable(want.Kind, app)
}

// foresee finds out what would happen, and whether the person may all that belongs to it.
func (d *Desk) foresee(ctx context.Context, e *examined, by Person, want Want) error {
	plan, s, err := d.replan(ctx, want)
	if err != nil {
		return err
	}
	e.plan = plan
	if now := projectOf(s.Application); now != e.project { // moved this very moment: other people may
		e.project, e.approvals = now, nil
		if err := d.permit(ctx, e, by, want.App, want.Kind); err != nil {
			return err
		}
	}
	if err := d.permit(ctx, e, by, want.App, plan.Needs...); err != nil {
		return err
	}
	if len(e.approvals) > 0 {
		plan.Approval = &e.approvals[0].From
	}
	return nil
}

// projectOf is the project as Argo CD reads it.
func projectOf(app *evidence.Application) string { return cmp.Or(app.Spec.Project, "default") }

// refreshable refuses a hard refresh of what is going away.
func refreshable(kind Kind, app *evidence.Application) error {
	if kind == HardRefresh && !app.Metadata.DeletionTimestamp.IsZero() {
		return &Refusal{Code: NotOffered, What: "the application is being deleted"}
	}
	return nil
}

// permit asks the policy for the person, and Argo CD and Kubernetes for the bot, and notes which approvals are needed.
func (d *Desk) permit(ctx context.Context, e *examined, by Person, app App, kinds ...Kind) error {
	for _, kind := range kinds {
		ruling := d.policy.Allowed(ctx, by, kind, app, e.project)
		switch {
		case !ruling.May && ruling.Unread != nil:
			return unreadable("whether you are allowed to could not be found out", ruling.Unread)
		case !ruling.May:
			return &Refusal{Code: NotAllowed, What: fmt.Sprintf("the policy does not allow you %s in project %s", called[kind], e.project), Could: ruling.Could}
		case ruling.Approval != nil:
			e.approvals = append(e.approvals, ruling.Approval)
		}
		if kind == Mute { // that is ours alone
			continue
		}
		lack, err := d.lacks(ctx, app, kind, e.project)
		switch {
		case err != nil:
			return unreadable("whether the bot is allowed to could not be found out", err)
		case lack != "":
			return &Refusal{Code: NoRight, What: "the bot's own account is not allowed to: " + lack}
		}
	}
	return nil
}

// record takes a wish down. Where several approvals are needed the record names who gives the first, and expires with the
// shortest; who approves must be allowed to give all.
func (e *examined) record(a Ask, now time.Time) *Record {
	r := &Record{
		ID: string(a.Kind) + "-" + random(), Want: a.Want, Project: e.project, By: a.By, At: now, Place: a.Place, Click: a.Click,
		State: Ready, Summary: (&Plan{Want: a.Want}).Summary(),
	}
	if e.plan != nil {
		r.Summary, r.Print, r.Revision, r.Operation = e.plan.Summary(), e.plan.Print, e.plan.Revision, e.plan.Operation
		if e.plan.Job != nil {
			r.UID = e.plan.Job.UID
		}
	}
	for _, rule := range e.approvals {
		expires := now.Add(rule.ExpireAfter)
		switch {
		case r.Approval == nil:
			r.State, r.Approval = Waiting, &Approval{From: rule.From, Expires: expires}
		case expires.Before(r.Approval.Expires):
			r.Approval.Expires = expires
		}
	}
	// What is over in a moment is told when it is.
	if a.Kind.confirmed() || r.State == Waiting {
		r.note(Note{At: now, Text: r.Summary})
	}
	return r
}
