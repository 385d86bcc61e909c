package answer

import (
	"context"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/audience"
	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/incident/posted"
	"github.com/argo-why/argo-why/internal/slack/apps"
)

// Backend knows the applications. Its texts are clean of secrets, except those in a Diff. What a person can be told of
// an error is in a *request.Error.
type Backend interface {
	apps.Directory
	// Why reads and diagnoses an application for those who read the answer. The error is incident.ErrGone when it does not exist any more.
	Why(ctx context.Context, app incident.App, who audience.Audience) (*diagnose.Report, error)
	// Diff compares an application with Git, as far as those who read the answer may see.
	Diff(ctx context.Context, app incident.App, who audience.Audience) (posted.Diff, error)
	History(ctx context.Context, app incident.App) (History, error)
	// Failing are the incidents that are open or pending, in any order.
	Failing(ctx context.Context) ([]Failing, error)
	// Applications are all that are known, in any order, and Rules the titles of all rules by ID: a filter that fits nothing is
	// looked for among them.
	Applications() []apps.Known
	Rules() map[string]string
	// Account is whom an Argo CD takes the bot for, as it says itself.
	Account(ctx context.Context, instance string) (string, error)
	// Silent are the names of the Argo CDs that do not answer: what fails there may be unknown.
	Silent() []string
	// IncidentOf is the open incident of the application, the outage if it is a part of one; nil without any.
	IncidentOf(ctx context.Context, app incident.App) (*incident.Incident, error)
	// Refresh reads the application now, brings the thread of its incident up to date, and returns it; nil when there is
	// none any more.
	Refresh(ctx context.Context, app incident.App) (*incident.Incident, error)
}

// Failing is an incident and its members, with their projects.
type Failing struct {
	Incident *incident.Incident
	Members  []apps.Known
	// Dependents are the applications that depend on its connections that fail, each once.
	Dependents []apps.Known
}

// History is what happened to an application: the deployments, in the order of status.history, and its incidents.
type History struct {
	Deployments []evidence.Deployment
	Incidents   []*incident.Incident
}

// Actions knows what people may do, and what they did.
type Actions interface {
	// Access is what the person may do about an application, in the order of action.Kinds.
	Access(ctx context.Context, p action.Person, app action.App, project string) ([]action.Access, error)
	// Offers are the actions of a report that somebody may do, and that the bot can. It waits for nobody.
	Offers(r *diagnose.Report) []diagnose.Action
	// Audit returns the records of the applications that the filter lets through, in any order.
	Audit(ctx context.Context, filter func(action.App) bool) ([]*action.Record, error)
}
