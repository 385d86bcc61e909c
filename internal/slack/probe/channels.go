package probe

import (
	"context"
	"errors"
	"fmt"
	"regexp"

	"github.com/slack-go/slack"

	"github.com/argo-why/argo-why/internal/preflight"
	"github.com/argo-why/argo-why/internal/slack/shared"
)

const (
	// pageSize is the most that Slack gives at once. https://docs.slack.dev/reference/methods/conversations.list
	pageSize = 1000
	// maxPages are 20,000 channels, and 20 calls a minute is what Slack allows.
	maxPages = 20
)

var channelID = regexp.MustCompile(`^[CG][A-Z0-9]{8,}$`)

// channels looks at each channel that incidents go to.
func (p *probe) channels(ctx context.Context) []preflight.Finding {
	var found []preflight.Finding
	var names []string
	for _, channel := range p.Channels {
		if !channelID.MatchString(channel) {
			names = append(names, channel)
		}
	}
	byName, complete, err := p.list(ctx, names)
	for _, channel := range p.Channels {
		what := "slack channel " + channel
		switch at, known := byName[channel]; {
		case channelID.MatchString(channel):
			found = append(found, p.byID(ctx, channel)...)
		case known:
			found = append(found, p.judge(ctx, at)...)
		case err != nil:
			found = append(found, p.failed(what, err))
		case !complete:
			found = append(found, preflight.Finding{What: what, Problem: fmt.Sprintf("not among the first %d channels", maxPages*pageSize), Remedy: "use its ID (C…), shown at the end of the channel's details"})
		default:
			found = append(found, preflight.Finding{What: what, Problem: "the channel does not exist, or it is private and the bot is not a member", Remedy: "correct the name, or create the channel and type /invite @" + p.name + " in it"})
		}
	}
	return found
}

// list finds channels by name. Slack has no method for it, so it pages until all are found.
func (p *probe) list(ctx context.Context, names []string) (byName map[string]*slack.Channel, complete bool, err error) {
	byName = map[string]*slack.Channel{}
	ask := &slack.GetConversationsParameters{Types: []string{"public_channel", "private_channel"}, Limit: pageSize}
	for range maxPages {
		if len(byName) == len(names) {
			return byName, true, nil
		}
		page, next, err := p.client.GetConversationsContext(ctx, ask)
		if err != nil {
			return byName, false, err
		}
		for i := range page {
			for _, name := range names {
				if page[i].Name == name {
					byName[name] = &page[i]
				}
			}
		}
		if next == "" {
			return byName, true, nil
		}
		ask.Cursor = next
	}
	return byName, false, nil
}

func (p *probe) byID(ctx context.Context, id string) []preflight.Finding {
	at, err := p.client.GetConversationInfoContext(ctx, &slack.GetConversationInfoInput{ChannelID: id})
	var refused slack.SlackErrorResponse
	switch {
	case errors.As(err, &refused) && refused.Err == "channel_not_found":
		return []preflight.Finding{{
			What: "slack channel " + id, Problem: "the channel does not exist, or it is private and the bot is not a member",
			Remedy: "correct the ID, or type /invite @" + p.name + " in the channel",
		}}
	case err != nil:
		return []preflight.Finding{p.failed("slack channel "+id, err)}
	}
	return p.judge(ctx, at)
}

// judge looks at a channel, and posts in it if that is wanted and likely to work.
func (p *probe) judge(ctx context.Context, at *slack.Channel) []preflight.Finding {
	f := p.reading(at)
	if !p.Post || !f.OK() && !f.Optional {
		return []preflight.Finding{f}
	}
	return []preflight.Finding{f, p.tryPosting(ctx, at)}
}

// trial is the message that is posted.
const trial = "argo-why check: this message only tests that the bot can post here. It deletes it at once."

// tryPosting posts a message and deletes it.
func (p *probe) tryPosting(ctx context.Context, at *slack.Channel) preflight.Finding {
	what := fmt.Sprintf("slack message in #%s (%s)", at.Name, at.ID)
	_, ts, err := p.client.PostMessageContext(ctx, at.ID, slack.MsgOptionText(trial, false))
	if err != nil {
		return p.failed(what, err)
	}
	if _, _, err := p.client.DeleteMessageContext(ctx, at.ID, ts); err != nil {
		f := p.failed(what, err)
		f.Problem = "posted, but not deleted: " + f.Problem
		return f
	}
	return preflight.Finding{What: what, Detail: "posted and deleted"}
}

// reading is what there is to say about a channel.
func (p *probe) reading(at *slack.Channel) preflight.Finding {
	what := fmt.Sprintf("slack channel #%s (%s)", at.Name, at.ID)
	switch {
	case at.IsArchived:
		return preflight.Finding{What: what, Problem: "is archived", Remedy: "unarchive it, or configure another channel"}
	case !at.IsMember:
		return preflight.Finding{What: what, Problem: "the bot is not a member", Remedy: "type /invite @" + p.name + " in it"}
	}
	const remedy = "route incidents to another channel, unless this is intended"
	switch shared.Of(at) {
	case shared.External:
		return preflight.Finding{What: what, Optional: true, Problem: "it is shared with another organization, whose people can read the incidents posted here", Remedy: remedy}
	case shared.Invited:
		return preflight.Finding{What: what, Optional: true, Problem: "another organization is invited to it, whose people can read the incidents posted here once it accepts", Remedy: remedy}
	case shared.Internal:
	}
	return preflight.Finding{What: what, Detail: "the bot is a member"}
}
