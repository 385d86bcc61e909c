package act

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/slack-go/slack"
)

const (
	// standingFresh is how long an answer about one person in one channel is taken for granted.
	standingFresh = time.Minute
	// membersPage is below 1000, membersPages bounds a look into the largest channels: whoever is not found in it may not act.
	// https://docs.slack.dev/reference/methods/conversations.members
	membersPage, membersPages = 999, 25
	// membersTimeout is for such a look: after that the person reads that Slack did not answer, and can click again.
	membersTimeout = 15 * time.Second
	// maxStandings bounds the memory.
	maxStandings = 10_000
)

// members knows who is in which channel: what a person cannot see, a person cannot have clicked.
type members struct {
	api *slack.Client

	mu    sync.Mutex
	known map[[2]string]standing
}

// standing is what Slack said of a person in a channel.
type standing struct {
	in bool
	at time.Time
}

func newMembers(api *slack.Client) *members {
	return &members{api: api, known: map[[2]string]standing{}}
}

// in reports whether the person is in the channel. Where Slack does not say so the error does, and it is no yes.
func (m *members) in(ctx context.Context, channel, user string) (bool, error) {
	at := [2]string{channel, user}
	m.mu.Lock()
	s, ok := m.known[at]
	m.mu.Unlock()
	if ok && time.Since(s.at) < standingFresh {
		return s.in, nil
	}
	in, err := m.ask(ctx, channel, user)
	if err != nil {
		return false, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.known) >= maxStandings {
		clear(m.known)
	}
	m.known[at] = standing{in, time.Now()}
	return in, nil
}

func (m *members) ask(ctx context.Context, channel, user string) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, membersTimeout)
	defer cancel()
	if strings.HasPrefix(channel, "D") {
		// The conversation of that person with the bot, and no other: asking for it needs no right to read any.
		im, _, _, err := m.api.OpenConversationContext(ctx, &slack.OpenConversationParameters{Users: []string{user}})
		if err != nil {
			return false, fmt.Errorf("find the direct messages with %s: %w", user, err)
		}
		return im.ID == channel, nil
	}
	from := &slack.GetUsersInConversationParameters{ChannelID: channel, Limit: membersPage}
	for range membersPages {
		page, next, err := m.api.GetUsersInConversationContext(ctx, from)
		if err != nil {
			return false, fmt.Errorf("read the members of channel %s: %w", channel, err)
		}
		if slices.Contains(page, user) {
			return true, nil
		}
		if next == "" {
			return false, nil
		}
		from.Cursor = next
	}
	return false, fmt.Errorf("read the members of channel %s: more than %d members", channel, membersPage*membersPages)
}
