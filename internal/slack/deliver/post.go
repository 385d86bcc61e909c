package deliver

import (
	"context"
	"errors"
	"time"

	"github.com/slack-go/slack"

	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/slack/render"
)

// attempts of a post whose outcome is not known, each after a search that did not find it.
const (
	attempts = 3
	// settle is how long after a broken call the channel is searched: the message may be on its way still.
	settle = 2 * time.Second
)

// place is where a message goes.
type place struct{ channel, thread string }

// mark is how a message is found again.
type mark struct {
	incident string
	number   int
	// since is a moment before the first attempt to post it.
	since time.Time
}

// post posts a message once, whatever happens on the way: where it is not known whether Slack took it, it looks before it
// tries again. So does the next Notify of an incident, which has others tell meanwhile.
func (c caller) post(ctx context.Context, to place, m mark, msg render.Message) (ts string, err error) {
	for n := 1; ; n++ {
		if err := c.open(m); err != nil {
			return "", err
		}
		if err := c.former.begins(ctx, m); err != nil {
			return "", err
		}
		ts, err = c.postOrPlain(ctx, to, m, msg)
		if err == nil || !unclear(err) || n == attempts || c.why != 0 {
			return ts, c.counted(c.later(m, err))
		}
		c.log.WarnContext(ctx, "unclear whether Slack accepted a message, looking for it", "channel", to.channel, "incident", m.incident, "number", m.number, "error", err)
		found, failed := c.await(ctx, to, m, err)
		if failed != nil {
			return "", err // which is unclear: the next Notify looks first
		}
		if ts, ok := found[m.number]; ok {
			return ts, nil
		}
	}
}

// postOrPlain posts a message; one that Slack cannot take is told in plain text rather than not at all.
func (c caller) postOrPlain(ctx context.Context, to place, m mark, msg render.Message) (string, error) {
	ts, err := c.postOnce(ctx, to, m, msg)
	if isFaulty(err) && msg.Blocks != nil {
		c.plainly(ctx, err)
		// If it did not wait for room, the next attempt would use it up in the same way.
		ts, err = c.patient().postOnce(ctx, to, m, render.Message{Text: msg.Text})
	}
	hopeless(err)
	return ts, err
}

func (s *Sender) plainly(ctx context.Context, err error) {
	s.metrics.plain.Inc()
	s.log.ErrorContext(ctx, "Slack rejected the blocks of a message, posting it as plain text", "error", err)
}

func (c caller) postOnce(ctx context.Context, to place, m mark, msg render.Message) (ts string, err error) {
	options := append(content(msg), slack.MsgOptionMetadata(m.metadata()))
	if to.thread != "" {
		options = append(options, slack.MsgOptionTS(to.thread))
	}
	var posted slack.Message
	err = c.call(ctx, postMessage, to.channel, func(ctx context.Context) error {
		var failed error
		_, ts, posted, failed = c.client.PostMessageWithResponseContext(ctx, to.channel, options...)
		return failed
	})
	if err == nil && to.thread != "" && posted.ThreadTimestamp == "" {
		return "", c.astray(ctx, to, ts)
	}
	return ts, err
}

// astray takes back a reply that Slack put into the channel itself, since its thread is no more.
func (c caller) astray(ctx context.Context, to place, ts string) error {
	err := c.patient().call(ctx, deleteMessage, to.channel, func(ctx context.Context) error {
		_, _, failed := c.client.DeleteMessageContext(ctx, to.channel, ts)
		return failed
	})
	if err != nil {
		c.log.WarnContext(ctx, "a reply was posted in the channel instead of the thread", "channel", to.channel, "ts", ts, "error", err)
	}
	return &incident.NotifyError{Code: "thread_not_found", Certain: true, Err: errors.New("the thread was deleted")}
}

// update changes a message to what it should show.
func (c caller) update(ctx context.Context, channel, ts string, m mark, msg render.Message) error {
	change := func(c caller, msg render.Message) error {
		return c.call(ctx, update, channel, func(ctx context.Context) error {
			_, _, _, failed := c.client.UpdateMessageContext(ctx, channel, ts, append(content(msg), slack.MsgOptionMetadata(m.metadata()))...)
			return failed
		})
	}
	err := change(c, msg)
	if isFaulty(err) && msg.Blocks != nil {
		c.plainly(ctx, err)
		err = change(c.patient(), render.Message{Text: msg.Text})
	}
	hopeless(err)
	return c.counted(err)
}

// hopeless marks the error of a message that Slack cannot take even as plain text: the same attempt fails again and again.
func hopeless(err error) {
	var e *incident.NotifyError
	if isFaulty(err) && errors.As(err, &e) {
		e.Permanent, e.Remedy = true, "this is a bug of the bot; please report it with the code"
	}
}

// content is what a message shows. Nothing in it becomes a link or a mention that was not made one, and no preview of a
// link is added: it would be larger than the message.
func content(msg render.Message) []slack.MsgOption {
	options := []slack.MsgOption{
		slack.MsgOptionText(msg.Text, false), slack.MsgOptionDisableMarkdown(), slack.MsgOptionParse(false),
		slack.MsgOptionDisableLinkUnfurl(), slack.MsgOptionDisableMediaUnfurl(),
	}
	if len(msg.Blocks) > 0 {
		options = append(options, slack.MsgOptionBlocks(msg.Blocks...))
	}
	return options
}

// counted counts an error that stays.
func (s *Sender) counted(err error) error {
	var e *incident.NotifyError
	if errors.As(err, &e) && e.Permanent {
		s.metrics.permanent.WithLabelValues(e.Code).Inc()
	}
	return err
}

// pause waits; false when ctx ended it.
func pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
