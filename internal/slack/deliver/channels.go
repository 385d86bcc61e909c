package deliver

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/slack-go/slack"

	"github.com/argo-why/argo-why/internal/incident"
)

// channelID is the form of an ID: public and private channels, direct messages.
var channelID = regexp.MustCompile(`^[CGD][A-Z0-9]{6,}$`)

// relist is how long a name that was not found is not looked for again: listing a big workspace takes many calls.
const relist = time.Minute

// names knows the IDs of channels by name.
type names struct {
	// listing is held by whoever asks for all channels.
	listing chan struct{}
	mu      sync.Mutex
	ids     map[string]string
	listed  time.Time
	// former are the IDs of channels that had a name once.
	former map[string]string
}

// were takes in what channels were called when something was posted in them.
func (n *names) were(former map[string]string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.former == nil {
		n.former = map[string]string{}
	}
	for name, id := range former { // of one leader of several
		n.former[strings.TrimPrefix(name, "#")] = id
	}
}

// renamed is the ID of a channel that had a name when something was posted in it; "" if there is none.
func (n *names) renamed(channel string) string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.former[strings.TrimPrefix(channel, "#")]
}

// known is the ID of a channel, as far as it was looked for already; "" where it was not found.
func (s *Sender) known(channel string) string {
	if channelID.MatchString(channel) {
		return channel
	}
	s.names.mu.Lock()
	defer s.names.mu.Unlock()
	return s.names.ids[strings.TrimPrefix(channel, "#")]
}

// stale reports whether it is worth asking for all channels.
func (n *names) stale() bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.listed.IsZero() || time.Since(n.listed) > relist
}

func (n *names) are(ids map[string]string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for name, id := range n.ids { // it may have been renamed while we run
		if ids[name] == "" {
			if n.former == nil {
				n.former = map[string]string{}
			}
			n.former[name] = id
		}
	}
	n.ids, n.listed = ids, time.Now()
}

// ChannelID is the ID of a channel that is given by name or ID, for who asks what Slack knows of it.
func (s *Sender) ChannelID(ctx context.Context, channel string) (string, error) {
	return caller{Sender: s, client: s.client}.resolve(ctx, channel)
}

// resolve finds the ID of a channel that is given by name or ID.
func (c caller) resolve(ctx context.Context, channel string) (string, error) {
	if id := c.known(channel); id != "" {
		return id, nil
	}
	if err := c.list(ctx); err != nil {
		return "", c.counted(err)
	}
	if id := c.known(channel); id != "" {
		return id, nil
	}
	if id := c.names.renamed(channel); id != "" {
		c.log.WarnContext(ctx, "no channel has the name in the configuration any more, posting where it was: correct the name", "channel", channel, "id", id)
		return id, nil
	}
	return "", c.counted(&incident.NotifyError{
		Code: "channel_not_found", Permanent: true, Certain: true, Remedy: remedy("channel_not_found"),
		Err: fmt.Errorf("%s: the bot cannot see a channel named %q", list, channel),
	})
}

// list asks for all channels, if that is worth it. An archived one is among them, so that the error says that it is archived. Without
// its ID nothing can be told in a channel, so that everybody waits here.
func (s *Sender) list(ctx context.Context) error {
	select {
	case s.names.listing <- struct{}{}:
		defer func() { <-s.names.listing }()
	case <-ctx.Done():
		return giveUp(list, 0, ctx.Err())
	}
	if !s.names.stale() {
		return nil
	}
	ids := map[string]string{}
	cursor := ""
	for {
		err := caller{Sender: s}.call(ctx, list, "", func(ctx context.Context) error {
			channels, next, err := s.client.GetConversationsContext(ctx, &slack.GetConversationsParameters{
				Types: []string{"public_channel", "private_channel"}, Limit: 1000, Cursor: cursor,
			})
			for _, c := range channels {
				ids[c.Name] = c.ID
			}
			cursor = next
			return err
		})
		if err != nil {
			return err
		}
		if cursor == "" {
			s.names.are(ids)
			return nil
		}
	}
}
