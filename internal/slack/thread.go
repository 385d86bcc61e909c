package slack

import (
	"cmp"
	"context"
	"errors"

	"github.com/slack-go/slack"

	"github.com/argo-why/argo-why/internal/incident"
)

const (
	// threadPage messages of a thread are asked for at a time, threadPages times at most: what was asked before that is not
	// what "why?" means.
	threadPage  = 200
	threadPages = 5
)

// askedBefore finds the application of our own last answer in the thread.
func (a *App) askedBefore(ctx context.Context, q *question) (last []incident.App, err error) {
	err = a.ourAnswers(ctx, q.channel, q.thread, func(k mark) {
		if k.app.Name != "" {
			last = []incident.App{k.app}
		}
	})
	if refused, ok := errors.AsType[slack.SlackErrorResponse](err); ok {
		// A thread that may not be read is no reason not to answer: the application can be named.
		a.Log.Warn("a thread could not be read", "channel", q.channel, "error", refused.Err)
		return nil, nil
	}
	if err != nil {
		return nil, &Trouble{What: "Slack did not let me read this thread", Remedy: "please name the application", Err: err}
	}
	return last, nil
}

// answeredBefore reports whether a question that is delivered again has its answer already: in its thread, beneath it, or
// in the channel after it. What only the person saw cannot be found, and is said again; so is all where Slack does not
// let us look.
func (a *App) answeredBefore(ctx context.Context, q *question) (found bool) {
	note := func(k mark) { found = found || k.question == q.ts }
	err := a.ourAnswers(ctx, q.channel, cmp.Or(q.thread, q.ts), note)
	if err == nil && !found && q.thread == "" {
		var after *slack.GetConversationHistoryResponse
		after, err = a.api.GetConversationHistoryContext(ctx, &slack.GetConversationHistoryParameters{ChannelID: q.channel, Oldest: q.ts, Limit: threadPage})
		if err == nil {
			for _, m := range after.Messages {
				if k, ok := a.ours(m); ok {
					note(k)
				}
			}
		}
	}
	if err != nil {
		a.Log.Warn("a question was delivered again, and an earlier answer could not be looked for", "question", q.id, "error", err)
	}
	return found
}

// ourAnswers goes through the answers in a thread, the oldest first.
func (a *App) ourAnswers(ctx context.Context, channel, thread string, each func(mark)) error {
	from := &slack.GetConversationRepliesParameters{ChannelID: channel, Timestamp: thread, Limit: threadPage}
	for range threadPages {
		messages, more, next, err := a.api.GetConversationRepliesContext(ctx, from)
		if err != nil {
			return err
		}
		for _, m := range messages {
			if k, ok := a.ours(m); ok {
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
func (a *App) ours(m slack.Message) (mark, bool) {
	if m.User != a.self.user {
		return mark{}, false
	}
	return markOf(m)
}
