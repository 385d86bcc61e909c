package app

import (
	"context"
	"fmt"
	"time"

	"github.com/argo-why/argo-why/config"
	"github.com/argo-why/argo-why/internal/digest"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/schedule"
)

const (
	// digestTimeout is for making the digests of all channels, for which each Argo CD is asked for its sync windows and hooks. What is not read by
	// then is missing in them, and they say so.
	digestTimeout = 2 * time.Minute
	// outlookTimeout leaves time to post them.
	outlookTimeout = digestTimeout - 15*time.Second
	// digestEvery is how often to see whether one is due. What is due depends on the journal, and not on who leads at that moment: so one that
	// nobody led for is posted as soon as somebody does.
	digestEvery = "* * * * *"
	// digestSettles is how long a leader reads applications before it says which of them fail: the journal may be hours old.
	digestSettles = 30 * time.Second
)

// newPlan is that of the configuration; nil where there are no digests.
func newPlan(c *config.Config) (*digest.Plan, error) {
	if !c.Digest.Enabled() {
		return nil, nil
	}
	clocks := map[string]schedule.Wall{}
	for _, t := range c.DigestTimes() {
		when, err := schedule.NewWall(t.Schedule, t.TimeZone)
		if err != nil {
			return nil, fmt.Errorf("digest: %w", err)
		}
		for _, channel := range t.Channels {
			clocks[channel] = when
		}
	}
	plan := &digest.Plan{Instances: instanceNames(c), Configured: c.Channels(), OutOfSyncAfter: c.Digest.OutOfSyncAfter, Titles: ruleTitles()}
	for _, channel := range c.DigestChannels() {
		plan.Channels = append(plan.Channels, digest.Channel{Name: channel, When: clocks[channel]})
	}
	return plan, nil
}

// digestJob posts what is due, where this process leads the first shard. A channel has one digest, also where several Argo CDs have leaders of
// their own: this one knows what the others write.
func (b *bot) digestJob(c *config.Config, plan *digest.Plan) schedule.Job {
	first := b.shards[0]
	return schedule.Job{Name: "digest", Spec: digestEvery, Timeout: digestTimeout, Run: func(running context.Context) error {
		now := time.Now()
		if !first.leads() || now.Sub(first.begun()) < digestSettles {
			return nil
		}
		var stores []*incident.Store
		for _, s := range b.shards {
			stores = append(stores, s.incidents)
		}
		ctx, cancel := context.WithTimeout(running, outlookTimeout)
		defer cancel()
		outlooks := b.outlooks(ctx, c, now)
		plan := *plan
		plan.Begun = first.begun()
		due := plan.Due(stores, silentOf(b.instances), outlooks.of, now)
		if running.Err() != nil || !first.leads() { // whoever leads next can read what is missing in these
			return running.Err()
		}
		for _, m := range due {
			first.syncer.PostDigest(m.Channel, m.Digest, now)
		}
		return outlooks.err()
	}}
}
