package slack_test

import (
	"encoding/json"
	"testing"
	"time"

	slackgo "github.com/slack-go/slack"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/slack"
	"github.com/argo-why/argo-why/internal/slack/button"
)

// copied is a button with the value of another, as somebody who has the bot token posts it: in the name of the bot, under words of
// their own.
func (s *stage) copied(channel, thread, id, value string) (ts string) {
	s.t.Helper()
	client := slack.NewClient(s.bot.BotToken, "", s.options.APIURL, s.options.HTTP)
	row := slackgo.NewActionBlock("", slackgo.NewButtonBlockElement(id, value, plain("Acknowledge")))
	_, ts, err := client.PostMessageContext(s.t.Context(), channel, slackgo.MsgOptionTS(thread), slackgo.MsgOptionBlocks(row))
	s.must(err)
	return ts
}

// TestACopyOfAButtonDoesNothingElsewhere: the value of a button of ours, which needs no confirmation, where somebody else has put it.
func TestACopyOfAButtonDoesNothingElsewhere(t *testing.T) {
	const (
		refresh  = "argo_why_act_hard-refresh"
		notMine  = "This button was not created by this bot for this message. Nothing was done."
		notHere  = "This button does not belong to this message. Nothing was done."
		notAfter = "This thread no longer has an incident. Nothing was done."
	)
	incidents := func(s *stage, id string) string {
		return s.key.In(s.deploys.ID()).Encode(refresh, button.Value{Do: "hard-refresh", App: s.app, Place: action.Place{Incident: id}})
	}
	for name, c := range map[string]struct {
		post func(s *stage) (channel, ts, id string)
		says string
	}{
		"another channel": {func(s *stage) (channel, ts, id string) {
			s.ops.Invite("argo")
			return s.ops.ID(), s.copied(s.ops.ID(), "", refresh, incidents(s, "courier-api-1")), refresh
		}, notMine},
		"direct messages": {func(s *stage) (channel, ts, id string) {
			im := s.DirectMessage(s.bot, "dana").ID()
			return im, s.copied(im, "", refresh, incidents(s, "courier-api-1")), refresh
		}, notMine},
		"another button of the same message": {func(s *stage) (channel, ts, id string) {
			return s.deploys.ID(), s.copied(s.deploys.ID(), "", "argo_why_act_sync", incidents(s, "courier-api-1")), "argo_why_act_sync"
		}, notMine},
		"another message of the channel": {func(s *stage) (channel, ts, id string) {
			return s.deploys.ID(), s.copied(s.deploys.ID(), "", refresh, incidents(s, "courier-api-1")), refresh
		}, notAfter},
		"another message of the thread": {func(s *stage) (channel, ts, id string) {
			return s.deploys.ID(), s.copied(s.deploys.ID(), s.root, refresh, incidents(s, "courier-api-1")), refresh
		}, notHere},
		"the thread of another incident": {func(s *stage) (channel, ts, id string) {
			other := s.copied(s.deploys.ID(), "", refresh, incidents(s, "courier-api-1"))
			s.backend.incidents = append(s.backend.incidents, &incident.Incident{
				ID: "courier-api-2", Phase: incident.Open, Members: []incident.Member{{App: s.app}}, Thread: incident.Thread{Channel: s.deploys.ID(), TS: other},
			})
			return s.deploys.ID(), other, refresh
		}, notHere},
		"the metadata of a dialog": {func(s *stage) (channel, ts, id string) {
			s.click("dana", action.Sync)
			return s.deploys.ID(), s.copied(s.deploys.ID(), "", "argo_why_act_sync", s.metadata("dana")), "argo_why_act_sync"
		}, notMine},
		"a button of another workspace": {func(s *stage) (channel, ts, id string) {
			value := s.key.Of("T0OTHER").In(s.deploys.ID()).Encode(refresh, button.Value{Do: "hard-refresh", App: s.app})
			return s.deploys.ID(), s.copied(s.deploys.ID(), "", refresh, value), refresh
		}, notMine},
	} {
		t.Run(name, func(t *testing.T) {
			perform(t, func(t *testing.T, s *stage) {
				channel, ts, id := c.post(s)
				s.must(s.Click("dana", channel, ts, id))
				s.settle()
				s.did()
				s.shows(s.all(), c.says)
			})
		})
	}
}

// TestACopyOfWhatIsPostedOnceDoesNothingLater: the buttons of answers and requests belong to no root message, so only the moment of signing tells
// the original message from a copy. The buttons of a request also work in its own thread only.
func TestACopyOfWhatIsPostedOnceDoesNothingLater(t *testing.T) {
	const notMine = "This button was not created by this bot for this message. Nothing was done."
	waiting := func(s *stage) (value func(id, do string) string) {
		s.actions.approvers = []string{s.erin.ID}
		s.click("dana", action.Sync)
		s.submit("dana", nil)
		return func(id, do string) string {
			return s.signed(s.deploys.ID(), id, button.Value{Do: do, App: s.app, Record: s.actions.records[0].ID})
		}
	}
	answered := func(s *stage) string {
		return s.signed(s.deploys.ID(), "argo_why_act_hard-refresh", button.Value{Do: "hard-refresh", App: s.app})
	}
	for name, c := range map[string]struct {
		post func(s *stage) (ts, id string)
	}{
		"an answer": {func(s *stage) (ts, id string) {
			value := answered(s)
			time.Sleep(4 * time.Minute)
			return s.copied(s.deploys.ID(), "", "argo_why_act_hard-refresh", value), "argo_why_act_hard-refresh"
		}},
		"an answer, in the thread of the incident": {func(s *stage) (ts, id string) {
			value := answered(s)
			time.Sleep(4 * time.Minute)
			return s.copied(s.deploys.ID(), s.root, "argo_why_act_hard-refresh", value), "argo_why_act_hard-refresh"
		}},
		"Approve, at once in another thread": {func(s *stage) (ts, id string) {
			value := waiting(s)("argo_why_approve", button.Approve)
			return s.copied(s.deploys.ID(), "", "argo_why_approve", value), "argo_why_approve"
		}},
		"Approve, later in the same thread": {func(s *stage) (ts, id string) {
			value := waiting(s)("argo_why_approve", button.Approve)
			time.Sleep(4 * time.Minute)
			return s.copied(s.deploys.ID(), s.root, "argo_why_approve", value), "argo_why_approve"
		}},
		"Deny, later in the same thread": {func(s *stage) (ts, id string) {
			value := waiting(s)("argo_why_deny", button.Deny)
			time.Sleep(4 * time.Minute)
			return s.copied(s.deploys.ID(), s.root, "argo_why_deny", value), "argo_why_deny"
		}},
	} {
		t.Run(name, func(t *testing.T) {
			perform(t, func(t *testing.T, s *stage) {
				ts, id := c.post(s)
				before := len(s.Views("erin"))
				s.must(s.Click("erin", "deploys", ts, id))
				s.settle()
				s.shows(s.told("erin"), notMine)
				if len(s.Views("erin")) > before {
					t.Error("a dialog opened")
				}
			})
		})
	}
}

// TestACopyOfTheMenuMutesNothing: a menu carries no signature, and so it is good in the root message of an incident alone.
func TestACopyOfTheMenuMutesNothing(t *testing.T) {
	perform(t, func(t *testing.T, s *stage) {
		option := slackgo.NewOptionBlockObject("24h", plain("Show details"), nil)
		menu := slackgo.NewOptionsSelectBlockElement(slackgo.OptTypeStatic, plain("Show"), "argo_why_mute", option)
		client := slack.NewClient(s.bot.BotToken, "", s.options.APIURL, s.options.HTTP)
		_, ts, err := client.PostMessageContext(s.t.Context(), s.deploys.ID(), slackgo.MsgOptionTS(s.root), slackgo.MsgOptionBlocks(slackgo.NewActionBlock("", menu)))
		s.must(err)
		s.must(s.Choose("dana", "deploys", ts, "argo_why_mute", "24h"))
		s.settle()
		s.did()
		s.shows(s.told("dana"), "This button does not belong to this message. Nothing was done.")
	})
}

// TestACopyOfADialogConfirmsNothing: the metadata of one that a person had open, in another that shows other words.
func TestACopyOfADialogConfirmsNothing(t *testing.T) {
	perform(t, func(t *testing.T, s *stage) {
		s.click("dana", action.Sync)
		kept := s.metadata("dana")
		time.Sleep(2 * time.Second) // else it is a double click
		s.click("dana", action.Sync)
		s.Tamper(func(p map[string]any) { at(p, "view")["private_metadata"] = kept })
		s.submit("dana", nil)
		s.did()
		s.shows(s.modal("dana"), "This button was not created by this bot for this message.")
	})
}

// metadata is that of the modal in front.
func (s *stage) metadata(who string) string {
	s.t.Helper()
	var shown struct {
		Metadata string `json:"private_metadata"`
	}
	s.must(json.Unmarshal(s.view(who).Raw, &shown))
	if shown.Metadata == "" {
		s.t.Fatal("the modal has no metadata")
	}
	return shown.Metadata
}
