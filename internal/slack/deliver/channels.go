package deliver

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
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
	// former are the IDs of the channels that names stood for when the bot posted or looked first. A name keeps its channel: anybody may rename
	// one, and make another one of the old name.
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

// known is the ID of a channel, as far as it was looked for already; "" where it was not found.
func (s *Sender) known(channel string) string {
	if channelID.MatchString(channel) {
		return channel
	}
	s.names.mu.Lock()
	defer s.names.mu.Unlock()
	if s.names.listed.IsZero() {
		return ""
	}
	name := strings.TrimPrefix(channel, "#")
	return cmp.Or(s.names.former[name], s.names.ids[name])
}

// stale reports whether it is worth asking for all channels.
func (n *names) stale() bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.listed.IsZero() || time.Since(n.listed) > relist
}

// are takes in what channels are called now, and returns the names that stand for another channel than before, or for none.
func (n *names) are(ids map[string]string) (moved []string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.former == nil {
		n.former = map[string]string{}
	}
	for name, id := range n.ids { // it may have been renamed while we run
		if ids[name] != id && n.former[name] == "" {
			n.former[name] = id
		}
	}
	for name, id := range n.former {
		if ids[name] != id {
			moved = append(moved, name)
		}
	}
	slices.Sort(moved)
	n.ids, n.listed = ids, time.Now()
	return moved
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
			for _, name := range s.names.are(ids) {
				s.log.WarnContext(ctx, "the channel of this name is another one now, or none; the bot stays in the one that it was in: set its ID in the configuration", "channel", name, "id", s.known(name))
			}
			return nil
		}
	}
}
