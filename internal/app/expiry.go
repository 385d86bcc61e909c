package app

import (
	"context"
	"fmt"
	"time"

	"github.com/argo-why/argo-why/config"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/schedule"
)

const (
	// expiryEvery is how often Argo CD is asked for its tokens: two calls, for what is announced days before.
	expiryEvery = "@every 10m"
	// expiryTimeout is for one look at the tokens of all Argo CDs.
	expiryTimeout = time.Minute
)

// expiryJob announces tokens that expire soon, none where connections are not watched.
func (b *bot) expiryJob(c *config.Config) []schedule.Job {
	if !c.Connections.Enabled() {
		return nil
	}
	return []schedule.Job{{Name: "expiry", Spec: expiryEvery, Timeout: expiryTimeout, Run: b.lookAtTokens}}
}

// lookAtTokens looks at the tokens of each Argo CD that this process leads.
func (b *bot) lookAtTokens(ctx context.Context) error {
	return b.forEachLed(func(in *instance, s *shard) error { return in.lookAtTokens(ctx, s.syncer) })
}

// lookAtTokens has the tokens of an Argo CD announced that can be read.
func (in *instance) lookAtTokens(ctx context.Context, syncer *incident.Syncer) error {
	tokens, err := in.Tokens(ctx)
	if ctx.Err() == nil {
		syncer.AnnounceExpiry(in.Name, tokens, time.Now())
	}
	if err != nil {
		return fmt.Errorf("look at the tokens of %s: %w", in.Name, err)
	}
	return nil
}
