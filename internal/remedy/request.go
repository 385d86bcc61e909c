package remedy

import (
	"context"
	"errors"
	"time"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/sanitize"
)

// Plan is what would happen if a person's request were carried out: with RefusedBecause where it cannot be done now. That the
// person may not, that the bot may not, and that something could not be read are a *action.Refusal.
func (s *Service) Plan(ctx context.Context, by action.Person, req action.Request) (*action.Plan, error) {
	e, err := s.examiner.examine(ctx, by, req, true)
	if err != nil {
		return nil, s.refused(req.Kind, req.App, by, err)
	}
	return e.plan, nil
}

// Request takes a confirmed request down, if it may be done and is still what was shown. It is done by Run, here or in another
// process. An error is a *action.Refusal; along with AlreadyRequested comes the record that this click has made already.
func (s *Service) Request(ctx context.Context, c action.ConfirmedRequest) (*action.Record, error) {
	r, err := s.request(ctx, c)
	if err != nil {
		return r, s.refused(c.Kind, c.App, c.By, err)
	}
	s.log.Info("action requested", "id", r.ID, "kind", r.Kind, "app", r.App, "by", r.By.ID, "state", r.State, "summary", r.Summary)
	s.notifier.Show(r)
	s.Hint(r.App)
	return r, nil
}

func (s *Service) request(ctx context.Context, c action.ConfirmedRequest) (*action.Record, error) {
	// A click that comes twice must hear of the first, not that the first has changed the application.
	l, err := s.store.read(ctx, c.App)
	if err != nil {
		return nil, unreadable("could not check whether it is already in progress", err)
	}
	if r := l.ByClick(c.Click); r != nil {
		return r, alreadyRequested(r)
	}
	e, err := s.examiner.admit(ctx, c.By, c.Request)
	if err != nil {
		return nil, err
	}
	if r := l.InTheWay(c.Kind); r != nil && !r.Yields(len(e.approvals) > 0) { // that is what there is to say, and not what it does to the application
		return nil, busy(r)
	}
	if c.Kind.Confirmed() {
		if err := s.examiner.foresee(ctx, e, c.By, c.Request); err != nil {
			return nil, err
		}
		if err := asShown(c, e.plan); err != nil {
			return nil, err
		}
	}
	return s.file(ctx, newRecord(c, e, time.Now()))
}

// asShown refuses what cannot be done now, or is not what the person has confirmed.
func asShown(c action.ConfirmedRequest, p *action.Plan) error {
	switch {
	case p.RefusedBecause != "":
		return &action.Refusal{Code: action.NotOffered, What: sanitize.Line(p.RefusedBecause), Plan: p}
	case c.Fingerprint != p.Fingerprint: // nothing was shown counts as something else
		return &action.Refusal{Code: action.PlanChanged, What: "this has changed since you opened it", Plan: p}
	case p.Confirm != "" && !c.Sync.Confirmed:
		return &action.Refusal{Code: action.NotConfirmed, What: sanitize.Sprintf("you have not confirmed that %s", sanitize.Line(p.Confirm)), Plan: p}
	}
	return nil
}

// file writes a new record, if nothing is in its way.
func (s *Service) file(ctx context.Context, r *action.Record) (*action.Record, error) {
	var there *action.Record
	var withdrawn []*action.Record
	err := s.store.change(ctx, r.App, func(l *action.Log) error {
		if there = l.ByClick(r.Click); there != nil {
			return alreadyRequested(there)
		}
		withdrawn = nil
		for there = l.InTheWay(r.Kind); there != nil; there = l.InTheWay(r.Kind) {
			if !there.Yields(r.State != action.Ready) {
				return busy(there)
			}
			there.End(action.Withdrawn, sanitize.Sprintf("%s requested %s and does not need approval.", named(r.By), r.Kind.Noun()), r.At)
			withdrawn = append(withdrawn, there)
		}
		l.Forget(r.At)
		l.App = r.App
		l.Records = append(l.Records, r)
		return nil
	})
	var refusal *action.Refusal
	switch {
	case err == nil:
	case errors.As(err, &refusal) && there != nil && there.ID == r.ID: // a write that seemed to fail had come through
	case errors.As(err, &refusal):
		return there, err
	case !s.store.holds(ctx, r): // an answer that did not come says nothing: what is on record counts
		return nil, unfiled(err)
	}
	for _, w := range withdrawn {
		s.ended(w)
	}
	return r, nil
}

func unfiled(err error) *action.Refusal {
	return &action.Refusal{Code: action.Unreadable, What: sanitize.Sprintf("the request could not be saved, so nothing was done: %s", err), Err: err}
}

func alreadyRequested(r *action.Record) *action.Refusal {
	return &action.Refusal{Code: action.AlreadyRequested, What: "this has already been requested", Record: r}
}

func busy(r *action.Record) *action.Refusal {
	return &action.Refusal{Code: action.Busy, What: sanitize.Sprintf("%s is already in progress", r.Kind.Noun()), Record: r}
}

// newRecord is the record of a request. Where several approvals are needed the record names who gives the first, and expires with
// the shortest; whoever approves must be allowed to give all.
func newRecord(c action.ConfirmedRequest, e *examination, now time.Time) *action.Record {
	r := &action.Record{
		ID: string(c.Kind) + "-" + random(), Request: c.Request, Project: e.project, By: c.By, At: now, Place: c.Place, Click: c.Click,
		State: action.Ready, Summary: (&action.Plan{Request: c.Request}).Summary(),
	}
	if e.plan != nil {
		r.Summary, r.Fingerprint, r.Revision, r.Operation = e.plan.Summary(), e.plan.Fingerprint, e.plan.Revision, e.plan.Operation
		r.Before = began(e.situation.Application)
		if e.plan.Job != nil {
			r.UID = e.plan.Job.UID
		}
	}
	if len(e.approvals) > 0 {
		r.Shown = &action.Shown{Destination: e.destination}
		if e.plan != nil {
			r.Shown = e.plan.Shown()
		}
	}
	for _, rule := range e.approvals {
		expires := now.Add(rule.ExpireAfter)
		switch {
		case r.Approval == nil:
			r.State, r.Approval = action.Waiting, &action.Approval{From: rule.From, Expires: expires}
		case expires.Before(r.Approval.Expires):
			r.Approval.Expires = expires
		}
	}
	// What is over in a moment is reported when it is.
	if c.Kind.Confirmed() || r.State == action.Waiting {
		r.AddNote(action.Note{At: now, Text: r.Summary})
	}
	return r
}
