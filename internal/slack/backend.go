package slack

import (
	"context"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/drift"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/slack/command"
)

// Backend knows the applications. Its texts are clean of secrets, except those in a Diff. What a person can be told of
// an error is in a *Trouble.
type Backend interface {
	// Find returns the applications that are called so, or else those with a similar name. What the target leaves out
	// fits any; its Host stands for the instance of that address. That there is none of either is no error; an instance
	// that nobody knows is a *Trouble.
	Find(ctx context.Context, target command.Target) (Found, error)
	// Why reads and diagnoses an application. The error is incident.ErrGone when it does not exist any more.
	Why(ctx context.Context, app incident.App) (*diagnose.Report, error)
	Diff(ctx context.Context, app incident.App) (Diff, error)
	History(ctx context.Context, app incident.App) (History, error)
	// Failing are the incidents that are open or pending, in any order.
	Failing(ctx context.Context) ([]Failing, error)
	// Silent are the names of the Argo CDs that do not answer: what fails there may be unknown.
	Silent() []string
	// IncidentOf is the open incident of the application, the outage if it is a part of one; nil without any.
	IncidentOf(ctx context.Context, app incident.App) (*incident.Incident, error)
	// IncidentByThread is the incident that is told in the thread, whatever its phase; nil without any. ts is that of the
	// root message.
	IncidentByThread(ctx context.Context, channel, ts string) (*incident.Incident, error)
	// Refresh reads the application now, brings the thread of its incident up to date, and returns it; nil when there is
	// none any more.
	Refresh(ctx context.Context, app incident.App) (*incident.Incident, error)
}

// Known is an application with its project, which is what a permission depends on.
type Known struct {
	App     incident.App
	Project string
}

// Found are the applications that were meant, ordered; Near, the nearest first, those that may have been.
type Found struct{ Matches, Near []Known }

// Failing is an incident and its members, with their projects.
type Failing struct {
	Incident *incident.Incident
	Members  []Known
}

// Diff is how an application differs from Git.
type Diff struct {
	// Sync is Argo CD's word: Synced, OutOfSync, Unknown. Revision is what was compared.
	Sync, Revision string
	Resources      []Differing
}

// Differing is a resource that is not as Git has it.
type Differing struct {
	drift.Resource
	// Prune: it is live and not in Git.
	Prune bool
	// Unread says why its fields are not known.
	Unread string
}

// History is what happened to an application: the deployments, in the order of status.history, and its incidents.
type History struct {
	Deployments []evidence.Deployment
	Incidents   []*incident.Incident
}

// Viewer decides who may look at what.
type Viewer interface {
	// May reports whether the person may see the application where the answer would stand; if not, why says so in a
	// sentence, and who could: as <@U…>, <!subteam^S…>, <#C…>.
	May(ctx context.Context, user, channel string, app incident.App, project string) (ok bool, why string)
}

// Trouble is an error that a person is told of: what happened, and what to do about it. Both are plain text.
type Trouble struct {
	What, Remedy string
	Err          error
}

func (t *Trouble) Error() string {
	if t.Remedy == "" {
		return t.What
	}
	return t.What + ": " + t.Remedy
}

// Unwrap is what it came from.
func (t *Trouble) Unwrap() error { return t.Err }
