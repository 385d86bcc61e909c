package act

import (
	"context"
	"errors"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/audience"
	"github.com/argo-why/argo-why/internal/sanitize"
	"github.com/argo-why/argo-why/internal/text"
)

// visible are the actions as far as those who read the channel of a click may see what they do. Nobody can confirm what they are not shown: a
// sync that changes an application which the channel may not see is refused there.
type visible struct {
	Actions
	who audience.Audience
}

// actionsFor are the actions for a click.
func (a *Actor) actionsFor(ctx context.Context, c *click) visible {
	return visible{a.actions, a.places.Answer(ctx, c.person.ID, c.place.Channel)}
}

// Plan implements Actions.
func (v visible) Plan(ctx context.Context, by action.Person, req action.Request) (*action.Plan, error) {
	p, err := v.Actions.Plan(ctx, by, req)
	if no := v.refuses(p); no != nil {
		return nil, no
	}
	return p, v.without(err)
}

// Request implements Actions.
func (v visible) Request(ctx context.Context, c action.ConfirmedRequest) (*action.Record, error) {
	r, err := v.Actions.Request(ctx, c)
	return r, v.without(err)
}

// Pending implements Actions.
func (v visible) Pending(ctx context.Context, by action.Person, app action.App, record string) (*action.Record, *action.Plan, error) {
	r, p, err := v.Actions.Pending(ctx, by, app, record)
	if no := v.refuses(p); no != nil {
		return nil, nil, no
	}
	return r, p, v.without(err)
}

// Decide implements Actions.
func (v visible) Decide(ctx context.Context, d action.Decision) (*action.Record, error) {
	r, err := v.Actions.Decide(ctx, d)
	return r, v.without(err)
}

// without is an error without a plan that may not be shown.
func (v visible) without(err error) error {
	if r, ok := errors.AsType[*action.Refusal](err); ok {
		if no := v.refuses(r.Plan); no != nil {
			return no
		}
	}
	return err
}

// refuses says why a plan may not be shown; nil for one that may.
func (v visible) refuses(p *action.Plan) *action.Refusal {
	if p == nil {
		return nil
	}
	var others []audience.App
	for _, c := range p.Changes {
		if c.Ref.IsApplication() {
			at := audience.App{Instance: p.App.Instance, Namespace: c.Ref.Namespace, Name: c.Ref.Name}
			if at.Namespace == "" {
				at.Namespace = p.App.Namespace
			}
			if at != p.App {
				others = append(others, at)
			}
		}
	}
	_, hidden := v.who.Show(others)
	if hidden == 0 {
		return nil
	}
	return &action.Refusal{
		Code: action.Unseen,
		What: sanitize.Sprintf("the sync changes %s that not everyone in this channel has access to, so it can't be shown here: sync it in Argo CD", text.Count(hidden, "application", "applications")),
	}
}
