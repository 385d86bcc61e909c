package slack

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"time"

	"github.com/slack-go/slack"

	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/slack/command"
)

// Sender posts to Slack: paced, and safe to try again.
type Sender interface {
	// Answer posts a root message and what belongs beneath it. Errors that Slack gave are *incident.TellError.
	Answer(ctx context.Context, a Answer) (incident.Thread, error)
	// Ephemeral shows a message to one member of a channel.
	Ephemeral(ctx context.Context, channel, user, thread string, m Message) error
}

// Answer is what a person asked for.
type Answer struct {
	// Channel is an ID: of a channel, or of a person for a direct message. Thread is "" for a new root message.
	Channel, Thread string
	Root            Message
	Details         []Message
	// App is kept with the root message, so that it can be left out in its thread; zero for none.
	App incident.App
}

// openly answers where it was asked. Where the bot may not post, the person gets the answer alone, and is told why.
func (a *App) openly(ctx context.Context, q *question, answer Answer) error {
	answer.Channel, answer.Thread = q.channel, q.thread
	_, err := a.Sender.Answer(ctx, answer)
	refused, ok := errors.AsType[*incident.TellError](err)
	if !ok || !refused.Permanent {
		return err
	}
	why := shutOut(refused.Code, a.self.call())
	if why == "" {
		return err
	}
	if err := a.privately(ctx, q, answer.Root); err != nil {
		return err
	}
	return a.privately(ctx, q, *said(why))
}

// shutOut says why the bot cannot post in a channel, and what helps; "" if the error is of another kind.
// https://docs.slack.dev/reference/methods/chat.postMessage#errors
func shutOut(code, call string) string {
	switch code {
	case "not_in_channel", "channel_not_found":
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
		_, err := a.Sender.Answer(ctx, Answer{Channel: q.channel, Thread: q.thread, Root: m})
		return err
	}
	if q.respond != "" {
		err := a.respond(ctx, q.respond, m, false)
		if err == nil {
			return nil
		}
		a.Log.Warn("the response URL did not work, trying without", "question", q.id, "error", err)
	}
	if a.Sender.Ephemeral(ctx, q.channel, q.user, q.thread, m) == nil {
		return nil
	}
	_, err := a.Sender.Answer(ctx, Answer{Channel: q.user, Root: m})
	return err
}

// respond posts to a response URL: for one person; replace puts it in the place of the message that was clicked.
func (a *App) respond(ctx context.Context, address string, m Message, replace bool) error {
	post := &slack.WebhookMessage{ResponseType: slack.ResponseTypeEphemeral, ReplaceOriginal: replace, Text: m.Text}
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
