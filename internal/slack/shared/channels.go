package shared

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/slack-go/slack"

	"github.com/argo-why/argo-why/internal/slack/answered"
)

// State is whether another organization reads a channel.
type State string

// The states.
const (
	Internal State = "internal"
	External State = "external"
	// Invited: another organization was invited and has not accepted yet. When it does, it reads what was posted before, too.
	Invited State = "invited"
)

// Of is the state of a channel. One that only workspaces of the same organization share is internal.
// https://docs.slack.dev/reference/objects/conversation-object
func Of(c *slack.Channel) State {
	switch {
	case c.IsExtShared, c.IsShared && !c.IsOrgShared: // shared, and not within the organization
		return External
	case c.IsPendingExtShared:
		return Invited
	}
	return Internal
}

// Channels asks Slack about channels, with the scopes channels:read and groups:read, and remembers it for a minute.
type Channels struct {
	api   *slack.Client
	log   *slog.Logger
	known answered.Answers[State]
}

// New asks nothing yet.
func New(api *slack.Client, log *slog.Logger) *Channels {
	return &Channels{api: api, log: log}
}

// State is whether another organization reads a channel. Where Slack does not say so the error does, and a former answer does not
// count: a channel can be shared at any time.
func (c *Channels) State(ctx context.Context, channel string) (State, error) {
	state, err := c.known.Get(ctx, channel, answered.Fresh, func(ctx context.Context) (State, error) {
		info, err := c.api.GetConversationInfoContext(ctx, &slack.GetConversationInfoInput{ChannelID: channel})
		if err != nil {
			return "", err
		}
		return Of(info), nil
	})
	if err != nil {
		c.log.Warn("channel not looked up", "channel", channel, "error", err)
		return "", fmt.Errorf("look up channel %s: %w", channel, err)
	}
	return state, nil
}
