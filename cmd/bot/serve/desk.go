package serve

import (
	"context"

	"github.com/argo-why/argo-why/config"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/remedy"
	"github.com/argo-why/argo-why/internal/slack/deliver"
)

// openDesk sets up what people may do from the chat.
func (b *bot) openDesk(context.Context) error {
	worlds := map[string]remedy.World{}
	for _, in := range b.instances {
		worlds[in.name] = world{in}
	}
	b.desk = remedy.New(remedy.Options{
		Worlds: worlds, Journal: b.actionLogs, Log: b.Log, Registry: b.registry,
		Policy: remedy.NewPolicy(actionRules(b.Config.Actions), b.groups.Fresh()),
		Teller: deliver.Notes{Keeper: b.keeper, Sender: b.sender, LookAt: b.look},
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
func actionRules(all []config.ActionRule) []remedy.Rule {
	var out []remedy.Rule
	for _, a := range all {
		r := remedy.Rule{
			Instances: a.Instances, Projects: a.Projects, Applications: a.Applications,
			Who: remedy.Who{Users: a.Users, Groups: a.UserGroups},
		}
		for _, kind := range a.Actions {
			r.Kinds = append(r.Kinds, remedy.Kind(kind))
		}
		if from := a.Approval; from.Needed() {
			r.Approval = &remedy.ApprovalRule{From: remedy.Who{Users: from.Users, Groups: from.UserGroups}, ExpireAfter: from.ExpireAfter}
		}
		out = append(out, r)
	}
	return out
}
