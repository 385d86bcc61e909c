// Package apps is what answering and acting have in common about applications: how the one that a person means is found, which one a
// thread is about, and who may look at it.
package apps

import (
	"context"

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
	// Find returns the applications that are called so, or else those with a similar name. What the target leaves out
	// fits any; its Host stands for the instance of that address. That there is none of either is no error; an instance
	// that nobody knows is a *request.Error.
	Find(ctx context.Context, target command.Target) (Found, error)
	// IncidentByThread is the incident that is told in the thread, whatever its phase; nil without any. ts is that of the
	// root message.
	IncidentByThread(ctx context.Context, channel, ts string) (*incident.Incident, error)
}

// Viewer decides who may look at what.
type Viewer interface {
	// May reports whether the person may see the application where the answer would stand; if not, why says so in a
	// sentence, and who could: as <@U…>, <!subteam^S…>, <#C…>.
	May(ctx context.Context, user, channel string, app incident.App, project string) (ok bool, why string)
}
