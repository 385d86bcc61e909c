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
	// digestTimeout is for making the digests of all channels. Nothing is asked or waited for.
	digestTimeout = 30 * time.Second
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
	when, err := schedule.NewWall(c.Digest.Schedule, c.Digest.TimeZone)
	if err != nil {
		return nil, fmt.Errorf("digest: %w", err)
	}
	return &digest.Plan{
		When: when, Channels: c.DigestChannels(), Configured: c.Channels(), OutOfSyncAfter: c.Digest.OutOfSyncAfter, Titles: ruleTitles(),
	}, nil
}

// digestJob posts what is due, where this process leads the first shard. A channel has one digest, also where several Argo CDs have leaders of
// their own: this one knows what the others write.
func (b *bot) digestJob(plan *digest.Plan) schedule.Job {
	first := b.shards[0]
	return schedule.Job{Name: "digest", Spec: digestEvery, Timeout: digestTimeout, Run: func(context.Context) error {
		now := time.Now()
		if !first.leads() || now.Sub(first.begun()) < digestSettles {
			return nil
		}
		var stores []*incident.Store
		for _, s := range b.shards {
			stores = append(stores, s.incidents)
		}
		for _, m := range plan.Due(stores, silentOf(b.instances), now) {
			first.syncer.PostDigest(m.Channel, m.Digest, now)
		}
		return nil
	}}
}
