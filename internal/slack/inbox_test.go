package slack

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/slack-go/slack"
	"github.com/slack-go/slack/slackevents"
	"github.com/slack-go/slack/socketmode"

	"github.com/argo-why/argo-why/internal/slack/command"
)

// acks notes what was acknowledged, and with what.
type acks map[string]string

func (a acks) AckCtx(_ context.Context, envelope string, payload any) error {
	raw, err := json.Marshal(payload)
	a[envelope] = string(raw)
	return err
}

func newInbox(t *testing.T, team string) *App {
	t.Helper()
	a := &App{Options: Options{Team: team}.withDefaults(), metrics: newMetrics(nil), pulse: newPulse(), seen: newSeen(seenFor), pressedNow: newSeen(doubleClick), self: identity{user: "UBOT", name: "argo"}}
	a.queue, a.presses = make(chan *question, 10), make(chan *question, 10)
	return a
}

func slash(id, team string) socketmode.Event {
	return socketmode.Event{
		Type: socketmode.EventTypeSlashCommand, Request: &socketmode.Request{EnvelopeID: id},
		Data: slack.SlashCommand{TeamID: team, TriggerID: id, Command: "/argo", Text: "why web", UserID: "U1", ChannelID: "C1"},
	}
}

func TestACommandFromAnotherWorkspaceIsRefused(t *testing.T) {
	a, got := newInbox(t, "T1"), acks{}
	a.envelope(t.Context(), got, slash("1", "T1"))
	a.envelope(t.Context(), got, slash("2", "T2"))
	if len(a.queue) != 1 || !strings.Contains(got["1"], "Looking at web") || !strings.Contains(got["2"], "I only answer members of the workspace") {
		t.Errorf("%d questions, %v", len(a.queue), got)
	}
}

func TestAnOrganisationServesAllItsWorkspaces(t *testing.T) {
	a, got := newInbox(t, "E1"), acks{}
	e := slash("1", "T2")
	given, _ := e.Data.(slack.SlashCommand)
	given.EnterpriseID = "E1"
	e.Data = given
	if a.envelope(t.Context(), got, e); len(a.queue) != 1 {
		t.Error(got)
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
			a, got := newInbox(t, "T1"), acks{}
			a.envelope(t.Context(), got, socketmode.Event{
				Type: socketmode.EventTypeEventsAPI, Request: &socketmode.Request{EnvelopeID: "1"},
				Data: slackevents.EventsAPIEvent{TeamID: "T1", InnerEvent: slackevents.EventsAPIInnerEvent{Data: event}},
			})
			if _, acked := got["1"]; len(a.queue) != 0 || !acked {
				t.Errorf("%d questions, acknowledged %v", len(a.queue), got)
			}
		})
	}
}

func TestSomebodyOfAnotherOrganisationInASharedChannelIsToldWhy(t *testing.T) {
	a, got := newInbox(t, "T1"), acks{}
	a.envelope(t.Context(), got, socketmode.Event{
		Type: socketmode.EventTypeEventsAPI, Request: &socketmode.Request{EnvelopeID: "1"},
		Data: slackevents.EventsAPIEvent{TeamID: "T1", InnerEvent: slackevents.EventsAPIInnerEvent{
			Data: &slackevents.AppMentionEvent{User: "U1", UserTeam: "T2", Text: "<@UBOT> why web", Channel: "C1", TimeStamp: "1.1"},
		}},
	})
	if q := <-a.queue; q.reply != membersOnly {
		t.Errorf("%+v", q)
	}
}

func TestWhatCannotBeReadIsAcknowledged(t *testing.T) {
	a, got := newInbox(t, "T1"), acks{}
	a.event(t.Context(), got, socketmode.Event{Type: socketmode.EventTypeErrorBadMessage, Data: &socketmode.ErrorBadMessage{
		Cause: fmt.Errorf("parsing Events API event: unknown"), Message: json.RawMessage(`{"envelope_id":"7","type":"events_api"}`),
	}})
	if _, ok := got["7"]; !ok {
		t.Error("Slack will bring it again and again")
	}
}

func TestASocketWithoutAGreetingIsGivenUpAndReadinessIsNotFooled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPulse()
		p.open()
		p.greet()
		time.Sleep(time.Hour)
		p.heard()
		p.down(nil)
		for range 5 { // Slack takes each connection and says nothing on it
			p.open()
			time.Sleep(greetingWithin + time.Second)
			if got := p.dead(); got != "no-hello" {
				t.Errorf("dead: %q", got)
			}
			p.down(fmt.Errorf("the socket was open and dead"))
		}
		if err := p.alive(); err == nil || !strings.Contains(err.Error(), "not connected for 1m45s: the socket was open and dead") {
			t.Errorf("alive: %v", err)
		}
	})
}

func TestASilentSocketIsGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPulse()
		p.open()
		p.greet()
		for range 10 {
			time.Sleep(maxSilence)
			p.heard()
			if p.dead() != "" || p.alive() != nil {
				t.Fatalf("%q %v", p.dead(), p.alive())
			}
		}
		time.Sleep(maxSilence + time.Second)
		if p.dead() != "silent" || p.alive() == nil {
			t.Errorf("%q %v", p.dead(), p.alive())
		}
	})
}

func TestWhatWasSeenIsForgottenInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSeen(seenFor)
		if s.before("a", "") || !s.before("a", "b") || !s.before("b") {
			t.Error("a and b were seen once, then again")
		}
		time.Sleep(seenFor + time.Second)
		if s.before("a") {
			t.Error("remembered for ever")
		}
		for n := range 3 * maxSeen {
			s.before(fmt.Sprint(n))
		}
		if n := len(s.at); n > maxSeen+1 || n != s.order.Len() {
			t.Errorf("%d are remembered", n)
		}
		s.forget(fmt.Sprint(3*maxSeen - 1))
		if s.before(fmt.Sprint(3*maxSeen - 1)) {
			t.Error("not forgotten")
		}
	})
}

func TestAMessageThatComesAsTwoKindsOfEventIsOneQuestion(t *testing.T) {
	a, got := newInbox(t, "T1"), acks{}
	for id, event := range map[string]any{
		"1": &slackevents.AppMentionEvent{User: "U1", Text: "<@UBOT> why web", Channel: "D1", TimeStamp: "1.1"},
		"2": &slackevents.MessageEvent{User: "U1", Text: "<@UBOT> why web", Channel: "D1", ChannelType: "im", TimeStamp: "1.1"},
	} {
		a.envelope(t.Context(), got, socketmode.Event{
			Type: socketmode.EventTypeEventsAPI, Request: &socketmode.Request{EnvelopeID: id},
			Data: slackevents.EventsAPIEvent{TeamID: "T1", InnerEvent: slackevents.EventsAPIInnerEvent{Data: event}, Data: &slackevents.EventsAPICallbackEvent{EventID: id}},
		})
	}
	if len(a.queue) != 1 || len(got) != 2 {
		t.Errorf("%d questions, acknowledged %v", len(a.queue), got)
	}
}

// ackFunc is called for an acknowledgement.
type ackFunc func()

func (f ackFunc) AckCtx(context.Context, string, any) error {
	f()
	return nil
}

// beginning notes that it was asked.
type beginning struct {
	Backend
	began *atomic.Bool
}

func (b beginning) Find(context.Context, command.Target) (Found, error) {
	b.began.Store(true)
	return Found{}, &Trouble{What: "not here"}
}

// nobody hears anything.
type nobody struct{ Sender }

func (nobody) Ephemeral(context.Context, string, string, string, Message) error { return nil }

func TestNoWorkBeginsBeforeTheAcknowledgement(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newInbox(t, "T1")
		var began atomic.Bool
		a.Backend = beginning{began: &began}
		a.Sender = nobody{}
		var workers sync.WaitGroup
		workers.Go(func() { a.work(t.Context(), a.queue) })
		early := false
		a.envelope(t.Context(), ackFunc(func() {
			synctest.Wait()
			early = began.Load()
		}), slash("1", "T1"))
		a.stop()
		workers.Wait()
		if early || !began.Load() {
			t.Errorf("began before the acknowledgement: %v; ever: %v", early, began.Load())
		}
	})
}
