package workspace_test

import (
	"testing"
	"testing/synctest"

	"github.com/slack-go/slack"
	"github.com/slack-go/slack/slackevents"
	"github.com/slack-go/slack/socketmode"
)

func TestPostUpdateAndReadBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		root := post(t, s, slack.MsgOptionText("my-app is degraded", false),
			slack.MsgOptionBlocks(slack.NewHeaderBlock(slack.NewTextBlockObject("plain_text", "my-app", false, false))),
			slack.MsgOptionMetadata(slack.SlackMetadata{EventType: "argo_why", EventPayload: map[string]any{"incident": "i1", "seq": 0}}))
		reply := post(t, s, slack.MsgOptionText("cause changed", false), slack.MsgOptionTS(root))
		if reply <= root {
			t.Errorf("ts %s of the reply is not after %s", reply, root)
		}
		if _, _, _, err := s.client.UpdateMessageContext(t.Context(), s.deploys.ID(), root,
			slack.MsgOptionText("my-app is healthy", false)); err != nil {
			t.Fatal(err)
		}

		messages := s.deploys.Messages()
		if len(messages) != 1 || messages[0].Text != "my-app is healthy" || messages[0].Blocks != nil || !messages[0].Edited {
			t.Errorf("the channel shows %+v", messages)
		}
		if thread := s.deploys.Thread(root); len(thread) != 2 || thread[1].Text != "cause changed" {
			t.Errorf("the thread shows %+v", thread)
		}

		history, err := s.client.GetConversationHistoryContext(t.Context(), &slack.GetConversationHistoryParameters{
			ChannelID: s.deploys.ID(), IncludeAllMetadata: true,
		})
		if err != nil {
			t.Fatal(err)
		}
		if len(history.Messages) != 1 {
			t.Fatalf("history has %d messages", len(history.Messages))
		}
		got := history.Messages[0]
		if got.Metadata.EventType != "argo_why" || got.Metadata.EventPayload["incident"] != "i1" || got.ReplyCount != 1 {
			t.Errorf("history shows metadata %+v and %d replies", got.Metadata, got.ReplyCount)
		}
	})
}

func TestSocketModeBringsCommandsEventsAndClicks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		client := s.connect(t)

		if err := s.Command("alice", "deploys", "/argo", "why my-app"); err != nil {
			t.Fatal(err)
		}
		e := next(t, client, socketmode.EventTypeSlashCommand)
		command, ok := e.Data.(slack.SlashCommand)
		if !ok || command.Text != "why my-app" || command.UserID != s.alice.ID || command.ChannelID != s.deploys.ID() {
			t.Errorf("command %+v", e.Data)
		}
		ack(t, client, e, map[string]any{"text": "looking"})
		s.await(t, func() bool { return len(s.deploys.Ephemerals("alice")) == 1 })

		if _, err := s.Say("bob", "deploys", "<@"+s.app.BotUserID+"> why my-app", ""); err != nil {
			t.Fatal(err)
		}
		message, mention := next(t, client, socketmode.EventTypeEventsAPI), next(t, client, socketmode.EventTypeEventsAPI)
		ack(t, client, message)
		ack(t, client, mention)
		event, ok := mention.Data.(slackevents.EventsAPIEvent)
		if inner, isMention := event.InnerEvent.Data.(*slackevents.AppMentionEvent); !ok || !isMention || inner.User != s.bob.ID {
			t.Errorf("mention %+v", mention.Data)
		}

		button := slack.NewButtonBlockElement("sync", "my-app", slack.NewTextBlockObject("plain_text", "Sync", false, false))
		ts := post(t, s, slack.MsgOptionBlocks(slack.NewActionBlock("", button)))
		ack(t, client, next(t, client, socketmode.EventTypeEventsAPI))
		if err := s.Click("bob", "deploys", ts, "Sync"); err != nil {
			t.Fatal(err)
		}
		e = next(t, client, socketmode.EventTypeInteractive)
		ack(t, client, e)
		click, ok := e.Data.(slack.InteractionCallback)
		if !ok || click.User.ID != s.bob.ID || click.ActionCallback.BlockActions[0].Value != "my-app" || click.Message.Timestamp != ts {
			t.Errorf("click %+v", e.Data)
		}
		synctest.Wait()
		if failures := s.Timeouts(); len(failures) != 0 {
			t.Errorf("people saw %+v", failures)
		}
	})
}

func (s *scene) await(t *testing.T, condition func() bool) {
	t.Helper()
	if err := s.Await(t.Context(), condition); err != nil {
		t.Fatal(err)
	}
}
