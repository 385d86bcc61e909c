package act

import (
	"context"

	"github.com/argo-why/argo-why/internal/action"
)

// Actions is where actions are asked for: a *remedy.Service. What it does not do is an *action.Refusal, which is told to the
// person; other errors are troubles of ours.
type Actions interface {
	// Plan is what would happen.
	Plan(ctx context.Context, by action.Person, req action.Request) (*action.Plan, error)
	// Request takes a confirmed request. What becomes of the record is told in its place, by others.
	Request(ctx context.Context, c action.ConfirmedRequest) (*action.Record, error)
	// Pending is what an approver is asked for: the record, and the plan as it is now.
	Pending(ctx context.Context, by action.Person, app action.App, record string) (*action.Record, *action.Plan, error)
	// Decide takes what an approver says.
	Decide(ctx context.Context, d action.Decision) (*action.Record, error)
	// Access is what the person may do about an application, in the order of action.Kinds.
	Access(ctx context.Context, p action.Person, app action.App, project string) ([]action.Access, error)
}
