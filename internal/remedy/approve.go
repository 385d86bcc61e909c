package remedy

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Decide takes down what an approver says to a waiting record, or that who asked takes it back (not Approve). An error is a
// *Refusal; along with TooLate and PlanChanged comes the record, which says what became of it and who was faster.
func (d *Desk) Decide(ctx context.Context, by Decision) (*Record, error) {
	r, err := d.decide(ctx, by)
	if err == nil {
		d.log.Info("action decided", "id", r.ID, "kind", r.Kind, "app", r.App, "by", by.By.ID, "approve", by.Approve, "state", r.State)
		d.teller.Show(r)
		d.hint(r.App)
		return r, nil
	}
	var kind Kind
	if r != nil {
		kind = r.Kind
	}
	return r, d.refused(kind, by.App, by.By, err)
}

func (d *Desk) decide(ctx context.Context, by Decision) (*Record, error) {
	l, err := d.read(ctx, by.App)
	if err != nil {
		return nil, unreadable("what is to be decided could not be read", err)
	}
	r := l.record(by.Record)
	if r == nil {
		return nil, &Refusal{Code: UnknownAsk, What: "there is no such request any more"}
	}
	if err := undecided(r, time.Now()); err != nil {
		return r, err
	}
	own := r.By.ID == by.By.ID
	switch {
	case own && by.Approve:
		return r, &Refusal{Code: OwnRequest, What: "nobody approves what they asked for themselves", Could: r.Approval.From, Record: r}
	case own:
		return d.settle(ctx, r, by, Denied, "taken back")
	}
	if err := d.approver(ctx, r, by.By); err != nil {
		return r, err
	}
	if !by.Approve {
		return d.settle(ctx, r, by, Denied, line(by.Reason))
	}
	if r.Kind.confirmed() {
		plan, _, err := d.replan(ctx, r.Want)
		if err != nil {
			return r, err
		}
		if what := different(r, plan); what != "" {
			r, err := d.withdraw(ctx, r, what)
			if err != nil {
				return r, err
			}
			return r, &Refusal{Code: PlanChanged, What: "what was to be approved is not true any more", Plan: plan, Record: r}
		}
	}
	return d.settle(ctx, r, by, Ready, "")
}

// approver refuses who may not approve: by the record, and by the policy as it is now, for everything that the action needs.
func (d *Desk) approver(ctx context.Context, r *Record, by Person) error {
	from := []Who{r.Approval.From}
	kinds := []Kind{r.Kind}
	if r.Kind == DeleteHookJob && !r.Operation.IsZero() {
		kinds = append(kinds, Terminate)
	}
	for _, kind := range kinds {
		if a := d.policy.Allowed(ctx, r.By, kind, r.App, r.Project).Approval; a != nil {
			from = append(from, a.From)
		}
	}
	for _, who := range from {
		ok, err := d.policy.Approves(ctx, by, who)
		switch {
		case err != nil:
			return unreadable("whether you are among the approvers could not be found out", err)
		case !ok:
			return &Refusal{Code: NotApprover, What: "you are not among the approvers", Could: who, Record: r}
		}
	}
	return nil
}

// undecided refuses a decision that comes too late.
func undecided(r *Record, now time.Time) error {
	refusal := &Refusal{Code: TooLate, Record: r}
	switch {
	case r.State == Waiting && now.Before(r.Approval.Expires):
		return nil
	case r.State == Waiting || r.State == Expired:
		refusal.What = "it expired at " + clock(r.Approval.Expires)
	case r.State == Withdrawn:
		refusal.What = "it was withdrawn: " + strings.TrimRight(r.Result, ".")
	case r.State == Denied:
		refusal.What = "it was denied already"
	default:
		refusal.What = "it was approved already"
	}
	return refusal
}

// settle writes a decision, if nobody was faster.
func (d *Desk) settle(ctx context.Context, r *Record, by Decision, state State, text string) (*Record, error) {
	now := time.Now()
	ours := func(r *Record) bool {
		return r.Approval != nil && r.Approval.By.ID == by.By.ID && r.Approval.At.Equal(now)
	}
	out, err := d.amendOnce(ctx, r, ours, func(r *Record) error {
		if err := undecided(r, now); err != nil {
			return err
		}
		r.Approval.By, r.Approval.At, r.Approval.Reason = by.By, now, text
		if state.Over() {
			r.end(state, text, now)
			return nil
		}
		r.State = state
		r.note(Note{At: now})
		return nil
	})
	var refusal *Refusal
	switch {
	case errors.As(err, &refusal):
		return out, err
	case err != nil:
		return out, unwritten("the decision", err)
	case state.Over():
		d.ended(out)
	}
	return out, nil
}

// unwritten refuses because a write failed, and by what is on record has not come through either.
func unwritten(what string, err error) error {
	if errors.Is(err, errUnknown) {
		return &Refusal{Code: Unreadable, What: "whether " + what + " was written down is not known, look at it again in a moment: " + line(err.Error()), Err: err}
	}
	return unreadable(what+" could not be written down", err)
}

// withdraw ends a waiting record whose plan is not true any more.
func (d *Desk) withdraw(ctx context.Context, r *Record, what string) (*Record, error) {
	return d.lapse(ctx, r, Withdrawn, what)
}

// lapse ends a record that still waits, without anybody's decision.
func (d *Desk) lapse(ctx context.Context, r *Record, state State, what string) (*Record, error) {
	now := time.Now()
	ours := func(r *Record) bool { return r.State == state && r.Ended.Equal(now) }
	out, err := d.amendOnce(ctx, r, ours, func(r *Record) error {
		if r.State != Waiting {
			return &Refusal{Code: TooLate, What: "it is decided already", Record: r}
		}
		r.end(state, what, now)
		return nil
	})
	var refusal *Refusal
	switch {
	case errors.As(err, &refusal):
		return out, err
	case err != nil:
		return out, unwritten("that it is over", err)
	}
	d.ended(out)
	return out, nil
}

// review looks at a waiting record: is it in time, and is it still what was asked for?
func (d *Desk) review(ctx context.Context, r *Record) {
	err := d.reviewed(ctx, r)
	var refusal *Refusal
	switch {
	case err == nil, errors.As(err, &refusal) && refusal.Code == TooLate:
	default:
		d.later(r, workAgain)
		d.Changed(r.App) // for all that is known
		d.log.Warn("waiting action not compared, will try again", "id", r.ID, "app", r.App, "error", err)
	}
}

func (d *Desk) reviewed(ctx context.Context, r *Record) error {
	if !time.Now().Before(r.Approval.Expires) {
		_, err := d.lapse(ctx, r, Expired, fmt.Sprintf("Nobody approved it until %s.", clock(r.Approval.Expires)))
		return err
	}
	if !r.Kind.confirmed() {
		return nil
	}
	plan, _, err := d.replan(ctx, r.Want)
	switch {
	case errors.Is(err, ErrGone):
		_, err = d.withdraw(ctx, r, "The application does not exist any more.")
		return err
	case err != nil:
		return err
	}
	if what := different(r, plan); what != "" {
		_, err = d.withdraw(ctx, r, what)
	}
	return err
}
