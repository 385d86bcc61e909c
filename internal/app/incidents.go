package app

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/argo-why/argo-why/config"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/schedule"
)

const (
	// gatherFor is how long an application with a cause that others may share waits for them. An outage shows in all of them
	// within seconds; nobody notices three of these.
	gatherFor = 3 * time.Second
	// sweepTimeout is for one sweep, of all instances at the same time.
	sweepTimeout = time.Minute
	// journalTimeout is for reading all incidents when the bot starts: thousands, page by page.
	journalTimeout = time.Minute
)

// readIncidents reads what the journal of incidents holds. What is damaged in it is logged, and does not keep the bot from starting.
func (r *replicas) readIncidents(ctx context.Context) ([]*incident.Incident, incident.Damaged, error) {
	ctx, cancel := context.WithTimeout(ctx, journalTimeout)
	defer cancel()
	held, err := r.journals.incidents.List(ctx)
	damaged, partly := errors.AsType[incident.Damaged](err)
	if err != nil && !partly {
		return nil, nil, fmt.Errorf("read the journal: %w", err)
	}
	r.log.Info("journal read", "incidents", len(held), "damaged", len(damaged))
	for _, d := range damaged {
		r.log.Error("journal entry not read, it is left as it is", "incident", d.ID, "error", d.Err)
	}
	return held, damaged, nil
}

// beginWith has the Store begin with what the journal holds.
func (s *shard) beginWith(held []*incident.Incident, damaged incident.Damaged) {
	s.incidents.Restore(held, damaged, time.Now())
}

// unwatch ends what is in progress about Argo CDs that the configuration no longer names.
func (s *shard) unwatch() {
	var instances []string
	for _, in := range s.instances {
		instances = append(instances, in.Name)
	}
	if !s.connections {
		s.incidents.UnwatchConnections(time.Now()) // the syncer saves and tells it when it starts
	}
	if ended := s.incidents.Unwatch(instances, time.Now()); len(ended) > 0 {
		s.log.Info("incidents of Argo CD instances ended that are no longer configured", "incidents", ended)
	}
}

func incidentPolicy(c *config.Config) incident.Policy {
	i := c.Incidents
	return incident.Policy{
		OpenAfter: i.OpenAfterOf, Ignored: i.Ignores, Channel: c.Channel, Route: c.Route, ConnectionChannel: c.ConnectionChannel(), HoldFor: i.HoldFor, ReopenWithin: i.ReopenWithin,
		RemindAfter: i.RemindAfter, GroupFrom: i.GroupFrom, GatherFor: gatherFor, KeepFor: i.ExpireAfter, QuietAfter: i.QuietAfter,
	}
}

// newSchedule plans the sweep, the watches on connections and tokens, and the digests, as the configuration says.
func (b *bot) newSchedule(c *config.Config) (*schedule.Schedule, error) {
	jobs := []schedule.Job{{Name: "sweep", Spec: c.Sweep, Timeout: sweepTimeout, Run: b.sweep}}
	jobs = append(jobs, b.connectionJob(c)...)
	jobs = append(jobs, b.expiryJob(c)...)
	plan, err := newPlan(c)
	if err != nil {
		return nil, err
	}
	if plan != nil {
		jobs = append(jobs, b.digestJob(c, plan))
	}
	return schedule.New(b.log, b.countRuns(), jobs...)
}

// sweep looks for what webhook and watch missed. An Argo CD that does not answer does not keep the others from being swept.
func (b *bot) sweep(ctx context.Context) error {
	errs := make([]error, len(b.shards))
	var group sync.WaitGroup
	for i, s := range b.shards {
		if s.leads() { // else its leader does
			group.Go(func() { errs[i] = schedule.Recovered(b.log, "sweep", func() error { return s.sweep(ctx) }) })
		}
	}
	group.Wait()
	return errors.Join(errs...)
}

func (s *shard) sweep(ctx context.Context) error {
	s.syncer.Expire(time.Now())
	live := s.incidents.LiveApps()
	errs := make([]error, len(s.instances))
	var group sync.WaitGroup
	for i, in := range s.instances {
		group.Go(func() { errs[i] = schedule.Recovered(s.log, "sweep", func() error { return in.sweep(ctx, live) }) })
	}
	group.Wait()
	return errors.Join(errs...)
}
