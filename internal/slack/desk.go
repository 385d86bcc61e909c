package slack

import (
	"context"

	"github.com/argo-why/argo-why/internal/remedy"
)

// Desk is where actions are asked for; of *remedy.Desk. What it does not do is a *remedy.Refusal, which is told to the
// person; other errors are troubles of ours.
type Desk interface {
	// Plan is what would happen.
	Plan(ctx context.Context, by remedy.Person, want remedy.Want) (*remedy.Plan, error)
	// Ask takes a confirmed wish. What becomes of the record is told in its place, by others.
	Ask(ctx context.Context, ask remedy.Ask) (*remedy.Record, error)
	// Decide takes what an approver says.
	Decide(ctx context.Context, d remedy.Decision) (*remedy.Record, error)
	// Access is what the person may do about an application, in the order of remedy.Kinds.
	Access(ctx context.Context, p remedy.Person, app remedy.App, project string) ([]remedy.Access, error)
	// Audit returns the records of the applications that the filter lets through, in any order.
	Audit(ctx context.Context, filter func(remedy.App) bool) ([]*remedy.Record, error)
}
