package act

import (
	"context"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/audience"
	"github.com/argo-why/argo-why/internal/incident/posted"
)

// visible are the actions as those who read the channel of a click may see them: see [Actions]. Dialogs are made of nothing else.
type visible struct {
	actions Actions
	who     audience.Audience
}

// actionsFor are the actions for a click.
func (a *Actor) actionsFor(ctx context.Context, c *click) visible {
	return visible{a.actions, a.readersOf(ctx, c)}
}

// readersOf are those who read what is said about a click.
func (a *Actor) readersOf(ctx context.Context, c *click) audience.Audience {
	return a.places.Answer(ctx, c.person.ID, c.place.Channel)
}

func (v visible) plan(ctx context.Context, by action.Person, req action.Request) (posted.Plan, error) {
	p, err := v.actions.Plan(ctx, by, req)
	if err != nil {
		return posted.Plan{}, posted.ErrorTo(v.who, req.App, err)
	}
	return v.shown(p)
}

func (v visible) request(ctx context.Context, c action.ConfirmedRequest) (posted.Record, error) {
	r, err := v.actions.Request(ctx, c)
	return v.record(r, c.App, err)
}

func (v visible) pending(ctx context.Context, by action.Person, app action.App, record string) (posted.Record, posted.Plan, error) {
	r, p, err := v.actions.Pending(ctx, by, app, record)
	if err != nil {
		return posted.Record{}, posted.Plan{}, posted.ErrorTo(v.who, app, err)
	}
	plan, err := v.shown(p)
	return posted.RecordTo(v.who, r), plan, err
}

func (v visible) decide(ctx context.Context, d action.Decision) (posted.Record, error) {
	r, err := v.actions.Decide(ctx, d)
	return v.record(r, d.App, err)
}

func (v visible) record(r *action.Record, app action.App, err error) (posted.Record, error) {
	if err != nil {
		return posted.Record{}, posted.ErrorTo(v.who, app, err)
	}
	return posted.RecordTo(v.who, r), nil
}

func (v visible) shown(p *action.Plan) (posted.Plan, error) {
	plan, no := posted.PlanTo(v.who, p)
	if no != nil {
		return posted.Plan{}, no
	}
	return plan, nil
}
