// Package apps is what answering and acting have in common about applications: how the one that a person means is found, which one a
// thread is about, and who may look at it.
package apps

import (
	"context"

	"github.com/argo-why/argo-why/internal/audience"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/slack/command"
)

// Known is an application with its project, which is what a permission depends on, and what else it can be found by.
type Known struct {
	App     incident.App
	Project string
	// Cluster is the name of what it is deployed to, or else the address. Labels are "app=web,team=shop".
	Cluster, Labels string
}

// Found are the applications that were meant, ordered; Near, the nearest first, those that may have been.
type Found struct{ Matches, Near []Known }

// Directory knows which applications there are, and which incident a thread is about.
type Directory interface {
	// Find returns the applications that are called so, or else those with a similar name, among those that the person may see:
	// the others do not exist for them. What the target leaves out fits any; its Host stands for the instance of that address.
	// That there is none of either is no error; an instance that nobody knows is a *request.Error.
	Find(ctx context.Context, target command.Target, visible func(Known) bool) (Found, error)
	// IncidentByThread is the incident that is told in the thread, whatever its phase; nil without any. ts is that of the
	// root message.
	IncidentByThread(ctx context.Context, channel, ts string) (*incident.Incident, error)
}

// Viewer decides who may look at what.
type Viewer interface {
	// May says whether the person may see the application when they ask in the channel.
	May(ctx context.Context, user, channel string, app incident.App, project string) Sight
	// Hidden says in words who has access, for somebody whom some applications are hidden from; "" for somebody who sees all. It
	// is about no application: what does not exist and what is hidden are answered alike. People stand in it as <@U…>,
	// <!subteam^S…>, <#C…>.
	Hidden(ctx context.Context, user, channel string) string
}

// Sight is whether somebody may see an application.
type Sight = audience.Sight

// Visible is what the person may see where they ask. A permission depends on the instance and the project alone, so each is asked
// about once.
func Visible(ctx context.Context, v Viewer, user, channel string) func(Known) bool {
	type place struct{ instance, project string }
	may := map[place]bool{}
	return func(k Known) bool {
		at := place{k.App.Instance, k.Project}
		ok, asked := may[at]
		if !asked {
			ok = v.May(ctx, user, channel, k.App, k.Project).May
			may[at] = ok
		}
		return ok
	}
}
