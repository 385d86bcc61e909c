package preflight

import (
	"context"
	"slices"
	"sync"
	"time"
)

// Check looks at one service.
type Check func(context.Context) []Finding

// CheckTimeout is for one check: a handful of questions. A check that continues after a question without an answer gives each a
// shorter time-out of its own.
const CheckTimeout = 30 * time.Second

// Run runs the checks at the same time and returns their findings in the order of the checks.
func Run(ctx context.Context, checks []Check) []Finding {
	found := make([][]Finding, len(checks))
	var group sync.WaitGroup
	for i, check := range checks {
		group.Go(func() {
			ctx, cancel := context.WithTimeout(ctx, CheckTimeout)
			defer cancel()
			found[i] = check(ctx)
		})
	}
	group.Wait()
	return slices.Concat(found...)
}

// Given is a check that has been made already.
func Given(findings ...Finding) Check {
	return func(context.Context) []Finding { return findings }
}
