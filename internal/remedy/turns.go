package remedy

import (
	"context"
	"sync"
)

// How many situations are read at once, each of which is all that Argo CD knows of an application, and how many of one project: where the
// applications of a team are slow to compare, others find a turn.
const (
	situationsAtOnce    = 4
	situationsOfProject = 2
)

// turns are places in which to read a situation.
type turns struct {
	all chan struct{}

	mu sync.Mutex
	of map[string]chan struct{}
}

func newTurns() *turns {
	return &turns{all: make(chan struct{}, situationsAtOnce), of: map[string]chan struct{}{}}
}

// take waits for a turn of a project, which ends with done.
func (t *turns) take(ctx context.Context, project string) (done func(), err error) {
	t.mu.Lock()
	own := t.of[project]
	if own == nil {
		own = make(chan struct{}, situationsOfProject)
		t.of[project] = own
	}
	t.mu.Unlock()
	select {
	case own <- struct{}{}:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	select {
	case t.all <- struct{}{}:
		return func() { <-t.all; <-own }, nil
	case <-ctx.Done():
		<-own
		return nil, context.Cause(ctx)
	}
}
