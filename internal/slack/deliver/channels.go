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
	mu     sync.Mutex
	ids    map[string]string
	listed time.Time
}

// resolve finds the ID of a channel that is given by name or ID.
func (s *Sender) resolve(ctx context.Context, channel string) (string, error) {
	if channelID.MatchString(channel) {
		return channel, nil
	}
	name := strings.TrimPrefix(channel, "#")
	s.names.mu.Lock()
	defer s.names.mu.Unlock()
	if id, ok := s.names.ids[name]; ok {
		return id, nil
	}
	if s.names.listed.IsZero() || time.Since(s.names.listed) > relist {
		if err := s.list(ctx); err != nil {
			return "", s.counted(err)
		}
	}
	if id, ok := s.names.ids[name]; ok {
		return id, nil
	}
	return "", s.counted(&incident.NotifyError{
		Code: "channel_not_found", Permanent: true, Certain: true, Remedy: remedies["channel_not_found"],
		Err: fmt.Errorf("%s: the bot cannot see a channel named %q", list, channel),
	})
}

// list asks for all channels. An archived one is among them, so that the error says that it is archived.
func (s *Sender) list(ctx context.Context) error {
	ids := map[string]string{}
	cursor := ""
	for {
		err := s.call(ctx, list, "", func(ctx context.Context) error {
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
			s.names.ids, s.names.listed = ids, time.Now()
			return nil
		}
	}
}
