package act

import (
	"context"
	"fmt"

	"github.com/argo-why/argo-why/internal/action"
)

// decide puts a decision to the service. The buttons of the request go with its record, on every message that shows them and whoever
// has ended it: see deliver.Notes.
func (a *Actor) decide(ctx context.Context, c *click, d action.Decision) (*action.Record, error) {
	record, err := a.actionsFor(ctx, c).Decide(ctx, d)
	if err != nil {
		return record, fmt.Errorf("decide on %s: %w", d.Record, err)
	}
	return record, nil
}
