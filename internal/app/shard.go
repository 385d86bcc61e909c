package app

import (
	"log/slog"
	"slices"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/argo-why/argo-why/config"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/kube"
	"github.com/argo-why/argo-why/internal/remedy"
)

// shard is what one leader is responsible for: all Argo CDs, or one of them where each has a leader of its own. Every replica has all shards,
// leads some of them, and answers people about the others from what their leaders write.
type shard struct {
	incident.Shard
	*replicas
	election
	// journal is that of incidents, written only while this process leads the shard.
	journal   incident.Journal
	instances []*instance
	// connections: those of Argo CD are watched.
	connections bool
	incidents   *incident.Store
	syncer      *incident.Syncer
	actions     *remedy.Service // nil in a dry run
	registry    prometheus.Registerer
	log         *slog.Logger
	// leading: it has begun to lead, and not to end. holds: it has the Lease, also while it reads the journal at first and finishes at last.
	leading, holds atomic.Bool
	// led is since when it leads, in nanoseconds since 1970.
	led atomic.Int64
	// failed is when a term last ended in an error, in nanoseconds since 1970.
	failed atomic.Int64
}

// newShards are those of the configuration.
func (r *replicas) newShards(c *config.Config, registry prometheus.Registerer) (all []*shard) {
	parts := []incident.Shard{{}}
	if r.spread {
		parts = incident.Shards(instanceNames(c))
	}
	for _, part := range parts {
		policy := incidentPolicy(c)
		policy.Shard = part
		s := &shard{
			Shard: part, replicas: r, election: alone{}, journal: r.journals.incidents, incidents: incident.NewStore(policy, nil),
			connections: c.Connections.Enabled(), registry: registry, log: r.log,
		}
		if part.Name != "" {
			s.log = r.log.With("shard", part.Name)
			s.registry = prometheus.WrapRegistererWith(prometheus.Labels{"shard": part.Name}, registry)
		}
		if r.cluster != nil {
			s.elect()
		}
		s.measure()
		all = append(all, s)
	}
	return all
}

// elect has replicas agree which of them leads the shard.
func (s *shard) elect() {
	election := s.cluster.Election(kube.ElectionOptions{Shard: s.Name, Identity: s.identity, Turn: s.turn, Log: s.log})
	s.election, s.journal = election, &fencedJournal{s.journal, election.Leading}
}

// restAfterFailure is how long a replica that could not lead lets others try: longer than they wait for their turn.
const restAfterFailure = 6 * time.Second

// turn reports whether this process is to take the Lease, which has been free for so long.
func (s *shard) turn(free time.Duration) bool {
	return time.Since(time.Unix(0, s.failed.Load())) >= restAfterFailure && (s.crew == nil || s.crew.turn(free))
}

func instanceNames(c *config.Config) (names []string) {
	for i := range c.ArgoCD {
		names = append(names, c.ArgoCD[i].Name)
	}
	return names
}

// begun is since when this process leads.
func (s *shard) begun() time.Time { return time.Unix(0, s.led.Load()) }

// leads reports whether this process does.
func (s *shard) leads() bool { return s.leading.Load() && s.Leading() == nil }

// handsOver reports whether another process leads, or may.
func (s *shard) handsOver() bool { return s.handOver != nil && !s.leads() }

// shards are all of them.
type shards []*shard

// of is the shard of an Argo CD. One that the configuration does not name is in one of them, too.
func (all shards) of(instance string) *shard {
	return all[slices.IndexFunc(all, func(s *shard) bool { return s.Has(instance) })]
}

// held is of how many this process has the Lease.
func (all shards) held() (n int) {
	for _, s := range all {
		if s.holds.Load() {
			n++
		}
	}
	return n
}
