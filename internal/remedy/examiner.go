package remedy

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/sanitize"
)

// examiner answers whether somebody may have something done, and what would happen. It reads, and changes nothing.
type examiner struct {
	gateways map[string]Gateway
	policy   *action.Policy
	standing Standing
	turns    *turns
}

func newExaminer(gateways map[string]Gateway, policy *action.Policy, standing Standing) examiner {
	return examiner{gateways: gateways, policy: policy, standing: standing, turns: newTurns()}
}

// examination is a request that a person may make, and what would come of it.
type examination struct {
	project     string
	destination evidence.Destination
	approvals   []*action.ApprovalRule
	// situation and plan are nil where they are not asked for.
	situation *action.Situation
	plan      *action.Plan
}

// examine finds out whether a person may, whether the bot may, and what would happen, in this order: whoever may not learns
// nothing about the application. What would happen is left out where it is not asked for (planned).
func (x examiner) examine(ctx context.Context, by action.Person, req action.Request, planned bool) (*examination, error) {
	e, err := x.admit(ctx, by, req)
	if err != nil || !planned {
		return e, err
	}
	return e, x.foresee(ctx, e, by, req)
}

// admit finds out whether a person may, and whether the bot may.
func (x examiner) admit(ctx context.Context, by action.Person, req action.Request) (*examination, error) {
	g, err := x.gateway(req.App)
	if err != nil {
		return nil, err
	}
	app, err := application(ctx, g, req.App)
	if err != nil {
		return nil, err
	}
	e := &examination{project: app.ProjectName(), destination: app.Spec.Destination}
	if err := x.permit(ctx, e, by, req.App, req.Kind); err != nil {
		return nil, err
	}
	return e, refreshable(req.Kind, app)
}

// foresee finds out what would happen, and whether the person may all that belongs to it.
func (x examiner) foresee(ctx context.Context, e *examination, by action.Person, req action.Request) error {
	s, err := x.situation(ctx, e.project, req)
	if err != nil {
		return err
	}
	e.situation, e.plan = s, action.Build(req, s, time.Now())
	if now := s.Application.ProjectName(); now != e.project { // moved this very moment: other people may
		e.project, e.approvals = now, nil
		if err := x.permit(ctx, e, by, req.App, req.Kind); err != nil {
			return err
		}
	}
	if err := x.permit(ctx, e, by, req.App, e.plan.Needs...); err != nil {
		return err
	}
	if len(e.approvals) > 0 {
		e.plan.Approval = &e.approvals[0].From
	}
	return nil
}

// permit asks the policy for the person, and Argo CD and Kubernetes for the bot, and notes which approvals are needed.
func (x examiner) permit(ctx context.Context, e *examination, by action.Person, app action.App, kinds ...action.Kind) error {
	for _, kind := range kinds {
		ruling := x.policy.Allowed(ctx, by, kind, app, e.project)
		switch {
		case !ruling.May && ruling.Unread != nil:
			return unreadable("your permission could not be checked", ruling.Unread)
		case !ruling.May && ruling.Guest:
			return &action.Refusal{Code: action.NotAllowed, What: sanitize.Sprintf("guests of the workspace can %s in project %s only if the bot's configuration names them under users", kind.Verb(), e.project), Could: ruling.Could}
		case !ruling.May:
			return &action.Refusal{Code: action.NotAllowed, What: sanitize.Sprintf("the policy does not allow you to %s in project %s", kind.Verb(), e.project), Could: ruling.Could}
		case ruling.Approval != nil:
			e.approvals = append(e.approvals, ruling.Approval)
		}
		if kind == action.Mute { // that is ours alone
			continue
		}
		lack, err := x.lacks(ctx, app, kind, e.project)
		switch {
		case err != nil:
			return unreadable("the bot's own permission could not be checked", err)
		case lack != "":
			return &action.Refusal{Code: action.NoRight, What: sanitize.Sprintf("the bot's own account lacks a permission: %s", sanitize.Line(lack))}
		}
	}
	return nil
}

// approver refuses whoever may not approve: by the record, and by the policy as it is now, for everything that the action needs.
func (x examiner) approver(ctx context.Context, r *action.Record, by action.Person) error {
	from := []action.Who{r.Approval.From}
	for _, kind := range needed(r) {
		if a := x.policy.Allowed(ctx, r.By, kind, r.App, r.Project).Approval; a != nil {
			from = append(from, a.From)
		}
	}
	for _, who := range from {
		ok, guest, err := x.policy.Approves(ctx, by, who)
		switch {
		case err != nil:
			return unreadable("could not check whether you are an approver", err)
		case guest:
			return &action.Refusal{Code: action.NotApprover, What: "guests of the workspace can approve only if the bot's configuration names them under users", Could: who, Record: r}
		case !ok:
			return &action.Refusal{Code: action.NotApprover, What: "you are not an approver", Could: who, Record: r}
		}
	}
	return nil
}

// lacks asks which right the bot itself lacks.
func (x examiner) lacks(ctx context.Context, app action.App, kind action.Kind, project string) (string, error) {
	g, ok := x.gateways[app.Instance]
	if !ok {
		return "", fmt.Errorf("no Argo CD named %q", app.Instance)
	}
	ctx, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	return g.Lacks(ctx, kind, app, project)
}

// gateway is the one that an application is behind.
func (x examiner) gateway(app action.App) (Gateway, error) {
	if g, ok := x.gateways[app.Instance]; ok {
		return g, nil
	}
	return nil, &action.Refusal{Code: action.NotOffered, What: sanitize.Sprintf("no Argo CD named %q is configured", app.Instance)}
}

// plan reads the situation and works out what would happen now. What could not be read is a *action.Refusal.
func (x examiner) plan(ctx context.Context, project string, req action.Request) (*action.Plan, error) {
	s, err := x.situation(ctx, project, req)
	if err != nil {
		return nil, err
	}
	return action.Build(req, s, time.Now()), nil
}

// situation reads all that a plan rests on. What could not be read is a *action.Refusal.
func (x examiner) situation(ctx context.Context, project string, req action.Request) (*action.Situation, error) {
	g, err := x.gateway(req.App)
	if err != nil {
		return nil, err
	}
	s, err := x.read(ctx, g, project, req)
	switch {
	case errors.Is(err, action.ErrGone):
		return nil, &action.Refusal{Code: action.NotOffered, What: "the application no longer exists", Err: err}
	case err != nil:
		return nil, unreadable("the current state could not be read", err)
	case s.Application == nil:
		return nil, unreadable("the application could not be read", errors.New(strings.Join(s.Unread, "; ")))
	}
	return s, nil
}

// read reads a situation, in its turn.
func (x examiner) read(ctx context.Context, g Gateway, project string, req action.Request) (*action.Situation, error) {
	done, err := x.turns.take(ctx, req.App.Instance+"/"+project)
	if err != nil {
		return nil, err
	}
	defer done()
	ctx, cancel := context.WithTimeout(ctx, lookTimeout)
	defer cancel()
	return g.Look(ctx, req)
}

// application reads the application alone.
func application(ctx context.Context, g Gateway, app action.App) (*evidence.Application, error) {
	a, err := readApplication(ctx, g, app)
	switch {
	case errors.Is(err, action.ErrGone):
		return nil, &action.Refusal{Code: action.NotOffered, What: "the application no longer exists", Err: err}
	case err != nil:
		return nil, unreadable("the application could not be read", err)
	}
	return a, nil
}

// readApplication reads the application alone, in the time that this may take.
func readApplication(ctx context.Context, g Gateway, app action.App) (*evidence.Application, error) {
	ctx, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	return g.Application(ctx, app)
}

// refreshable refuses a hard refresh of what is going away.
func refreshable(kind action.Kind, app *evidence.Application) error {
	if kind == action.HardRefresh && !app.Metadata.DeletionTimestamp.IsZero() {
		return &action.Refusal{Code: action.NotOffered, What: "the application is being deleted"}
	}
	return nil
}

// unreadable refuses because something could not be read, with which nothing was done.
func unreadable(what string, err error) *action.Refusal {
	return &action.Refusal{Code: action.Unreadable, What: sanitize.Sprintf("%s, so nothing was done: %s", what, err), Err: err}
}
