package remedy

import (
	"context"
	"slices"
	"sync"
)

// How many situations are read at once, each of which is all that Argo CD knows of an application, and how many of one project: where the
// applications of a team are slow to compare, others find a turn.
const (
	situationsAtOnce    = 4
	situationsOfProject = 2
)

// turns are places in which to read a situation. The next free one is for the project that has the fewest, and of those for the one that got none
// for longest. A project that has one gets another only while one more stays free.
type turns struct {
	mu      sync.Mutex
	taken   map[string]int
	waiting []*turn // in the order of their projects' last turns
}

// turn is one that is waited for.
type turn struct {
	project string
	given   chan struct{} // closed when it is
}

func newTurns() *turns { return &turns{taken: map[string]int{}} }

// take waits for a turn of a project, which ends with done.
func (t *turns) take(ctx context.Context, project string) (done func(), err error) {
	next := &turn{project, make(chan struct{})}
	t.mu.Lock()
	t.waiting = append(t.waiting, next)
	t.give()
	t.mu.Unlock()
	select {
	case <-next.given:
		return func() { t.end(project) }, nil
	case <-ctx.Done():
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if at := slices.Index(t.waiting, next); at >= 0 {
		t.waiting = slices.Delete(t.waiting, at, at+1)
		return nil, context.Cause(ctx)
	}
	t.back(project) // it was given at the same moment
	return nil, context.Cause(ctx)
}

func (t *turns) end(project string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.back(project)
}

// back takes a turn back. With t.mu held, as give.
func (t *turns) back(project string) {
	if t.taken[project]--; t.taken[project] == 0 {
		delete(t.taken, project)
	}
	t.give()
}

// give gives the free turns to those who wait.
func (t *turns) give() {
	for len(t.waiting) > 0 {
		all := 0
		for _, n := range t.taken {
			all += n
		}
		next := slices.MinFunc(t.waiting, func(a, b *turn) int { return t.taken[a.project] - t.taken[b.project] })
		has := t.taken[next.project]
		if all == situationsAtOnce || has > 0 && (has == situationsOfProject || all == situationsAtOnce-1) {
			return
		}
		t.taken[next.project]++
		var again []*turn // of the same project: its turn comes round behind the others
		t.waiting = slices.DeleteFunc(t.waiting, func(w *turn) bool {
			if w.project == next.project && w != next {
				again = append(again, w)
			}
			return w.project == next.project
		})
		t.waiting = append(t.waiting, again...)
		close(next.given)
	}
}
