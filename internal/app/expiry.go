package app

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/argo-why/argo-why/config"
	"github.com/argo-why/argo-why/internal/argo"
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
	if c.Connections.Schedule == "" {
		return nil
	}
	return []schedule.Job{{Name: "expiry", Spec: expiryEvery, Timeout: expiryTimeout, Run: b.lookAtTokens}}
}

// lookAtTokens looks at the tokens of each Argo CD that this process leads.
func (b *bot) lookAtTokens(ctx context.Context) error {
	errs := make([]error, len(b.instances))
	var group sync.WaitGroup
	for n, in := range b.instances {
		if s := b.shards.of(in.Name); s.leads() {
			group.Go(func() { errs[n] = in.lookAtTokens(ctx, s.syncer) })
		}
	}
	group.Wait()
	return errors.Join(errs...)
}

// lookAtTokens has the tokens of an Argo CD announced that can be read.
func (in *instance) lookAtTokens(ctx context.Context, syncer *incident.Syncer) error {
	tokens, err := in.Tokens(ctx)
	if ctx.Err() == nil {
		syncer.AnnounceExpiry(in.Name, expiring(tokens), time.Now())
	}
	if err != nil {
		return fmt.Errorf("look at the tokens of %s: %w", in.Name, err)
	}
	return nil
}

// expiring are the tokens as an announcement has them.
func expiring(tokens []argo.Token) []incident.ExpiringToken {
	all := make([]incident.ExpiringToken, 0, len(tokens))
	for _, t := range tokens {
		if t.Expires.IsZero() {
			continue
		}
		all = append(all, incident.ExpiringToken{
			Account: t.Account, Project: t.Project, Role: t.Role, ID: t.ID, Issued: t.Issued, Expires: t.Expires, Own: t.Own, Replaced: t.Replaced,
		})
	}
	return all
}
