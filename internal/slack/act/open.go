package act

import (
	"context"
	"fmt"

	"github.com/argo-why/argo-why/internal/incident"
)

// Opener has what a backlog lists told in threads.
type Opener interface {
	// OpenThreads returns the applications of the line that will get a thread; none if somebody asked for it before, or if none
	// of them is listed any more.
	OpenThreads(ctx context.Context, backlog, line string) ([]incident.App, error)
}

// open has the applications of a listed cause told in threads, once however many people ask for it. Nothing is said about that: the
// thread follows within seconds, in the same channel.
func (a *Actor) open(ctx context.Context, c *click, i *incident.Incident) (*rejected, string, error) {
	if i == nil {
		return reject(outcomeGone, "This list is no longer kept. To see what is failing now, use the `list` command.", "no backlog"), "", nil
	}
	opened, err := a.opener.OpenThreads(ctx, i.ID, c.value.Line)
	switch {
	case err != nil:
		return nil, "", fmt.Errorf("open the threads of a listed cause: %w", err)
	case len(opened) == 0:
		return reject(outcomeGone, "Someone has already opened this, or it is no longer failing. The list above shows which.", "nothing to open"), "", nil
	}
	return nil, outcomeTaken, nil
}
