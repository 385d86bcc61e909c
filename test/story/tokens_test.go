package story_test

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/story"
)

// tokensEvery is how often the bot asks Argo CD for its tokens.
const tokensEvery = 10 * time.Minute

// token has Argo CD issue a token, or delete it.
func (l *lab) token(step story.Step) error {
	of, err := step.Token()
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if of.Deleted {
		delete(l.tokens, of.ID)
		return nil
	}
	expires := time.Now().Add(of.Left)
	l.tokens[of.ID] = incident.ExpiringToken{
		Account: of.Account, Project: of.Project, Role: of.Role, ID: of.ID, Issued: expires.Add(-story.TokenLife), Expires: expires, Own: of.ID == "own",
	}
	return nil
}

// watchTokens does what the scheduled job does, until the context ends.
func (b *bot) watchTokens(ctx context.Context) {
	ticker := time.NewTicker(tokensEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		if tokens, ok := b.lab.issued(); ok && ctx.Err() == nil {
			b.syncer.AnnounceExpiry("prod", tokens, time.Now())
		}
	}
}

// issued are the tokens that Argo CD shows.
func (l *lab) issued() ([]incident.ExpiringToken, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	byID := func(x, y incident.ExpiringToken) int { return strings.Compare(x.ID, y.ID) }
	return slices.SortedFunc(maps.Values(l.tokens), byID), !l.argoDown && !l.removed
}
