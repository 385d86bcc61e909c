package app

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/argo-why/argo-why/config"
	"github.com/argo-why/argo-why/internal/audience"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/gateway"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/incident/posted"
	"github.com/argo-why/argo-why/internal/schedule"
	"github.com/argo-why/argo-why/internal/slack/apps"
)

// connectionsTimeout is for one look at the connections of all Argo CDs. Argo CD tests a repository whose last result has expired before it
// answers, and git gives up on one that does not respond after 15 s.
const connectionsTimeout = 2 * time.Minute

// connectionJob is the watch on Argo CD's connections, none where the configuration turns it off.
func (b *bot) connectionJob(c *config.Config) []schedule.Job {
	if !c.Connections.Enabled() {
		return nil
	}
	gauge := prometheus.NewGaugeVec(prometheus.GaugeOpts{
		Name: "argo_why_connections", Help: "Argo CD's connections to repositories and clusters, and whether its application controller reports on these, by instance, kind and state: works, fails or unknown. Only from the leader.",
	}, []string{"instance", "kind", "state"})
	b.registry.MustRegister(gauge)
	return []schedule.Job{{Name: "connections", Spec: c.Connections.Schedule, Timeout: connectionsTimeout, Run: func(ctx context.Context) error {
		return b.lookAtConnections(ctx, gauge, c.ConnectionChannel())
	}}}
}

// lookAtConnections looks at the connections of each Argo CD that this process leads. One that does not answer keeps no other waiting.
func (b *bot) lookAtConnections(ctx context.Context, gauge *prometheus.GaugeVec, channel string) error {
	for _, in := range b.instances {
		if !b.shards.of(in.Name).leads() {
			gauge.DeletePartialMatch(prometheus.Labels{"instance": in.Name})
		}
	}
	return b.forEachLed(func(in *instance, s *shard) error {
		return in.lookAtConnections(ctx, s.syncer, gauge, b.places.InChannel(ctx, channel))
	})
}

// forEachLed does something for each Argo CD that this process leads, side by side.
func (b *bot) forEachLed(do func(*instance, *shard) error) error {
	errs := make([]error, len(b.instances))
	var group sync.WaitGroup
	for n, in := range b.instances {
		if s := b.shards.of(in.Name); s.leads() {
			group.Go(func() { errs[n] = schedule.Recovered(in.log, "watch", func() error { return do(in, s) }) })
		}
	}
	group.Wait()
	return errors.Join(errs...)
}

// lookAtConnections has what is known of the connections of an Argo CD taken in. Before all applications are listed nobody knows what depends
// on them.
func (in *instance) lookAtConnections(ctx context.Context, syncer *incident.Syncer, gauge *prometheus.GaugeVec, who audience.Audience) error {
	if !in.isListed() {
		return nil
	}
	all, read, err := in.Connections(ctx)
	kinds := make([]string, 0, len(read))
	for _, kind := range read {
		kinds = append(kinds, string(kind))
	}
	seen := make([]incident.SeenConnection, 0, len(all))
	for i := range all {
		seen = append(seen, seenConnection(in.Name, &all[i], who))
	}
	in.countConnections(all, gauge)
	if ctx.Err() == nil {
		syncer.ObserveConnections(in.Name, kinds, seen)
	}
	if err = in.withoutKnown(err); err != nil {
		return fmt.Errorf("look at the connections of %s: %w", in.Name, err)
	}
	return nil
}

func seenConnection(instance string, c *gateway.Dependency, who audience.Audience) incident.SeenConnection {
	return posted.Connection(who, incident.SeenConnection{
		Connection: incident.Connection{
			Instance: instance, Kind: string(c.Kind), Address: c.Address, Name: c.Name, Project: c.Project, Tested: c.Tested.Time,
		},
		Works: c.Status == evidence.ConnectionSuccessful, Report: c.Report, Dependents: c.Dependents,
	})
}

func (in *instance) countConnections(all []gateway.Dependency, gauge *prometheus.GaugeVec) {
	gauge.DeletePartialMatch(prometheus.Labels{"instance": in.Name})
	for i := range all {
		state := "unknown"
		switch {
		case all[i].Status == evidence.ConnectionSuccessful:
			state = "works"
		case all[i].Fails():
			state = "fails"
		}
		gauge.WithLabelValues(in.Name, string(all[i].Kind), state).Inc()
	}
}

// withoutKnown is an error without the rights that it says are missing, which is logged once: the watch goes on with what the account may
// see.
func (in *instance) withoutKnown(err error) error {
	joined, several := err.(interface{ Unwrap() []error })
	if !several {
		return err
	}
	var rest []error
	for _, one := range joined.Unwrap() {
		missing, ok := errors.AsType[*gateway.MissingRightError](one)
		if !ok {
			rest = append(rest, one)
			continue
		}
		if _, told := in.missing.LoadOrStore(missing.Resource, true); !told {
			in.log.Warn("connections not watched", "resource", missing.Resource, "reason", missing.Error())
		}
	}
	return errors.Join(rest...)
}

// dependents are the applications that depend on the connections of an incident that fail, as this replica has them listed.
func (b *slackBackend) dependents(i *incident.Incident) (known []apps.Known) {
	down := i.Disconnected()
	if len(down) == 0 {
		return nil
	}
	in := instanceOf(b.instances, down[0].Instance)
	if in == nil {
		return nil
	}
	var connections []evidence.Connection
	for _, c := range down {
		connections = append(connections, evidence.Connection{Kind: evidence.ConnectionKind(c.Kind), Address: c.Address, Name: c.Name, Project: c.Project})
	}
	for _, app := range in.DependentsOf(connections) {
		known = append(known, b.entry(app))
	}
	return known
}
