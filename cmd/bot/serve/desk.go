package serve

import (
	"context"

	"github.com/argo-why/argo-why/config"
	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/remedy"
	"github.com/argo-why/argo-why/internal/slack/deliver"
)

// openDesk sets up what people may do from the chat.
func (b *bot) openDesk(context.Context) error {
	gateways := map[string]remedy.Gateway{}
	for _, in := range b.instances {
		gateways[in.name] = world{in}
	}
	b.desk = remedy.New(remedy.Options{
		Gateways: gateways, Journal: b.actionLogs, Log: b.Log, Registry: b.registry,
		Policy:   action.NewPolicy(actionRules(b.Config.Actions), b.groups.Fresh()),
		Notifier: deliver.Notes{Syncer: b.keeper, Sender: b.sender}, Mute: b.keeper.Mute, Look: b.look,
	})
	return nil
}

// look has an application looked at soon.
func (b *bot) look(app incident.App) {
	for _, in := range b.instances {
		if in.name == app.Instance {
			in.reconciler.Add(app)
		}
	}
}

// actionRules are those of the configuration.
func actionRules(all []config.ActionRule) []action.Grant {
	var out []action.Grant
	for _, a := range all {
		r := action.Grant{
			Instances: a.Instances, Projects: a.Projects, Applications: a.Applications,
			Who: action.Who{Users: a.Users, Groups: a.UserGroups},
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
