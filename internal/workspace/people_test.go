package workspace_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/slack-go/slack"
	"github.com/slack-go/slack/socketmode"

	"github.com/argo-why/argo-why/internal/workspace"
)

func TestHistoryComesInPagesAndSpans(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		var all []string
		for i := range 5 {
			all = append(all, post(t, s, slack.MsgOptionText(fmt.Sprint(i), false)))
		}
		var pages []string
		ask := slack.GetConversationHistoryParameters{ChannelID: s.deploys.ID(), Limit: 2}
		for {
			history, err := s.client.GetConversationHistoryContext(t.Context(), &ask)
			if err != nil {
				t.Fatal(err)
			}
			var page string
			for _, m := range history.Messages {
				page += m.Text
			}
			pages = append(pages, page)
			post(t, s, slack.MsgOptionText("new", false)) // does not shift what comes next
			if !history.HasMore {
				break
			}
			ask.Cursor = history.ResponseMetaData.NextCursor
		}
		if got := strings.Join(pages, " "); got != "43 21 0" {
			t.Errorf("pages %s", got)
		}
		for inclusive, want := range map[bool]int{true: 3, false: 1} {
			history, err := s.client.GetConversationHistoryContext(t.Context(), &slack.GetConversationHistoryParameters{
				ChannelID: s.deploys.ID(), Oldest: all[1], Latest: all[3], Inclusive: inclusive,
			})
			if err != nil || len(history.Messages) != want {
				t.Errorf("inclusive %t: %d messages, %v", inclusive, len(history.Messages), err)
			}
		}
	})
}

func TestResponseURLWorksFiveTimesForHalfAnHour(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		elsewhere := s.AddChannel("elsewhere", "alice") // the bot is not there
		client := s.connect(t)
		command := func() slack.SlashCommand {
			if err := s.Command("alice", "elsewhere", "/argo", "help"); err != nil {
				t.Fatal(err)
			}
			e := next(t, client, socketmode.EventTypeSlashCommand)
			ack(t, client, e)
			c, ok := e.Data.(slack.SlashCommand)
			if !ok {
				t.Fatalf("got %T", e.Data)
			}
			return c
		}
		respond := func(address, body string) map[string]any {
			_, got := s.call(t, address, "", "application/json", body)
			return got
		}
		first := command()
		for range 5 {
			if got := respond(first.ResponseURL, `{"text":"x"}`); got["ok"] != true {
				t.Errorf("got %v", got)
			}
		}
		if got := respond(first.ResponseURL, `{"text":"x"}`); got["error"] != "used_url" {
			t.Errorf("the sixth: %v", got)
		}
		if n := len(elsewhere.Ephemerals("alice")); n != 5 {
			t.Errorf("alice sees %d answers", n)
		}
		if n := len(elsewhere.Ephemerals("bob")); n != 0 {
			t.Errorf("bob sees %d", n)
		}
		second := command()
		if got := respond(second.ResponseURL, `{"text":"for all","response_type":"in_channel"}`); got["ok"] != true || len(elsewhere.Messages()) != 1 {
			t.Errorf("got %v, and %d messages", got, len(elsewhere.Messages()))
		}
		time.Sleep(31 * time.Minute)
		if got := respond(second.ResponseURL, `{"text":"x"}`); got["error"] != "expired_url" {
			t.Errorf("late: %v", got)
		}
	})
}

func TestMenuInAnEphemeralMessageIsForOnePerson(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		client := s.connect(t)
		blocks := `[{"type":"actions","elements":[{"type":"static_select","action_id":"which","options":[
			{"text":{"type":"plain_text","text":"shop in prod"},"value":"prod/shop"}]}]}]`
		ts, err := s.client.PostEphemeralContext(t.Context(), s.deploys.ID(), s.alice.ID, slack.MsgOptionBlocks(raw(t, blocks)...))
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Choose("bob", "deploys", ts, "which", "shop in prod"); err == nil {
			t.Error("bob chose in what only alice sees")
		}
		if err := s.Choose("alice", "deploys", ts, "which", "shop in test"); err == nil {
			t.Error("alice chose what is not there")
		}
		if err := s.Choose("alice", "deploys", ts, "which", "shop in prod"); err != nil {
			t.Fatal(err)
		}
		e := next(t, client, socketmode.EventTypeInteractive)
		ack(t, client, e)
		chosen, ok := e.Data.(slack.InteractionCallback)
		if !ok || chosen.ActionCallback.BlockActions[0].SelectedOption.Value != "prod/shop" || !chosen.Container.IsEphemeral {
			t.Fatalf("got %+v", e.Data)
		}
		s.call(t, chosen.ResponseURL, "", "application/json", `{"delete_original":true}`)
		if n := len(s.deploys.Ephemerals("alice")); n != 0 {
			t.Errorf("alice still sees %d", n)
		}
	})
}

func raw(t *testing.T, blocks string) []slack.Block {
	t.Helper()
	var list slack.Blocks
	if err := json.Unmarshal([]byte(blocks), &list); err != nil {
		t.Fatal(err)
	}
	return list.BlockSet
}

func TestWhoIsNotified(t *testing.T) {
	m := workspace.Message{
		Text:   "&lt;!channel&gt; <@U000000005>",
		Blocks: json.RawMessage(`[{"type":"section","text":{"type":"mrkdwn","text":"<!here> and <!subteam^S01|oncall>"}}]`),
	}
	if got := strings.Join(m.Mentions(), " "); got != "@U000000005 !here !subteam^S01" {
		t.Errorf("notified: %s", got)
	}
	if got := m.Shown(); got != "<!here> and <!subteam^S01|oncall>" {
		t.Errorf("shown: %s", got)
	}
	m = workspace.Message{Blocks: json.RawMessage(`[{"type":"rich_text","elements":[{"type":"rich_text_section","elements":[
		{"type":"usergroup","usergroup_id":"S01"},{"type":"text","text":" or "},{"type":"user","user_id":"U02"},{"type":"broadcast","range":"here"}]}]}]`)}
	if got := strings.Join(m.Mentions(), " "); got != "!subteam^S01 @U02 !here" {
		t.Errorf("notified by rich text: %s", got)
	}
}

func TestDeletedRootLeavesAPlaceForItsReplies(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		root := post(t, s, slack.MsgOptionText("root", false))
		post(t, s, slack.MsgOptionText("reply", false), slack.MsgOptionTS(root))
		if _, _, err := s.client.DeleteMessageContext(t.Context(), s.deploys.ID(), root); err != nil {
			t.Fatal(err)
		}
		if thread := s.deploys.Thread(root); len(thread) != 2 || thread[0].Subtype != "tombstone" {
			t.Errorf("the thread shows %+v", thread)
		}
	})
}
