package answer

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/slack-go/slack"
	"github.com/slack-go/slack/slackevents"

	"github.com/argo-why/argo-why/internal/slack/request"
	"github.com/argo-why/argo-why/internal/slack/socket"
)

var self = socket.Identity{User: "UBOT", Name: "argo"}

func slash(team string) slack.SlashCommand {
	return slack.SlashCommand{TeamID: team, TriggerID: "1", Command: "/argo", Text: "why web", UserID: "U1", ChannelID: "C1"}
}

// payload is what the acknowledgement says when that becomes of an envelope.
func payload(t *testing.T, e socket.Envelope, o socket.Outcome) string {
	t.Helper()
	raw, err := json.Marshal(e.Payload(o))
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func TestACommandFromAnotherWorkspaceIsRefused(t *testing.T) {
	a := &Answerer{team: "T1"}
	ours, theirs := a.Slash(slash("T1"), self), a.Slash(slash("T2"), self)
	if ours.Work == nil || ours.Foreign || !strings.Contains(payload(t, ours, socket.Taken), "Checking web") {
		t.Errorf("ours: %+v", ours)
	}
	if theirs.Work != nil || !theirs.Foreign || !strings.Contains(payload(t, theirs, socket.Foreign), "I only answer members of the workspace") {
		t.Errorf("theirs: %+v", theirs)
	}
}

func TestTheAcknowledgementOfACommandSaysWhatBecomesOfIt(t *testing.T) {
	a := &Answerer{team: "T1"}
	e := a.Slash(slash("T1"), self)
	if got := payload(t, e, socket.Busy); !strings.Contains(got, "The bot is busy or restarting. Ask again in a moment.") || !strings.Contains(got, `"response_type":"ephemeral"`) {
		t.Errorf("busy: %s", got)
	}
	if got := payload(t, e, socket.Duplicate); got != "null" { // it was said the first time
		t.Errorf("duplicate: %s", got)
	}
}

func TestAnOrganisationServesAllItsWorkspaces(t *testing.T) {
	a := &Answerer{team: "E1"}
	given := slash("T2")
	given.EnterpriseID = "E1"
	if e := a.Slash(given, self); e.Work == nil || e.Foreign {
		t.Errorf("%+v", e)
	}
}

func TestWhoIsNotAskingIsNotAnswered(t *testing.T) {
	mention := func(change func(*slackevents.AppMentionEvent)) any {
		e := &slackevents.AppMentionEvent{User: "U1", Text: "<@UBOT> why web", Channel: "C1", TimeStamp: "1.1"}
		change(e)
		return e
	}
	direct := func(change func(*slackevents.MessageEvent)) any {
		e := &slackevents.MessageEvent{User: "U1", Text: "why web", Channel: "D1", ChannelType: "im", TimeStamp: "1.1"}
		change(e)
		return e
	}
	for name, event := range map[string]any{
		"another bot":                         mention(func(e *slackevents.AppMentionEvent) { e.BotID = "B1" }),
		"somebody who edits":                  mention(func(e *slackevents.AppMentionEvent) { e.Edited = &slackevents.Edited{} }),
		"somebody who says thanks":            mention(func(e *slackevents.AppMentionEvent) { e.Text = "<@UBOT> thanks!" }),
		"ourselves":                           direct(func(e *slackevents.MessageEvent) { e.BotID = "BBOT" }),
		"somebody who edits in a direct chat": direct(func(e *slackevents.MessageEvent) { e.SubType = "message_changed" }),
		"somebody in a channel":               direct(func(e *slackevents.MessageEvent) { e.ChannelType = "channel" }),
		"an event that nobody asked for":      &slackevents.ReactionAddedEvent{},
	} {
		t.Run(name, func(t *testing.T) {
			a := &Answerer{team: "T1"}
			e := a.Event(slackevents.EventsAPIEvent{TeamID: "T1", InnerEvent: slackevents.EventsAPIInnerEvent{Data: event}}, false, self)
			if e.Work != nil || e.Payload != nil || e.Foreign {
				t.Errorf("%+v", e)
			}
		})
	}
}

func TestSomebodyOfAnotherOrganisationInASharedChannelIsToldWhy(t *testing.T) {
	a := &Answerer{team: "T1"}
	r := a.readEvent(slackevents.EventsAPIEvent{TeamID: "T1", InnerEvent: slackevents.EventsAPIInnerEvent{
		Data: &slackevents.AppMentionEvent{User: "U1", UserTeam: "T2", Text: "<@UBOT> why web", Channel: "C1", TimeStamp: "1.1"},
	}}, false, self)
	e := a.envelope(r)
	if e.Work == nil || !e.Foreign || r.query.reply != request.MembersOnly {
		t.Errorf("%+v", r.query)
	}
}

func TestAMessageThatComesAsTwoKindsOfEventIsOneRequest(t *testing.T) {
	a, seen := &Answerer{team: "T1"}, socket.NewSeen(time.Minute)
	requests := 0
	for id, event := range map[string]any{
		"1": &slackevents.AppMentionEvent{User: "U1", Text: "<@UBOT> why web", Channel: "D1", TimeStamp: "1.1"},
		"2": &slackevents.MessageEvent{User: "U1", Text: "<@UBOT> why web", Channel: "D1", ChannelType: "im", TimeStamp: "1.1"},
	} {
		e := a.Event(slackevents.EventsAPIEvent{
			TeamID: "T1", InnerEvent: slackevents.EventsAPIInnerEvent{Data: event}, Data: &slackevents.EventsAPICallbackEvent{EventID: id},
		}, false, self)
		if e.Work != nil && !seen.Before(e.Keys...) {
			requests++
		}
	}
	if requests != 1 {
		t.Errorf("%d requests", requests)
	}
}
