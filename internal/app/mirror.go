package app

import (
	"context"
	"sync"

	"github.com/argo-why/argo-why/internal/incident"
)

// mirror keeps the shards that this process does not lead as their leaders write them. It follows the journal only while there are any.
type mirror struct {
	follow func(ctx context.Context, changed func([]*incident.Incident))

	mu      sync.Mutex
	standby map[*shard]bool
	// held is what the journal held last; nil while that is not known.
	held      []*incident.Incident
	following *background
}

func newMirror(follow func(context.Context, func([]*incident.Incident))) *mirror {
	return &mirror{follow: follow, standby: map[*shard]bool{}, following: &background{}}
}

// join keeps a shard up to date from now on; at once, if what was held last may be news to it.
func (m *mirror) join(ctx context.Context, s *shard, news bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.standby[s] = true
	if news && m.held != nil {
		s.restore(m.held)
	}
	if len(m.standby) > 1 {
		return
	}
	g := &background{}
	ctx, g.cancel = context.WithCancel(ctx)
	g.done.Go(func() { m.follow(ctx, func(held []*incident.Incident) { m.changed(g, held) }) })
	m.following = g
}

// leave leaves a shard alone: when it has returned nothing is restored any more.
func (m *mirror) leave(s *shard) {
	m.mu.Lock()
	delete(m.standby, s)
	var last *background
	if len(m.standby) == 0 {
		last, m.following, m.held = m.following, &background{}, nil
	}
	m.mu.Unlock()
	if last != nil {
		last.end()
	}
}

// changed takes over what the journal holds, unless somebody else follows it by now.
func (m *mirror) changed(by *background, held []*incident.Incident) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.following != by {
		return
	}
	m.held = held
	for s := range m.standby {
		s.restore(held)
	}
}

// background is something that goes on until its end. The zero value has ended.
type background struct {
	cancel context.CancelFunc
	done   sync.WaitGroup
}

func (g *background) end() {
	if g.cancel != nil {
		g.cancel()
	}
	g.done.Wait()
}
