package app

import (
	"context"
	"crypto/rand"
	"log/slog"
	"os"
	"strings"

	"github.com/argo-why/argo-why/config"
	"github.com/argo-why/argo-why/internal/incident"
)

// election says which replica leads a shard: it alone looks at its applications, posts, and does what was asked for.
type election interface {
	// Run calls lead each time this process becomes the leader, never twice at once, until the context ends.
	Run(ctx context.Context, lead func(context.Context)) error
	// Leading is nil while nobody else can lead.
	Leading() error
	// Resign ends the present term for another replica to lead.
	Resign()
}

// alone is the election where there is one process: it has the journal to itself.
type alone struct{}

// Run implements election.
func (alone) Run(ctx context.Context, lead func(context.Context)) error {
	lead(ctx)
	return nil
}

// Leading implements election.
func (alone) Leading() error { return nil }

// Resign implements election.
func (alone) Resign() {}

// replicas is what this process shares with others of its kind.
type replicas struct {
	journals
	// identity is that of this process among them.
	identity string
	// spread: each Argo CD has a leader of its own.
	spread bool
	// handOver tells leaders which applications to look at; nil where this process is alone.
	handOver *incident.HandOver
	// crew is who else is there; nil where that does not matter.
	crew *crew
	// mirror keeps what other replicas write; nil where this process is alone.
	mirror *mirror
	log    *slog.Logger
}

func newReplicas(j journals, c config.Journal, log *slog.Logger) *replicas {
	r := &replicas{journals: j, identity: identity(), log: log}
	if j.cluster == nil {
		return r
	}
	r.handOver = incident.NewHandOver(j.cluster, r.identity, log)
	r.mirror = newMirror(func(ctx context.Context, changed func([]*incident.Incident)) { j.cluster.Follow(ctx, log, changed) })
	if r.spread = c.Leaders == config.LeadersEach; r.spread {
		r.crew = newCrew(r.identity)
	}
	return r
}

// identity is a name that no other process has, nor this one after a restart: what it knew then it has to read again.
func identity() string {
	host, err := os.Hostname() // the name of the pod
	if err != nil {
		host = "replica"
	}
	return host + "-" + strings.ToLower(rand.Text()[:6])
}
