package answer

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/slack-go/slack"
	"github.com/slack-go/slack/slackevents"

	"github.com/argo-why/argo-why/internal/audience"
	"github.com/argo-why/argo-why/internal/slack/command"
	"github.com/argo-why/argo-why/internal/slack/render"
	"github.com/argo-why/argo-why/internal/slack/request"
	"github.com/argo-why/argo-why/internal/slack/socket"
)

// query is a request in words, understood.
type query struct {
	*request.Request
	command command.Command
	// reply is all that there is to say, where no command was understood.
	reply string
	// claim is the workspace or organization that the payload says the person is of, "" where it says nothing. foreign: it is
	// another one than ours for sure, and reply says so.
	claim   string
	foreign bool
	// alone is why the answer is for the person and not for those who read the channel, "" if it is for all.
	alone string
	// again: Slack delivers it again, as an earlier acknowledgement did not arrive.
	again bool
	// chosen: the message at RespondTo is a menu, which has served.
	chosen bool
	// view is the page of a list that a button leads to; nil for a list that was asked for in words. turning: it is shown in the
	// place of the message at RespondTo.
	view    *view
	turning bool
}

// direct reports whether it was asked where nobody else reads.
func (q *query) direct() bool { return q.Way == command.Direct || strings.HasPrefix(q.Channel, "D") }

// audience is who reads the answer.
func (q *query) audience(ctx context.Context, places *audience.Places) audience.Audience {
	if q.direct() || q.alone != "" {
		return places.Person(ctx, q.User, q.Channel)
	}
	return places.Answer(ctx, q.User, q.Channel)
}

// reading is an envelope on its way to be understood.
type reading struct {
	kind string
	keys []string
	// home: it comes from our workspace. guest: the person does not, as the payload says, in a channel that is shared with others.
	home, guest bool
	// claim is where the payload says that the person comes from.
	claim string
	// query is what is to be answered; nil for nothing.
	query *query
}

// envelope is what is to be done about it. To those who do not belong here it is said that they do not, where that can be done
// without asking anybody.
func (a *Answerer) envelope(r reading) socket.Envelope {
	e := socket.Envelope{Kind: r.kind, Keys: r.keys, Foreign: !r.home}
	q := r.query
	if q == nil || !r.home {
		return e
	}
	q.claim = r.claim
	if r.guest {
		e.Foreign, q.foreign, q.reply, q.chosen = true, true, request.MembersOnly, false
	}
	e.Work = func(ctx context.Context) { a.handle(ctx, q) }
	return e
}

// Slash reads a slash command.
func (a *Answerer) Slash(c slack.SlashCommand, self socket.Identity) socket.Envelope {
	r := reading{kind: "slash", keys: []string{"trigger " + c.TriggerID}, home: a.team.Home(c.TeamID, c.EnterpriseID)}
	parsed := command.Parse(command.Message{Way: command.Slash, Text: c.Text, Call: c.Command})
	var reply *render.Message
	switch {
	case parsed.Command == nil:
		reply = render.Text(parsed.Reply)
	case parsed.Command.Verb == command.Help:
		reply = a.help(c.Command)
	default:
		reply = lookingAt(parsed.Command)
		r.query = &query{Request: request.New(request.Request{
			Way: command.Slash, User: c.UserID, Name: c.UserName, Channel: c.ChannelID, RespondTo: c.ResponseURL, Call: c.Command, Self: self,
		}), command: *parsed.Command}
	}
	e := a.envelope(r)
	e.Payload = func(o socket.Outcome) any {
		switch o {
		case socket.Duplicate: // it was said the first time
			return nil
		case socket.Busy:
			return request.Acknowledged(render.Text(request.TooBusy("ask")))
		case socket.Foreign:
			return request.Acknowledged(render.Text(request.MembersOnly))
		case socket.Taken, socket.Replied, socket.Ignored:
		}
		return request.Acknowledged(reply)
	}
	return e
}

// askingSubtypes are those of messages that a person writes: with a picture, or from a thread into the channel as well.
var askingSubtypes = []string{"", slack.MsgSubTypeFileShare, slack.MsgSubTypeThreadBroadcast}

// Event reads an event: a mention, a direct message. again says that Slack delivers it again.
func (a *Answerer) Event(e slackevents.EventsAPIEvent, again bool, self socket.Identity) socket.Envelope {
	return a.envelope(a.readEvent(e, again, self))
}

func (a *Answerer) readEvent(e slackevents.EventsAPIEvent, again bool, self socket.Identity) reading {
	r := reading{kind: "event " + e.InnerEvent.Type, home: a.team.Home(e.TeamID, e.EnterpriseID)}
	enterprise := e.EnterpriseID
	if c, ok := e.Data.(*slackevents.EventsAPICallbackEvent); ok {
		r.keys = append(r.keys, "event "+c.EventID)
		// Of an organization only these name it. In a channel that another organization shares, team_id may be theirs.
		for _, to := range c.Authorizations {
			r.home = r.home || a.team.Home(to.TeamID, to.EnterpriseID)
			enterprise = cmp.Or(enterprise, to.EnterpriseID)
		}
	}
	by := request.Request{Self: self}
	var m command.Message
	switch event := e.InnerEvent.Data.(type) {
	case *slackevents.AppMentionEvent:
		if event.BotID != "" || event.User == "" || event.Edited != nil {
			return r // another bot; our own message; what was asked was answered before the edit
		}
		r.claim = event.UserTeam
		by.Way, by.User, by.Channel, by.TS, by.Thread = command.Mention, event.User, event.Channel, event.TimeStamp, event.ThreadTimeStamp
		by.Call = self.Mention()
		m.Text = event.Text
	case *slackevents.MessageEvent:
		if event.ChannelType != slackevents.ChannelTypeIM || event.BotID != "" || event.User == "" || !slices.Contains(askingSubtypes, event.SubType) {
			return r // message_changed, message_deleted, …: nobody asks with these
		}
		r.claim = event.UserTeam
		by.Way, by.User, by.Channel, by.TS, by.Thread = command.Direct, event.User, event.Channel, event.TimeStamp, event.ThreadTimeStamp
		m.Text = event.Text
	default:
		return r
	}
	r.guest = a.team.Foreign(r.claim, enterprise)
	// A mention in a direct message may come as both kinds of event.
	r.keys = append(r.keys, "message "+by.Channel+" "+by.TS)
	m.Way, m.Bot, m.Call, m.Thread = by.Way, self.User, by.Call, by.Thread != ""
	parsed := command.Parse(m)
	if parsed.Ignored() {
		return r
	}
	r.query = &query{Request: request.New(by), again: again, reply: parsed.Reply}
	if parsed.Command != nil {
		r.query.command = *parsed.Command
	}
	return r
}

// outdatedButton is said about a button that carries nothing that this version, or this key, knows.
const outdatedButton = "This button is from an older message and no longer works. Ask again."

// Choice reads a click on a button or a menu that does not act: of an application that was meant.
func (a *Answerer) Choice(c slack.InteractionCallback, self socket.Identity) socket.Envelope {
	return a.envelope(a.readChoice(c, self))
}

func (a *Answerer) readChoice(c slack.InteractionCallback, self socket.Identity) reading {
	r := reading{
		kind: "click", keys: []string{"trigger " + c.TriggerID},
		home: a.team.Home(c.Team.ID, c.Enterprise.ID), claim: c.User.TeamID, guest: a.team.Foreign(c.User.TeamID, c.Enterprise.ID),
	}
	if c.Type != slack.InteractionTypeBlockActions || len(c.ActionCallback.BlockActions) == 0 {
		return r
	}
	action := c.ActionCallback.BlockActions[0]
	if strings.HasPrefix(action.ActionID, linkAction) {
		return r // the browser has opened the address; Slack tells of it all the same
	}
	by := request.Request{Way: request.Click, User: c.User.ID, Channel: c.Channel.ID, RespondTo: c.ResponseURL, Call: self.Mention(), Self: self}
	if strings.HasPrefix(action.ActionID, listAction) {
		r.query = &query{Request: request.New(by)}
		return a.readView(r, c)
	}
	_, by.Thread, _ = strings.Cut(action.BlockID, chooseAction+" ")
	value := action.Value
	if action.ActionID == chooseAction {
		value = action.SelectedOption.Value
	}
	wanted, ok := readChosen(value)
	r.query = &query{Request: request.New(by), command: wanted}
	if !ok || !strings.HasPrefix(action.ActionID, chooseAction) {
		r.query.reply = outdatedButton
		return r
	}
	// A double click is one choice.
	r.keys = append(r.keys, strings.Join([]string{"choice", c.Container.ChannelID, c.Container.MessageTs, c.User.ID, value}, " "))
	r.query.chosen = true
	return r
}
