package access

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/slack-go/slack"
)

const (
	// fresh is how long the members of a group are taken for granted: whoever joins @oncall waits that long at most, and a
	// list with a hundred applications asks Slack once (usergroups.users.list allows 20 calls a minute,
	// https://docs.slack.dev/reference/methods/usergroups.users.list).
	fresh = time.Minute
	// stale is how long an old list still counts for looking when Slack does not answer. After it nobody is a member.
	stale = 15 * time.Minute
	// groupTimeout is for asking: after it an old list counts, or nobody is a member.
	groupTimeout = 5 * time.Second
)

// Groups asks Slack who is in a user group, with the scope usergroups:read.
type Groups struct {
	api *slack.Client
	log *slog.Logger

	mu     sync.Mutex
	groups map[string]*group
}

// group is one that was asked for. Its lock is held while Slack is asked, so that several who need it ask once.
type group struct {
	mu      sync.Mutex
	members []string
	// at is when Slack said so.
	at time.Time
}

// NewGroups asks nothing yet.
func NewGroups(api *slack.Client, log *slog.Logger) *Groups {
	return &Groups{api: api, log: log, groups: map[string]*group{}}
}

// Members are the IDs of the users in a group. Where Slack does not answer, what it said a while ago still counts: to look
// is no danger.
func (g *Groups) Members(ctx context.Context, id string) ([]string, error) {
	return g.members(ctx, id, stale)
}

// Fresh answers for actions: whoever left @oncall may not act a minute later, also while Slack does not answer.
func (g *Groups) Fresh() Members { return freshGroups{g} }

type freshGroups struct{ *Groups }

// Members are the IDs of the users in a group, as Slack said within the last minute.
func (f freshGroups) Members(ctx context.Context, id string) ([]string, error) {
	return f.members(ctx, id, fresh)
}

// members takes an answer for granted while it is fresh, and while Slack fails until it is as old as maxAge.
func (g *Groups) members(ctx context.Context, id string, maxAge time.Duration) ([]string, error) {
	g.mu.Lock()
	at := g.groups[id]
	if at == nil {
		at = &group{}
		g.groups[id] = at
	}
	g.mu.Unlock()

	at.mu.Lock()
	defer at.mu.Unlock()
	if !at.at.IsZero() && time.Since(at.at) < fresh {
		return at.members, nil
	}
	ctx, cancel := context.WithTimeout(ctx, groupTimeout)
	defer cancel()
	members, err := g.api.GetUserGroupMembersContext(ctx, id)
	if err == nil {
		at.members, at.at = members, time.Now()
		return members, nil
	}
	g.log.Warn("members of a user group not read", "group", id, "error", err)
	if !at.at.IsZero() && time.Since(at.at) < maxAge {
		return at.members, nil
	}
	return nil, fmt.Errorf("read the members of user group %s: %w", id, err)
}
