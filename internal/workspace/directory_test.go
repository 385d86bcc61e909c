package workspace_test

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/slack-go/slack"
	"github.com/slack-go/slack/slackevents"
	"github.com/slack-go/slack/socketmode"

	"github.com/argo-why/argo-why/internal/workspace"
)

func TestWhoAndWhatThereIs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t, workspace.Options{Team: "Shop", Domain: "shop"})
		oncall := s.AddGroup(workspace.Group{Handle: "oncall", UserIDs: []string{"alice"}})
		ctx := t.Context()

		if me, err := s.client.AuthTestContext(ctx); err != nil || me.UserID != s.app.BotUserID || me.BotID != s.app.BotID || me.Team != "Shop" {
			t.Errorf("auth.test: %+v, %v", me, err)
		}
		if team, err := s.client.GetTeamInfoContext(ctx); err != nil || team.Domain != "shop" {
			t.Errorf("team.info: %+v, %v", team, err)
		}
		if u, err := s.client.GetUserByEmailContext(ctx, "alice@shop.example"); err != nil || u.ID != s.alice.ID {
			t.Errorf("users.lookupByEmail: %+v, %v", u, err)
		}
		if all, err := s.client.GetUsersContext(ctx, slack.GetUsersOptionLimit(1)); err != nil || len(all) != 3 {
			t.Errorf("users.list: %d, %v", len(all), err)
		}
		if groups, err := s.client.GetUserGroupsContext(ctx, slack.GetUserGroupsOptionIncludeUsers(true)); err != nil ||
			len(groups) != 1 || groups[0].Handle != "oncall" || !slices.Equal(groups[0].Users, []string{s.alice.ID}) {
			t.Errorf("usergroups.list: %+v, %v", groups, err)
		}
		if users, err := s.client.GetUserGroupMembersContext(ctx, oncall.ID); err != nil || !slices.Equal(users, []string{s.alice.ID}) {
			t.Errorf("usergroups.users.list: %v, %v", users, err)
		}
		if bot, err := s.client.GetBotInfoContext(ctx, slack.GetBotInfoParameters{Bot: s.app.BotID}); err != nil || bot.UserID != s.app.BotUserID {
			t.Errorf("bots.info: %+v, %v", bot, err)
		}
	})
}

func TestBotSeesTheChannelsItMay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		open := s.AddChannel("open")
		s.AddPrivateChannel("secret", "alice")
		s.AddPrivateChannel("ops", "alice", "argo")
		s.AddChannel("old").Archive()
		ctx := t.Context()
		found, _, err := s.client.GetConversationsContext(ctx, &slack.GetConversationsParameters{
			Types: []string{"public_channel", "private_channel"}, ExcludeArchived: true,
		})
		var names []string
		for _, c := range found {
			names = append(names, c.Name)
		}
		if got := strings.Join(names, " "); err != nil || got != "deploys open ops" {
			t.Errorf("conversations.list: %s, %v", got, err)
		}
		if _, _, _, err := s.client.JoinConversationContext(ctx, open.ID()); err != nil {
			t.Error(err)
		}
		if c, err := s.client.GetConversationInfoContext(ctx, &slack.GetConversationInfoInput{ChannelID: open.ID()}); err != nil || !c.IsMember {
			t.Errorf("conversations.info: %+v, %v", c, err)
		}
		members, _, err := s.client.GetUsersInConversationContext(ctx, &slack.GetUsersInConversationParameters{ChannelID: open.ID()})
		if err != nil || !slices.Equal(members, []string{s.app.BotUserID}) {
			t.Errorf("conversations.members: %v, %v", members, err)
		}
		open.Kick("argo")
		_, _, err = s.client.PostMessageContext(ctx, open.ID(), slack.MsgOptionText("x", false))
		wantError(t, err, "not_in_channel")
	})
}

func TestReactionsAndLinks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		root := post(t, s, slack.MsgOptionText("root", false))
		reply := post(t, s, slack.MsgOptionText("reply", false), slack.MsgOptionTS(root))
		item := slack.NewRefToMessage(s.deploys.ID(), root)
		if err := s.client.AddReactionContext(t.Context(), "eyes", item); err != nil {
			t.Error(err)
		}
		wantError(t, s.client.AddReactionContext(t.Context(), "eyes", item), "already_reacted")
		if err := s.React("alice", "deploys", root, "eyes"); err != nil {
			t.Error(err)
		}
		if got := s.deploys.Messages()[0].Reactions; len(got) != 1 || len(got[0].Users) != 2 {
			t.Errorf("reactions %+v", got)
		}
		if err := s.client.RemoveReactionContext(t.Context(), "eyes", item); err != nil {
			t.Error(err)
		}
		wantError(t, s.client.RemoveReactionContext(t.Context(), "eyes", item), "no_reaction")

		link, err := s.client.GetPermalinkContext(t.Context(), &slack.PermalinkParameters{Channel: s.deploys.ID(), Ts: reply})
		want := "https://acme.slack.com/archives/" + s.deploys.ID() + "/p" + strings.ReplaceAll(reply, ".", "") + "?thread_ts=" + root + "&cid=" + s.deploys.ID()
		if err != nil || link != want || s.deploys.Permalink(reply) != want {
			t.Errorf("link %s, %v", link, err)
		}
	})
}

func TestDirectMessage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		client := s.connect(t)
		if _, err := s.Tell("alice", s.app, "why shop?", ""); err != nil {
			t.Fatal(err)
		}
		e := next(t, client, socketmode.EventTypeEventsAPI)
		ack(t, client, e)
		event, ok := e.Data.(slackevents.EventsAPIEvent)
		message, isMessage := event.InnerEvent.Data.(*slackevents.MessageEvent)
		if !ok || !isMessage || message.ChannelType != "im" || message.User != s.alice.ID || message.Text != "why shop?" {
			t.Fatalf("got %+v", e.Data)
		}
		if _, _, err := s.client.PostMessageContext(t.Context(), s.alice.ID, slack.MsgOptionText("because", false)); err != nil {
			t.Fatal(err)
		}
		ack(t, client, next(t, client, socketmode.EventTypeEventsAPI))
		if all := s.DirectMessage(s.app, "alice").Messages(); len(all) != 2 || all[1].Text != "because" || all[1].Channel != message.Channel {
			t.Errorf("the conversation shows %+v", all)
		}
		im, _, _, err := s.client.OpenConversationContext(t.Context(), &slack.OpenConversationParameters{Users: []string{s.alice.ID}})
		if err != nil || im.ID != message.Channel {
			t.Errorf("conversations.open: %+v, %v", im, err)
		}
	})
}

func TestModalsAreUpdatedPushedAndClosed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		client := s.connect(t)
		view := func(title string) slack.ModalViewRequest {
			return slack.ModalViewRequest{
				Type: "modal", Title: slack.NewTextBlockObject("plain_text", title, false, false), NotifyOnClose: true, Submit: plain("Next"),
				Blocks: slack.Blocks{BlockSet: []slack.Block{slack.NewDividerBlock()}},
			}
		}
		if err := s.Command("alice", "deploys", "/argo", "help"); err != nil {
			t.Fatal(err)
		}
		e := next(t, client, socketmode.EventTypeSlashCommand)
		ack(t, client, e)
		command, ok := e.Data.(slack.SlashCommand)
		if !ok {
			t.Fatalf("got %T", e.Data)
		}
		opened, err := s.client.OpenViewContext(t.Context(), command.TriggerID, view("One"))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.client.UpdateViewContext(t.Context(), view("Two"), "", opened.Hash, opened.ID); err != nil {
			t.Fatal(err)
		}
		_, err = s.client.UpdateViewContext(t.Context(), view("Three"), "", opened.Hash, opened.ID)
		wantError(t, err, "hash_conflict")

		if err := s.Submit("alice", opened.ID, nil); err != nil {
			t.Fatal(err)
		}
		e = next(t, client, socketmode.EventTypeInteractive)
		submission, ok := e.Data.(slack.InteractionCallback)
		if !ok {
			t.Fatalf("got %T", e.Data)
		}
		if _, err := s.client.PushViewContext(t.Context(), submission.TriggerID, view("Above")); err != nil {
			t.Fatal(err)
		}
		ack(t, client, e, map[string]any{"response_action": "update", "view": view("Below")})
		s.await(t, func() bool { return s.Views("alice")[0].Title == "Below" })
		open := s.Views("alice")
		if len(open) != 2 || open[1].Title != "Above" {
			t.Fatalf("alice sees %+v", open)
		}
		if err := s.CloseView("alice", open[1].ID); err != nil {
			t.Fatal(err)
		}
		e = next(t, client, socketmode.EventTypeInteractive)
		ack(t, client, e)
		if closed, ok := e.Data.(slack.InteractionCallback); !ok || closed.Type != slack.InteractionTypeViewClosed {
			t.Errorf("got %+v", e.Data)
		}
		if open := s.Views("alice"); len(open) != 1 {
			t.Errorf("alice sees %+v", open)
		}
	})
}
