package request

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"time"

	"github.com/slack-go/slack"

	"github.com/argo-why/argo-why/internal/slack/command"
	"github.com/argo-why/argo-why/internal/slack/render"
)

// Sender posts to Slack: paced, and safe to try again. Errors that Slack gave are *incident.NotifyError. It is
// *deliver.Sender, which has to be closed after the bot was stopped and not before.
type Sender interface {
	// Answer posts messages into a channel (by ID), all into the thread if there is one, else into that of the first. It
	// returns the ts of the first. Those with nothing in them are left out.
	Answer(ctx context.Context, channel, threadTS string, messages ...render.Message) (ts string, err error)
	// Ephemeral shows a message to one member of a channel.
	Ephemeral(ctx context.Context, channel, threadTS, user string, m render.Message) error
}

// Replier says something to the person who asked and nobody else.
type Replier struct {
	API    *slack.Client
	HTTP   *http.Client
	Sender Sender
	Log    *slog.Logger
}

// Privately shows a message to the person who asks and nobody else, in the best way that there is.
func (r *Replier) Privately(ctx context.Context, q *Request, m render.Message) error {
	if q.Way == command.Direct {
		_, err := r.Sender.Answer(ctx, q.Channel, q.Thread, m)
		return err
	}
	if q.RespondTo != "" {
		err := r.Respond(ctx, q.RespondTo, q.RespondIn, m)
		if err == nil {
			return nil
		}
		r.Log.Warn("response URL failed, trying another way", "question", q.ID, "error", err)
	}
	err := r.Sender.Ephemeral(ctx, q.Channel, q.Thread, q.User, m)
	if err == nil {
		return nil
	}
	im, _, _, failed := r.API.OpenConversationContext(ctx, &slack.OpenConversationParameters{Users: []string{q.User}})
	if failed != nil {
		return errors.Join(err, fmt.Errorf("open a direct message: %w", failed))
	}
	_, err = r.Sender.Answer(ctx, im.ID, "", m)
	return err
}

// Respond posts to a response URL, for one person.
func (r *Replier) Respond(ctx context.Context, address, thread string, m render.Message) error {
	return r.post(ctx, address, m, &slack.WebhookMessage{ResponseType: slack.ResponseTypeEphemeral, ThreadTimestamp: thread})
}

// Replace puts a message in the place of the one that was clicked. thread is that of a message that only one person sees, "" for
// none. Each click has a response URL of its own, so that a message can be replaced as often as somebody clicks.
func (r *Replier) Replace(ctx context.Context, address, thread string, m render.Message) error {
	return r.post(ctx, address, m, &slack.WebhookMessage{ReplaceOriginal: true, ThreadTimestamp: thread})
}

// respondTimeout is for one post to a response URL. It is short, so that the other ways to the person are left within the time for
// telling them.
const respondTimeout = tellTimeout / 2

// post posts to a response URL.
func (r *Replier) post(ctx context.Context, address string, m render.Message, post *slack.WebhookMessage) error {
	post.Text = m.Text
	if len(m.Blocks) > 0 {
		post.Blocks = &slack.Blocks{BlockSet: m.Blocks}
	}
	err := Retry(ctx, func() error {
		ctx, cancel := context.WithTimeout(ctx, respondTimeout)
		defer cancel()
		return slack.PostWebhookCustomHTTPContext(ctx, address, r.HTTP, post)
	})
	if err != nil {
		return fmt.Errorf("post to the response URL: %w", withoutAddress(err))
	}
	return nil
}

// Retry makes a call, and makes it twice more while Slack is busy. That Slack did not answer at all does not count: the call may
// have had its effect.
func Retry(ctx context.Context, call func() error) error {
	for attempt := 1; ; attempt++ {
		err := call()
		if err == nil {
			return nil
		}
		wait, again := retryable(err)
		if !again || attempt == 3 {
			return err
		}
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return ctx.Err()
		}
	}
}

// retryable reports whether Slack was busy, and until when.
func retryable(err error) (after time.Duration, ok bool) {
	if limited, ok := errors.AsType[*slack.RateLimitedError](err); ok {
		return limited.RetryAfter, true
	}
	status, ok := errors.AsType[slack.StatusCodeError](err)
	return time.Second, ok && status.Code >= 500
}

// withoutAddress takes a response URL out of an error: whoever reads it in a log can post with it.
func withoutAddress(err error) error {
	if failed, ok := errors.AsType[*url.Error](err); ok {
		return failed.Err
	}
	return err
}

// Acknowledged is the payload of an acknowledgement that only the person who gave the command sees.
// https://docs.slack.dev/interactivity/implementing-slash-commands#responding_to_commands
func Acknowledged(m *render.Message) any {
	return map[string]any{"response_type": slack.ResponseTypeEphemeral, "text": m.Text, "blocks": m.Blocks}
}
