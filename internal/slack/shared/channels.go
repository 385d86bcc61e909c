package shared

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/slack-go/slack"

	"github.com/argo-why/argo-why/internal/audience"
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
	known answered.Answers[info]

	// ID is that of a channel which the configuration gives by name; nil where all are given by ID.
	ID func(ctx context.Context, channel string) (string, error)
}

type info struct {
	state State
	name  string
}

// New asks nothing yet.
func New(api *slack.Client, log *slog.Logger) *Channels {
	return &Channels{api: api, log: log}
}

// State is whether another organization reads a channel. Where Slack does not say so the error does, and a former answer does not
// count: a channel can be shared at any time.
func (c *Channels) State(ctx context.Context, channel string) (State, error) {
	at, err := c.look(ctx, channel, answered.Fresh)
	return at.state, err
}

// Channel implements audience.Channels: it is for what is posted without being asked for. A former answer counts for some time there, so
// that what is known of a failure does not change because Slack does not answer for a moment, when nothing can be posted either.
func (c *Channels) Channel(ctx context.Context, channel string) (audience.Channel, error) {
	id := channel
	if c.ID != nil {
		var err error
		if id, err = c.ID(ctx, channel); err != nil {
			return audience.Channel{}, fmt.Errorf("look up channel %s: %w", channel, err)
		}
	}
	at, err := c.look(ctx, id, answered.Stale)
	return audience.Channel{ID: id, Name: at.name, Others: at.state != Internal}, err
}

func (c *Channels) look(ctx context.Context, channel string, maxAge time.Duration) (info, error) {
	at, err := c.known.Get(ctx, channel, maxAge, func(ctx context.Context) (info, error) {
		found, err := c.api.GetConversationInfoContext(ctx, &slack.GetConversationInfoInput{ChannelID: channel})
		if err != nil {
			return info{}, err
		}
		return info{Of(found), found.Name}, nil
	})
	if err != nil {
		c.log.Warn("channel not looked up", "channel", channel, "error", err)
		return info{}, fmt.Errorf("look up channel %s: %w", channel, err)
	}
	return at, nil
}
