package slack

import (
	"context"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/diagnose"
)

// Actions is where actions are asked for: a *remedy.Service. What it does not do is a *action.Refusal, which is told to the
// person; other errors are troubles of ours.
type Actions interface {
	// Plan is what would happen.
	Plan(ctx context.Context, by action.Person, req action.Request) (*action.Plan, error)
	// Request takes a confirmed request. What becomes of the record is told in its place, by others.
	Request(ctx context.Context, c action.ConfirmedRequest) (*action.Record, error)
	// Decide takes what an approver says.
	Decide(ctx context.Context, d action.Decision) (*action.Record, error)
	// Access is what the person may do about an application, in the order of action.Kinds.
	Access(ctx context.Context, p action.Person, app action.App, project string) ([]action.Access, error)
	// Offers are the actions of a report that somebody may do, and that the bot can. It waits for nobody.
	Offers(r *diagnose.Report) []diagnose.Action
	// Audit returns the records of the applications that the filter lets through, in any order.
	Audit(ctx context.Context, filter func(action.App) bool) ([]*action.Record, error)
}
