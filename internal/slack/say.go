package slack

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/slack-go/slack"

	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/slack/command"
	"github.com/argo-why/argo-why/internal/slack/deliver"
)

// Sender posts to Slack: paced, and safe to try again. Errors that Slack gave are *incident.NotifyError. It is
// *deliver.Sender, which has to be closed after the bot was stopped and not before.
type Sender interface {
	// Answer posts messages into a channel (by ID), all into the thread if there is one, else into that of the first. It
	// returns the ts of the first. Those with nothing in them are left out.
	Answer(ctx context.Context, channel, threadTS string, messages ...Message) (ts string, err error)
	// Ephemeral shows a message to one member of a channel.
	Ephemeral(ctx context.Context, channel, threadTS, user string, m Message) error
}

var _ Sender = (*deliver.Sender)(nil)

// openly answers where it was asked. Where the bot may not post, the person gets the answer alone, and is told why.
func (a *App) openly(ctx context.Context, q *question, app incident.App, root Message, details ...Message) error {
	messages := append([]Message{mark{app, q.ts}.on(root)}, details...)
	_, err := a.Sender.Answer(ctx, q.channel, q.thread, messages...)
	refused, ok := errors.AsType[*incident.NotifyError](err)
	if !ok {
		return err
	}
	why := shutOut(refused.Code, q.channel, a.self.call())
	if why == "" {
		return err
	}
	for _, m := range append(messages, *said(why)) { // of five that a response URL takes
		if len(m.Blocks) == 0 {
			continue
		}
		if err := a.privately(ctx, q, m); err != nil {
			return err
		}
	}
	return nil
}

// shutOut says why the bot cannot post in a channel, and what helps; "" if the error is of another kind.
// https://docs.slack.dev/reference/methods/chat.postMessage#errors
func shutOut(code, channel, call string) string {
	switch code {
	case "not_in_channel", "channel_not_found":
		if strings.HasPrefix(channel, "D") { // between two people: nobody can be invited
			return "Only you can see this, as I am not part of this conversation."
		}
		return fmt.Sprintf("Only you can see this, as I am not in this channel. `/invite %s` lets me answer here for all.", call)
	case "is_archived":
		return "Only you can see this, as the channel is archived."
	case "restricted_action", "restricted_action_read_only_channel", "restricted_action_thread_only_channel", "restricted_action_non_threadable_channel", "restricted_action_thread_locked":
		return "Only you can see this, as I may not post in this channel. Its owner can allow it."
	}
	return ""
}

// privately shows a message to the person who asks and nobody else, in the best way that there is.
func (a *App) privately(ctx context.Context, q *question, m Message) error {
	if q.way == command.Direct {
		_, err := a.Sender.Answer(ctx, q.channel, q.thread, m)
		return err
	}
	if q.respond != "" {
		thread := ""
		if q.press != nil && q.press.message != q.thread {
			thread = q.thread // beside the message that was pressed
		}
		err := a.respond(ctx, q.respond, thread, m)
		if err == nil {
			return nil
		}
		a.Log.Warn("the response URL did not work, trying without", "question", q.id, "error", err)
	}
	err := a.Sender.Ephemeral(ctx, q.channel, q.thread, q.user, m)
	if err == nil {
		return nil
	}
	im, _, _, failed := a.api.OpenConversationContext(ctx, &slack.OpenConversationParameters{Users: []string{q.user}})
	if failed != nil {
		return errors.Join(err, fmt.Errorf("open a direct message: %w", failed))
	}
	_, err = a.Sender.Answer(ctx, im.ID, "", m)
	return err
}

// respond posts to a response URL, for one person.
func (a *App) respond(ctx context.Context, address, thread string, m Message) error {
	return a.post(ctx, address, m, &slack.WebhookMessage{ResponseType: slack.ResponseTypeEphemeral, ThreadTimestamp: thread})
}

// replace puts a message in the place of the one that was clicked.
func (a *App) replace(ctx context.Context, address string, m Message) error {
	return a.post(ctx, address, m, &slack.WebhookMessage{ReplaceOriginal: true})
}

// post posts to a response URL.
func (a *App) post(ctx context.Context, address string, m Message, post *slack.WebhookMessage) error {
	post.Text = m.Text
	if len(m.Blocks) > 0 {
		post.Blocks = &slack.Blocks{BlockSet: m.Blocks}
	}
	for attempt := 1; ; attempt++ {
		err := slack.PostWebhookCustomHTTPContext(ctx, address, a.HTTP, post)
		if err == nil {
			return nil
		}
		wait, again := retryable(err)
		if !again || attempt == 3 {
			return fmt.Errorf("post to the response URL: %w", withoutAddress(err))
		}
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return fmt.Errorf("post to the response URL: %w", ctx.Err())
		}
	}
}

// retryable: Slack was busy. That it did not answer at all does not count: the message may be there.
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
