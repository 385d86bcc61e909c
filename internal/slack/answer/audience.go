package answer

import (
	"context"
	"fmt"

	"github.com/argo-why/argo-why/internal/slack/apps"
	"github.com/argo-why/argo-why/internal/slack/shared"
)

// What is said with an answer that only the person who asks gets, although they asked in a channel.
const (
	onlyYou    = "Only you can see this: you have access to the application, but not everyone in this channel does."
	onlyInside = "Only you can see this: people from other organizations read this channel, or are invited to it."
)

// onlyPerhaps is for a channel that Slack says nothing about, such as a private one that the bot is not in.
func onlyPerhaps(call string) string {
	return fmt.Sprintf("Only you can see this: Slack did not say whether people from other organizations read this channel. If I am not in it, type `/invite %s`.", call)
}

// readers know who else reads an answer.
type readers struct{ channels *shared.Channels }

// alone says why an answer about what the person sees is for them alone, "" if it is for everyone in the channel. Slack is asked about
// the channel only where its answer matters.
func (a readers) alone(ctx context.Context, q *query, s apps.Sight) string {
	switch {
	case q.direct() || s.Published:
		return ""
	case s.Personal:
		return onlyYou
	}
	state, err := a.channels.State(ctx, q.Channel)
	switch {
	case err != nil: // the others must not read it by mistake
		return onlyPerhaps(q.Self.Mention())
	case s.Aloud(func() bool { return state != shared.Internal }):
		return ""
	}
	return onlyInside
}
