package story_test

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/argo-why/argo-why/internal/evidence"
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
	l.tokens[of.ID] = evidence.Token{
		Account: of.Account, Project: of.Project, Role: of.Role, ID: of.ID, Issued: expires.Add(-story.TokenLife), Expires: expires, Own: of.ID == "own",
	}
	return nil
}

// watchTokens does what the scheduled job does.
func (b *bot) watchTokens() {
	if tokens, ok := b.lab.issued(); ok {
		b.syncer.AnnounceExpiry("prod", tokens, time.Now())
	}
}

// issued are the tokens that Argo CD shows.
func (l *lab) issued() ([]evidence.Token, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	byID := func(x, y evidence.Token) int { return strings.Compare(x.ID, y.ID) }
	return slices.SortedFunc(maps.Values(l.tokens), byID), !l.argoDown && !l.removed
}
