package act

import (
	"context"
	"fmt"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/incident/posted"
)

// decide puts a decision to the service. The buttons of the request go with its record, on every message that shows them and whoever
// has ended it: see deliver.Notes.
func (a *Actor) decide(ctx context.Context, c *click, d action.Decision) (posted.Record, error) {
	record, err := a.actionsFor(ctx, c).decide(ctx, d)
	c.onRecord()
	if err != nil {
		return record, fmt.Errorf("decide on %s: %w", d.Record, err)
	}
	return record, nil
}
