package answer

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/slack/deliver"
	"github.com/argo-why/argo-why/internal/slack/render"
	"github.com/argo-why/argo-why/internal/slack/request"
)

// poster brings answers to where they were asked for.
type poster struct{ *request.Replier }

// openly answers where it was asked. Where the bot may not post, or not everyone who reads there may see it, the person gets the answer
// alone, and is told why.
func (p poster) openly(ctx context.Context, q *query, app incident.App, root render.Message, details ...render.Message) error {
	messages := append([]render.Message{mark{app, q.TS}.on(root)}, details...)
	if q.alone != "" {
		return p.alone(ctx, q, q.alone, messages)
	}
	_, err := p.Sender.Answer(ctx, q.Channel, q.Thread, messages...)
	refused, ok := errors.AsType[*incident.NotifyError](err)
	if !ok {
		return err
	}
	why := shutOut(refused.Code, q.Channel, q.Self.Mention())
	if why == "" {
		return err
	}
	return p.alone(ctx, q, why, messages)
}

// alone shows an answer to the person who asks, and says why to them alone.
func (p poster) alone(ctx context.Context, q *query, why string, messages []render.Message) error {
	for _, m := range append(messages, *render.Text(why)) { // of five that a response URL takes
		if len(m.Blocks) == 0 {
			continue
		}
		if err := p.Privately(ctx, q.Request, m); err != nil {
			return err
		}
	}
	return nil
}

// shutOut says why the bot cannot post in a channel, and what helps; "" if the error is of another kind.
func shutOut(code, channel, call string) string {
	switch deliver.ShutOut(code) {
	case deliver.NotMember:
		if strings.HasPrefix(channel, "D") { // between two people: nobody can be invited
			return "Only you can see this, because I am not part of this conversation."
		}
		return fmt.Sprintf("Only you can see this, because I am not in this channel. Type `/invite %s` and I can answer here for everyone.", call)
	case deliver.Archived:
		return "Only you can see this, because the channel is archived."
	case deliver.Forbidden:
		return "Only you can see this, because I am not allowed to post in this channel. Its owner can allow it."
	}
	return ""
}
