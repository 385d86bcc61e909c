package deliver

import (
	"context"
	"crypto/rand"
	"time"

	"github.com/slack-go/slack"

	"github.com/argo-why/argo-why/internal/slack/render"
)

// Answer posts the answer to a request: the first message into the channel, or into a thread of it, and the others into
// the same thread, or that of the first. It returns the ts of the first. A message with nothing in it is left out. The
// error is a *incident.NotifyError, which says what to do about it.
func (s *Sender) Answer(ctx context.Context, channel, threadTS string, messages ...render.Message) (ts string, err error) {
	ctx, leave, err := s.enter(ctx)
	if err != nil {
		return "", err
	}
	defer leave()
	by := caller{Sender: s, client: s.client}
	id, err := by.resolve(ctx, channel)
	if err != nil {
		return "", err
	}
	m := mark{incident: "answer-" + rand.Text(), since: time.Now()}
	to := place{channel: id, thread: threadTS}
	for _, msg := range messages {
		if msg.Text == "" && len(msg.Blocks) == 0 {
			continue
		}
		posted, err := by.post(ctx, to, m, msg)
		if err != nil {
			return ts, err
		}
		if ts == "" {
			ts = posted
		}
		if to.thread == "" {
			to.thread = posted
		}
		m.number++
	}
	return ts, nil
}

// Ephemeral shows a message to one person, in a channel or a thread of it. Slack does not keep such messages, so nobody can
// tell whether one arrived: it is sent once.
func (s *Sender) Ephemeral(ctx context.Context, channel, threadTS, user string, msg render.Message) error {
	ctx, leave, err := s.enter(ctx)
	if err != nil {
		return err
	}
	defer leave()
	options := content(msg)
	if threadTS != "" {
		options = append(options, slack.MsgOptionTS(threadTS))
	}
	return s.counted(caller{Sender: s}.call(ctx, postEphemeral, "", func(ctx context.Context) error {
		_, failed := s.client.PostEphemeralContext(ctx, channel, user, options...)
		return failed
	}))
}
