package access

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/slack-go/slack"

	"github.com/argo-why/argo-why/internal/audience"
	"github.com/argo-why/argo-why/internal/slack/answered"
)

// Groups asks Slack who is in a user group, with the scope usergroups:read.
type Groups struct {
	api *slack.Client
	log *slog.Logger

	known answered.Answers[[]string]
}

// NewGroups asks nothing yet.
func NewGroups(api *slack.Client, log *slog.Logger) *Groups {
	return &Groups{api: api, log: log}
}

// Members are the IDs of the users in a group. Where Slack does not answer, what it said a while ago still counts: to look
// is no danger.
func (g *Groups) Members(ctx context.Context, id string) ([]string, error) {
	return g.members(ctx, id, answered.Stale)
}

// Fresh answers for actions: whoever left @oncall may not act a minute later, also while Slack does not answer.
func (g *Groups) Fresh() audience.Members { return freshGroups{g} }

type freshGroups struct{ *Groups }

// Members are the IDs of the users in a group, as Slack said within the last minute.
func (f freshGroups) Members(ctx context.Context, id string) ([]string, error) {
	return f.members(ctx, id, answered.Fresh)
}

func (g *Groups) members(ctx context.Context, id string, maxAge time.Duration) ([]string, error) {
	members, err := g.known.Get(ctx, id, maxAge, func(ctx context.Context) ([]string, error) {
		members, err := g.api.GetUserGroupMembersContext(ctx, id)
		if err != nil {
			g.log.Warn("members of a user group not read", "group", id, "error", err)
		}
		return members, err
	})
	if err != nil {
		return nil, fmt.Errorf("read the members of user group %s: %w", id, err)
	}
	return members, nil
}
