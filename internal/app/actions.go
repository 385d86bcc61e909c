package app

import (
	"github.com/argo-why/argo-why/config"
	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/remedy"
)

// gateways are what actions go through, by the name of the instance.
func (b *bot) gateways() map[string]remedy.Gateway {
	all := map[string]remedy.Gateway{}
	for _, in := range b.instances {
		all[in.Name] = in.Instance
	}
	return all
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
