package answer

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/slack-go/slack"

	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/slack/request"
	"github.com/argo-why/argo-why/internal/slack/socket"
)

const (
	// threadPage messages of a thread are asked for at a time, threadPages times at most: what was asked before that is not
	// what "why?" means.
	threadPage  = 200
	threadPages = 5
	// threadTimeout is for looking through a thread: without it the person is asked to name the application, or is answered again.
	threadTimeout = 20 * time.Second
)

// threads finds our own answers in the threads of Slack.
type threads struct {
	api *slack.Client
	log *slog.Logger
}

// askedBefore finds the application of our own last answer in the thread.
func (t threads) askedBefore(ctx context.Context, q *query) (last []incident.App, err error) {
	ctx, cancel := context.WithTimeout(ctx, threadTimeout)
	defer cancel()
	err = t.ourAnswers(ctx, q.Request, q.Thread, func(k mark) {
		if k.app.Name != "" {
			last = []incident.App{k.app}
		}
	})
	if refused, ok := errors.AsType[slack.SlackErrorResponse](err); ok {
		// A thread that may not be read is no reason not to answer: the application can be named.
		t.log.Warn("thread not read", "channel", q.Channel, "error", refused.Err)
		return nil, nil
	}
	if err != nil {
		return nil, &request.Error{What: "Slack did not let me read this thread", Remedy: "name the application", Err: err}
	}
	return last, nil
}

// answeredBefore reports whether a query that is delivered again has its answer already: in its thread, beneath it, or
// in the channel after it. What only the person saw cannot be found, and is said again; so is all where Slack does not
// let us look.
func (t threads) answeredBefore(ctx context.Context, q *query) (found bool) {
	ctx, cancel := context.WithTimeout(ctx, threadTimeout)
	defer cancel()
	note := func(k mark) { found = found || k.asked == q.TS }
	err := t.ourAnswers(ctx, q.Request, cmp.Or(q.Thread, q.TS), note)
	if err == nil && !found && q.Thread == "" {
		var after *slack.GetConversationHistoryResponse
		after, err = t.api.GetConversationHistoryContext(ctx, &slack.GetConversationHistoryParameters{ChannelID: q.Channel, Oldest: q.TS, Limit: threadPage})
		if err == nil {
			for _, m := range after.Messages {
				if k, ok := ours(m, q.Self); ok {
					note(k)
				}
			}
		}
	}
	if err != nil {
		t.log.Warn("question delivered again, could not look for an earlier answer", "question", q.ID, "error", err)
	}
	return found
}

// ourAnswers goes through the answers in a thread, the oldest first.
func (t threads) ourAnswers(ctx context.Context, q *request.Request, thread string, each func(mark)) error {
	from := &slack.GetConversationRepliesParameters{ChannelID: q.Channel, Timestamp: thread, Limit: threadPage}
	for range threadPages {
		messages, more, next, err := t.api.GetConversationRepliesContext(ctx, from)
		if err != nil {
			return err
		}
		for _, m := range messages {
			if k, ok := ours(m, q.Self); ok {
				each(k)
			}
		}
		if !more || next == "" {
			return nil
		}
		from.Cursor = next
	}
	return nil
}

// ours is the mark of an answer of our own: anybody may post what looks like one.
func ours(m slack.Message, self socket.Identity) (mark, bool) {
	if m.User != self.User {
		return mark{}, false
	}
	return markOf(m)
}
