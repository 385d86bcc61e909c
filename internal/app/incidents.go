package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
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

// readIncidents reads the journal of incidents. What is damaged in it is logged, and does not keep the bot from starting.
func readIncidents(ctx context.Context, c *config.Config, journal incident.Journal, log *slog.Logger) (*incident.Store, error) {
	ctx, cancel := context.WithTimeout(ctx, journalTimeout)
	defer cancel()
	held, err := journal.List(ctx)
	damaged, partly := errors.AsType[incident.Damaged](err)
	if err != nil && !partly {
		return nil, fmt.Errorf("read the journal: %w", err)
	}
	log.Info("journal read", "incidents", len(held), "damaged", len(damaged))
	for _, d := range damaged {
		log.Error("journal entry not read, it is left as it is", "incident", d.ID, "error", d.Err)
	}
	return incident.Restore(incidentPolicy(c), held, damaged, time.Now()), nil
}

// unwatch ends what is in progress about Argo CDs that the configuration no longer names.
func unwatch(incidents *incident.Store, c *config.Config, log *slog.Logger) {
	var instances []string
	for _, in := range c.ArgoCD {
		instances = append(instances, in.Name)
	}
	if ended := incidents.Unwatch(instances, time.Now()); len(ended) > 0 {
		log.Info("incidents of Argo CD instances ended that are no longer configured", "incidents", ended)
	}
}

func incidentPolicy(c *config.Config) incident.Policy {
	i := c.Incidents
	return incident.Policy{
		OpenAfter: i.OpenAfterOf, Ignored: i.Ignores, Channel: c.Channel, HoldFor: i.HoldFor, ReopenWithin: i.ReopenWithin,
		RemindAfter: i.RemindAfter, GroupFrom: i.GroupFrom, GatherFor: gatherFor, KeepFor: i.ExpireAfter, QuietAfter: i.QuietAfter,
	}
}

// newSchedule plans the sweep, once at the start and then as the configuration says.
func (b *bot) newSchedule(c *config.Config) (*schedule.Schedule, error) {
	return schedule.New(b.log, nil, schedule.Job{Name: "sweep", Spec: c.Sweep, Timeout: sweepTimeout, Run: b.sweep})
}

// sweep looks for what webhook and watch missed. An Argo CD that does not answer does not keep the others from being swept.
func (b *bot) sweep(ctx context.Context) error {
	b.syncer.Expire(time.Now())
	live := b.incidents.LiveApps()
	errs := make([]error, len(b.instances))
	var group sync.WaitGroup
	for i, in := range b.instances {
		group.Go(func() { errs[i] = in.sweep(ctx, live) })
	}
	group.Wait()
	return errors.Join(errs...)
}
