package app

import (
	"log/slog"
	"slices"
	"sync/atomic"

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
	incidents *incident.Store
	syncer    *incident.Syncer
	actions   *remedy.Service // nil in a dry run
	registry  prometheus.Registerer
	log       *slog.Logger
	leading   atomic.Bool
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
		s := &shard{Shard: part, replicas: r, election: alone{}, journal: r.journals.incidents, incidents: incident.NewStore(policy, nil), registry: registry, log: r.log}
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
	o := kube.ElectionOptions{Shard: s.Name, Identity: s.identity, Log: s.log}
	if s.crew != nil {
		o.Turn = s.crew.turn
	}
	election := s.cluster.Election(o)
	s.election, s.journal = election, &fencedJournal{s.journal, election.Leading}
}

func instanceNames(c *config.Config) (names []string) {
	for i := range c.ArgoCD {
		names = append(names, c.ArgoCD[i].Name)
	}
	return names
}

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

// led is how many this process leads.
func (all shards) led() (n int) {
	for _, s := range all {
		if s.leading.Load() {
			n++
		}
	}
	return n
}
