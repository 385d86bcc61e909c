package deliver

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/slack-go/slack"
)

// eventType is the kind of our metadata (https://docs.slack.dev/messaging/message-metadata).
const eventType = "argo_why"

// early is how much before the moment we know of a message may have been posted: the clock that was asked then may have been that of
// another machine.
const early = 15 * time.Minute

// page is how many messages Slack recommends to ask for at a time.
const page = 200

func (m mark) metadata() slack.SlackMetadata {
	return slack.SlackMetadata{EventType: eventType, EventPayload: map[string]any{"incident": m.incident, "seq": m.number}}
}

// self is who we are, asked once.
type self struct {
	mu          sync.Mutex
	user, botID string
	// ahead is by how much Slack's clock is ahead of ours. Messages are stamped by it, so that it counts where we look for them.
	ahead time.Duration
}

func (s *self) known() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.user != ""
}

// are takes in what Slack said about us.
func (s *self) are(answer *slack.AuthTestResponse, now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.user, s.botID = answer.UserID, answer.BotID
	if there, err := http.ParseTime(answer.Header.Get("Date")); err == nil {
		s.ahead = there.Sub(now)
	}
}

// atSlack is a moment of ours by Slack's clock.
func (s *self) atSlack(t time.Time) time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return t.Add(s.ahead)
}

// posted reports whether a message is from us.
func (s *self) posted(msg slack.Message) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return msg.User == s.user || msg.BotID != "" && msg.BotID == s.botID
}

// find looks for messages of an incident, by number: in the thread, or where there is none in the channel itself.
func (c caller) find(ctx context.Context, in place, m mark) (map[int]string, error) {
	found := map[int]string{}
	err := c.each(ctx, in, m, func(msg slack.Message, at mark) error {
		if at.incident != m.incident {
			return nil
		}
		if ts, twice := found[at.number]; !twice || msg.Timestamp < ts {
			found[at.number] = msg.Timestamp
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	c.metrics.found.Add(float64(len(found)))
	return found, nil
}

// each hands out our messages in a thread, or in a channel from the moment of the mark on. It ends with the first error.
func (c caller) each(ctx context.Context, in place, m mark, do func(slack.Message, mark) error) error {
	if err := c.whoAmI(ctx); err != nil {
		return err
	}
	by, cursor := c, ""
	for {
		messages, next, err := by.page(ctx, in, m, cursor)
		if err != nil {
			return c.counted(err)
		}
		by = c.patient() // a search that has begun is finished
		for _, msg := range messages {
			if at, ours := c.markOf(msg); ours {
				if err := do(msg, at); err != nil {
					return err
				}
			}
		}
		if cursor = next; cursor == "" {
			return nil
		}
	}
}

func (c caller) page(ctx context.Context, in place, m mark, cursor string) (messages []slack.Message, next string, err error) {
	oldest := fmt.Sprintf("%d.000000", max(0, c.self.atSlack(m.since).Add(-early).Unix()))
	if in.thread != "" {
		err = c.call(ctx, replies, "", func(ctx context.Context) error {
			var more bool
			var failed error
			messages, more, next, failed = c.client.GetConversationRepliesContext(ctx, &slack.GetConversationRepliesParameters{
				ChannelID: in.channel, Timestamp: in.thread, Cursor: cursor, Limit: page, IncludeAllMetadata: true,
			})
			if !more {
				next = ""
			}
			return failed
		})
		return messages, next, err
	}
	err = c.call(ctx, history, "", func(ctx context.Context) error {
		answer, failed := c.client.GetConversationHistoryContext(ctx, &slack.GetConversationHistoryParameters{
			ChannelID: in.channel, Oldest: oldest, Cursor: cursor, Limit: page, IncludeAllMetadata: true,
		})
		if failed != nil {
			return failed
		}
		if messages, next = answer.Messages, ""; answer.HasMore {
			next = answer.ResponseMetaData.NextCursor
		}
		return nil
	})
	return messages, next, err
}

// markOf is the mark of a message that we posted. Anybody may post metadata that looks like ours.
func (s *Sender) markOf(msg slack.Message) (m mark, ours bool) {
	if !s.self.posted(msg) || msg.Metadata.EventType != eventType {
		return mark{}, false
	}
	payload := msg.Metadata.EventPayload
	id, named := payload["incident"].(string)
	seq, numbered := payload["seq"].(float64)
	return mark{incident: id, number: int(seq)}, named && numbered
}

// whoAmI finds out who we are, and what time it is at Slack.
func (c caller) whoAmI(ctx context.Context) error {
	if c.self.known() {
		return nil
	}
	return c.counted(c.call(ctx, authTest, "", func(ctx context.Context) error {
		answer, err := c.client.AuthTestContext(ctx)
		if err != nil {
			return err
		}
		if c.team != "" && c.team != answer.TeamID && c.team != answer.EnterpriseID {
			return &wrongTeamError{configured: c.team, team: answer.TeamID, name: answer.Team}
		}
		c.self.are(answer, time.Now())
		return nil
	}))
}

// wrongTeamError is a token of another workspace than the configured one.
type wrongTeamError struct{ configured, team, name string }

func (e *wrongTeamError) Error() string {
	return fmt.Sprintf("the bot token belongs to workspace %s (%s), but %s is configured", e.team, e.name, e.configured)
}
