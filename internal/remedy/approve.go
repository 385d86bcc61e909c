package remedy

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/sanitize"
)

// Decide takes down what an approver says to a waiting record, or that whoever asked takes it back (not Approve). An error is a
// *action.Refusal; along with TooLate and PlanChanged comes the record, which says what became of it and who was faster.
func (s *Service) Decide(ctx context.Context, by action.Decision) (*action.Record, error) {
	r, err := s.decide(ctx, by)
	if err == nil {
		s.log.Info("action decided", "id", r.ID, "kind", r.Kind, "app", r.App, "by", by.By.ID, "approve", by.Approve, "state", r.State)
		s.notifier.Show(r)
		s.Hint(r.App)
		return r, nil
	}
	var kind action.Kind
	if r != nil {
		kind = r.Kind
	}
	return r, s.refused(kind, by.App, by.By, err)
}

func (s *Service) decide(ctx context.Context, by action.Decision) (*action.Record, error) {
	r, err := s.pending(ctx, by.App, by.Record)
	if err != nil {
		return r, err
	}
	if !by.Approve {
		if r.By.ID == by.By.ID {
			return s.settle(ctx, r, by, action.Denied, "withdrawn")
		}
		if err := s.examiner.approver(ctx, r, by.By); err != nil {
			return r, err
		}
		return s.settle(ctx, r, by, action.Denied, sanitize.Excerpt(by.Reason))
	}
	r, plan, err := s.approvable(ctx, r, by.By)
	switch {
	case err != nil:
		return r, err
	case by.Fingerprint != r.Fingerprint: // nothing was shown counts as something else
		return r, &action.Refusal{Code: action.PlanChanged, What: "this has changed since you opened it", Plan: plan, Record: r}
	}
	return s.settle(ctx, r, by, action.Ready, sanitize.Line(plan.Still()))
}

// undecided refuses a decision that comes too late.
func undecided(r *action.Record, now time.Time) error {
	refusal := &action.Refusal{Code: action.TooLate, Record: r}
	switch {
	case r.State == action.Waiting && now.Before(r.Approval.Expires):
		return nil
	case r.State == action.Waiting || r.State == action.Expired:
		refusal.What = sanitize.Sprintf("the request expired at %s", clock(r.Approval.Expires))
	case r.State == action.Withdrawn:
		refusal.What = sanitize.Sprintf("the request was withdrawn: %s", sanitize.Line(strings.TrimRight(r.Result, ".")))
	case r.State == action.Denied && r.Approval.By.ID == r.By.ID:
		refusal.What = sanitize.Sprintf("the request was withdrawn by %s", nameOf(r.By))
	case r.State == action.Denied:
		refusal.What = sanitize.Sprintf("the request has already been denied by %s", nameOf(r.Approval.By))
	default:
		refusal.What = sanitize.Sprintf("the request has already been approved by %s", nameOf(r.Approval.By))
	}
	return refusal
}

// settle writes a decision, if nobody was faster, and what there is to say about it: of a denial the reason.
func (s *Service) settle(ctx context.Context, r *action.Record, by action.Decision, state action.State, said sanitize.Clean) (*action.Record, error) {
	now := time.Now()
	ours := func(r *action.Record) bool {
		return r.Approval != nil && r.Approval.By.ID == by.By.ID && r.Approval.At.Equal(now)
	}
	out, err := s.store.amendOnce(ctx, r, ours, func(r *action.Record) error {
		if err := undecided(r, now); err != nil {
			return err
		}
		r.Approval.By, r.Approval.At = by.By, now
		if state.Over() {
			r.Approval.Reason = string(said)
			r.End(state, said, now)
			return nil
		}
		r.State = state
		r.AddNote(action.Note{At: now, Text: string(said)})
		return nil
	})
	var refusal *action.Refusal
	switch {
	case errors.As(err, &refusal):
		return out, err
	case err != nil:
		return out, unwritten("the decision", err)
	case state.Over():
		s.ended(out)
	}
	return out, nil
}

// unwritten refuses because a write failed, and what is on record shows that it has not come through.
func unwritten(what string, err error) error {
	if errors.Is(err, errUnknown) {
		return &action.Refusal{Code: action.Unreadable, What: sanitize.Sprintf("it is unclear whether %s was saved; check again in a moment: %s", what, err), Err: err}
	}
	return unreadable(what+" could not be saved", err)
}

// withdraw ends a waiting record whose plan is not true any more.
func (s *Service) withdraw(ctx context.Context, r *action.Record, what string) (*action.Record, error) {
	return s.lapse(ctx, r, action.Withdrawn, what)
}

// lapse ends a record that still waits, without anybody's decision.
func (s *Service) lapse(ctx context.Context, r *action.Record, state action.State, what string) (*action.Record, error) {
	now := time.Now()
	ours := func(r *action.Record) bool { return r.State == state && r.Ended.Equal(now) }
	out, err := s.store.amendOnce(ctx, r, ours, func(r *action.Record) error {
		if r.State != action.Waiting {
			return &action.Refusal{Code: action.TooLate, What: "the request has already been decided", Record: r}
		}
		r.End(state, sanitize.Line(what), now)
		return nil
	})
	var refusal *action.Refusal
	switch {
	case errors.As(err, &refusal):
		return out, err
	case err != nil:
		return out, unwritten("the end of the request", err)
	}
	s.ended(out)
	return out, nil
}

// review looks at a waiting record: is it in time, and is it still what was asked for?
func (s *Service) review(ctx context.Context, r *action.Record) {
	err := s.reviewed(ctx, r)
	var refusal *action.Refusal
	switch {
	case err == nil, errors.As(err, &refusal) && refusal.Code == action.TooLate:
	default:
		s.later(r, retryWorkAfter)
		s.Changed(r.App) // for all that is known
		s.log.Warn("waiting request not checked, will try again", "id", r.ID, "app", r.App, "error", err)
	}
}

// glance looks at the application alone, which takes a moment: if somebody else has it synced the request is over, and nobody has to
// wait for a comparison with Git to hear that.
func (s *Service) glance(ctx context.Context, r *action.Record) {
	app, err := readApplication(ctx, s.gateways[r.App.Instance], r.App)
	if err != nil {
		return // the next review says what it means
	}
	what := r.Overtaken(app, time.Now().UTC())
	if what == "" {
		return
	}
	if _, err := s.withdraw(ctx, r, what); err != nil {
		s.log.Debug("request not withdrawn, will be reviewed", "id", r.ID, "app", r.App, "error", err)
	}
}

func (s *Service) reviewed(ctx context.Context, r *action.Record) error {
	if !time.Now().Before(r.Approval.Expires) {
		_, err := s.lapse(ctx, r, action.Expired, fmt.Sprintf("No one approved it by %s.", clock(r.Approval.Expires)))
		return err
	}
	if s.gateways[r.App.Instance] == nil {
		_, err := s.withdraw(ctx, r, action.RemovedInstance(r.App.Instance)+".")
		return err
	}
	if !r.Kind.Confirmed() {
		return nil
	}
	plan, err := s.examiner.plan(ctx, r.Project, r.Asked())
	switch {
	case errors.Is(err, action.ErrGone):
		_, err = s.withdraw(ctx, r, "The application no longer exists.")
		return err
	case err != nil:
		return err
	}
	if what := r.Diff(plan); what != "" {
		_, err = s.withdraw(ctx, r, what)
	}
	return err
}
