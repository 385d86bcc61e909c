package slack

import (
	"context"
	"slices"
	"time"

	"github.com/slack-go/slack"
	"github.com/slack-go/slack/slackevents"
	"github.com/slack-go/slack/socketmode"

	"github.com/argo-why/argo-why/internal/slack/command"
	"github.com/argo-why/argo-why/internal/slack/dialog"
)

// ackWithin bounds the handing over of an acknowledgement, which blocks only while slack-go's buffer of 20 is full: then
// the socket is broken, and Slack waits no longer than three seconds anyway.
const ackWithin = time.Second

// membersOnly is what people of other workspaces are told.
const membersOnly = "I only answer members of the workspace that I am installed in."

// received is an envelope, read.
type received struct {
	kind string // for the metrics
	// keys tell a delivery from another one of the same thing.
	keys []string
	// home: it comes from our workspace. guest: the person does not, in a channel that is shared with others.
	home, guest bool
	// q is what is to be done; nil for nothing.
	q *question
	// say is all that there is to say, or what is said until there is more; only for slash commands.
	say *Message
	// view is what the acknowledgement of a modal's submission shows.
	view *dialog.View
	// double is the same for a double click.
	double string
}

// envelope acknowledges and then, if there is something to do, has it done.
//
// The order matters: room in the queue is taken before the acknowledgement, so that what was acknowledged is done, and
// nothing that takes time comes before it.
func (a *App) envelope(ctx context.Context, client acker, e socketmode.Event) {
	began := time.Now()
	defer func() { a.metrics.ack.Observe(time.Since(began).Seconds()) }()

	r := a.read(e)
	keys := append(r.keys, "envelope "+e.Request.EnvelopeID)
	outcome := outcomeIgnored
	if r.guest && r.q != nil {
		r.q.reply, r.q.clicked = membersOnly, false
	}
	switch {
	case a.seen.before(keys...):
		outcome, r.say = outcomeDuplicate, nil
	case r.double != "" && a.pressedNow.before(r.double):
		outcome = outcomeDuplicate
		a.metrics.presses.WithLabelValues(r.q.press.label(), pressDouble).Inc()
	case !r.home && !r.pressed():
		outcome = outcomeForeign
		if r.say != nil {
			r.say = said(membersOnly)
		}
	case r.q != nil && a.take(r.q):
		outcome = outcomeTaken
	case r.q != nil:
		outcome = outcomeBusy
		r.say = said(tooBusy("ask"))
	case r.say != nil:
		outcome = outcomeReplied
	}
	if outcome == outcomeTaken {
		defer close(r.q.acknowledged)
		if r.guest || !r.home {
			outcome = outcomeForeign
		}
	}
	a.metrics.envelopes.WithLabelValues(r.kind, outcome).Inc()
	slash := e.Type == socketmode.EventTypeSlashCommand
	if outcome == outcomeBusy && !slash && r.view == nil {
		// Nothing can be said here without work. Not acknowledged, Slack delivers an event again in a minute, perhaps to
		// another replica, and shows who clicked that it did not work: better than silence.
		a.seen.forget(keys...)
		a.Log.Warn("too busy, or stopping: not acknowledged", "envelope", e.Request.EnvelopeID, "type", r.kind)
		return
	}
	var payload any
	switch {
	case slash && r.say != nil:
		payload = onlyVisible(*r.say)
	case r.view != nil && outcome == outcomeBusy:
		payload = updated(dialog.Told(r.q.press.kind(), tooBusy("press")))
	case r.view != nil && outcome == outcomeDuplicate:
		payload = updated(a.views.of(r.q.press.modal.id, r.view))
	case r.view != nil:
		a.views.keep(r.q.press.modal.id, r.view) // before the work begins, which waits for the acknowledgement
		payload = updated(r.view)
	}
	a.acknowledge(ctx, client, e.Request.EnvelopeID, payload)
}

// pressed reports whether it is a button that acts, which is told of in the work: whatever is wrong with it.
func (r received) pressed() bool { return r.q != nil && r.q.press != nil }

func tooBusy(do string) string {
	return "I am too busy, or just restarting. Please " + do + " again in a moment."
}

func (a *App) acknowledge(ctx context.Context, client acker, envelope string, payload any) {
	ctx, cancel := context.WithTimeout(ctx, ackWithin)
	defer cancel()
	if err := client.AckCtx(ctx, envelope, payload); err != nil {
		a.metrics.envelopes.WithLabelValues("ack", outcomeAckFailed).Inc()
		a.Log.Warn("an envelope could not be acknowledged", "envelope", envelope, "error", err)
	}
}

// onlyVisible is the payload that only the person who gave the command sees.
// https://docs.slack.dev/interactivity/implementing-slash-commands#responding_to_commands
func onlyVisible(m Message) any {
	return map[string]any{"response_type": slack.ResponseTypeEphemeral, "text": m.Text, "blocks": m.Blocks}
}

// read understands an envelope. It is pure but for the clock.
func (a *App) read(e socketmode.Event) received {
	switch data := e.Data.(type) {
	case slack.SlashCommand:
		return a.slash(data)
	case slackevents.EventsAPIEvent:
		return a.happened(data, e.Request.RetryAttempt > 0)
	case slack.InteractionCallback:
		return a.clicked(data, e.Request.Payload)
	}
	return received{kind: string(e.Type)}
}

func (a *App) slash(c slack.SlashCommand) received {
	r := received{kind: "slash", keys: []string{"trigger " + c.TriggerID}, home: a.home(c.TeamID, c.EnterpriseID)}
	parsed := command.Parse(command.Message{Way: command.Slash, Text: c.Text, Call: c.Command})
	switch {
	case parsed.Command == nil:
		r.say = said(parsed.Reply)
		return r
	case parsed.Command.Verb == command.Help:
		r.say = help(c.Command)
		return r
	}
	r.say = lookingAt(parsed.Command)
	r.q = newQuestion(asker{way: command.Slash, user: c.UserID, name: c.UserName, channel: c.ChannelID, respond: c.ResponseURL, call: c.Command}, *parsed.Command)
	return r
}

// askingSubtypes are those of messages that a person writes: with a picture, or from a thread into the channel as well.
var askingSubtypes = []string{"", slack.MsgSubTypeFileShare, slack.MsgSubTypeThreadBroadcast}

// happened is an event: a mention, a direct message.
func (a *App) happened(e slackevents.EventsAPIEvent, retried bool) received {
	r := received{kind: "event " + e.InnerEvent.Type, home: a.home(e.TeamID, e.EnterpriseID)}
	if c, ok := e.Data.(*slackevents.EventsAPICallbackEvent); ok {
		r.keys = append(r.keys, "event "+c.EventID)
	}
	who := asker{}
	var m command.Message
	switch event := e.InnerEvent.Data.(type) {
	case *slackevents.AppMentionEvent:
		if event.BotID != "" || event.User == "" || event.Edited != nil {
			return r // another bot; our own message; what was asked was answered before the edit
		}
		r.guest = !a.native(event.UserTeam)
		who = asker{way: command.Mention, user: event.User, channel: event.Channel, ts: event.TimeStamp, thread: event.ThreadTimeStamp}
		m.Text = event.Text
	case *slackevents.MessageEvent:
		if event.ChannelType != slackevents.ChannelTypeIM || event.BotID != "" || event.User == "" || !slices.Contains(askingSubtypes, event.SubType) {
			return r // message_changed, message_deleted, …: nobody asks with these
		}
		r.guest = !a.native(event.UserTeam)
		who = asker{way: command.Direct, user: event.User, channel: event.Channel, ts: event.TimeStamp, thread: event.ThreadTimeStamp}
		m.Text = event.Text
	default:
		return r
	}
	// A mention in a direct message may come as both kinds of event.
	r.keys = append(r.keys, "message "+who.channel+" "+who.ts)
	if who.way == command.Mention {
		who.call = a.self.call()
	}
	m.Way, m.Bot, m.Call, m.Thread = who.way, a.self.user, who.call, who.thread != ""
	parsed := command.Parse(m)
	if parsed.Ignored() {
		return r
	}
	r.q = newQuestion(who, command.Command{})
	r.q.again = retried
	if r.q.reply = parsed.Reply; parsed.Command != nil {
		r.q.command = *parsed.Command
	}
	return r
}

// home reports whether it is our workspace, or our organisation.
func (a *App) home(team, enterprise string) bool {
	return team == a.Team || enterprise != "" && enterprise == a.Team
}

// native reports whether a person is a member of our workspace: in a channel that is shared with another organisation
// the event says where the person comes from. An organisation has several workspaces.
func (a *App) native(team string) bool {
	return team == "" || team == a.Team || a.Team[0] == 'E'
}
