package remedy

import (
	"context"
	"time"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/text"
)

// Pending is what a person is asked to approve: the record, and what would happen now, which is still what was requested. The plan of
// a kind that needs no confirmation is the request alone. An error is that of Decide: whoever cannot approve it now hears that before
// they read it.
func (s *Service) Pending(ctx context.Context, by action.Person, app action.App, id string) (*action.Record, *action.Plan, error) {
	r, err := s.pending(ctx, app, id)
	var plan *action.Plan
	if err == nil {
		r, plan, err = s.approvable(ctx, r, by)
	}
	if err == nil {
		return r, plan, nil
	}
	var kind action.Kind
	if r != nil {
		kind = r.Kind
	}
	return r, nil, s.refused(kind, app, by, err)
}

// pending is a record that nobody has decided on.
func (s *Service) pending(ctx context.Context, app action.App, id string) (*action.Record, error) {
	l, err := s.store.read(ctx, app)
	if err != nil {
		return nil, unreadable("the request could not be read", err)
	}
	r := l.Record(id)
	if r == nil {
		return nil, &action.Refusal{Code: action.UnknownRequest, What: "the request no longer exists"}
	}
	return r, undecided(r, time.Now())
}

// approvable is what would happen if a person approved a record, who may. A request that is not what it was is withdrawn.
func (s *Service) approvable(ctx context.Context, r *action.Record, by action.Person) (*action.Record, *action.Plan, error) {
	if r.By.ID == by.ID {
		return r, nil, &action.Refusal{Code: action.OwnRequest, What: "you cannot approve your own request", Could: r.Approval.From, Record: r}
	}
	if err := s.examiner.approver(ctx, r, by); err != nil {
		return r, nil, err
	}
	switch why, err := s.examiner.outdated(ctx, r); {
	case err != nil:
		return r, nil, unreadable("could not check whether the person who requested it still may", err)
	case why != "":
		withdrawn, err := s.withdraw(ctx, r, text.Sentence(why))
		if err != nil {
			return withdrawn, nil, err
		}
		return withdrawn, nil, undecided(withdrawn, time.Now())
	}
	if !r.Kind.Confirmed() {
		plan := &action.Plan{Request: r.Request, Project: r.Project}
		if r.Shown != nil {
			plan.Destination = r.Shown.Destination
		}
		return r, plan, nil
	}
	plan, err := s.examiner.plan(ctx, r.Project, r.Asked())
	if err != nil {
		return r, nil, err
	}
	if what := r.Diff(plan); what != "" {
		withdrawn, err := s.withdraw(ctx, r, what)
		if err != nil {
			return withdrawn, nil, err
		}
		return withdrawn, nil, &action.Refusal{Code: action.PlanChanged, What: "the situation has changed since it was requested, so the request was withdrawn", Plan: plan, Record: withdrawn}
	}
	return r, plan, nil
}
