package app

import (
	"context"

	"github.com/argo-why/argo-why/config"
	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/audience"
	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/remedy"
)

// gateways are what actions go through, by the name of the instance.
func (s *shard) gateways(places *audience.Places) map[string]remedy.Gateway {
	all := map[string]remedy.Gateway{}
	for _, in := range s.instances {
		all[in.Name] = newChannelGateway(in.Instance, channelReader{in, s.incidents, places})
	}
	return all
}

// owns reports whether requests about an application are this shard's.
func (s *shard) owns(app action.App) bool { return s.Has(app.Instance) }

// Plan implements slack.Actions, as do the others: each request goes to the shard of its application.
func (all shards) Plan(ctx context.Context, by action.Person, req action.Request) (*action.Plan, error) {
	return all.of(req.App.Instance).actions.Plan(ctx, by, req)
}

// Request takes a confirmed request.
func (all shards) Request(ctx context.Context, c action.ConfirmedRequest) (*action.Record, error) {
	return all.of(c.App.Instance).actions.Request(ctx, c)
}

// Pending is what an approver is asked for.
func (all shards) Pending(ctx context.Context, by action.Person, app action.App, record string) (*action.Record, *action.Plan, error) {
	return all.of(app.Instance).actions.Pending(ctx, by, app, record)
}

// Decide takes what an approver says.
func (all shards) Decide(ctx context.Context, d action.Decision) (*action.Record, error) {
	return all.of(d.App.Instance).actions.Decide(ctx, d)
}

// Access is what a person may do about an application.
func (all shards) Access(ctx context.Context, p action.Person, app action.App, project string) ([]action.Access, error) {
	return all.of(app.Instance).actions.Access(ctx, p, app, project)
}

// Offers are the actions of a report.
func (all shards) Offers(r *diagnose.Report) []diagnose.Action {
	return all.of(r.App.Instance).actions.Offers(r)
}

// Audit is everything on record: each shard reads the records of all.
func (all shards) Audit(ctx context.Context, filter func(action.App) bool) ([]*action.Record, error) {
	return all[0].actions.Audit(ctx, filter)
}

// actionGrants are the rules of the configuration.
func actionGrants(all []config.ActionRule) []action.Grant {
	var out []action.Grant
	for _, a := range all {
		r := action.Grant{
			Instances: a.Instances, Projects: a.Projects, Applications: a.Applications,
			Who: action.Who{Users: a.Users, Groups: a.UserGroups}, Everybody: a.Everybody,
		}
		for _, kind := range a.Actions {
			r.Kinds = append(r.Kinds, action.Kind(kind))
		}
		if from := a.Approval; from.Needed() {
			r.Approval = &action.ApprovalRule{From: action.Who{Users: from.Users, Groups: from.UserGroups}, ExpireAfter: from.ExpireAfter}
		}
		out = append(out, r)
	}
	return out
}
