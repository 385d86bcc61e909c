package workspace_test

import (
	"testing"
	"testing/synctest"

	"github.com/slack-go/slack"
	"github.com/slack-go/slack/socketmode"

	"github.com/argo-why/argo-why/internal/workspace"
)

func plain(text string) *slack.TextBlockObject {
	return slack.NewTextBlockObject(slack.PlainTextType, text, false, false)
}

func TestAClickIsTamperedWithAndDeliveredAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		client := s.connect(t)
		ts := post(t, s, slack.MsgOptionBlocks(slack.NewActionBlock("", slack.NewButtonBlockElement("go", "mine", plain("Go")))))
		s.Tamper(func(p map[string]any) {
			p["team"] = map[string]any{"id": "T999"}
			user, _ := p["user"].(map[string]any)
			user["id"] = "U999"
			actions, _ := p["actions"].([]any)
			action, _ := actions[0].(map[string]any)
			action["value"] = "theirs"
		})
		press := func() {
			t.Helper()
			if err := s.Click("alice", "deploys", ts, "go"); err != nil {
				t.Fatal(err)
			}
		}
		heard := func() (slack.InteractionCallback, string) {
			t.Helper()
			e := next(t, client, socketmode.EventTypeInteractive)
			ack(t, client, e)
			c, ok := e.Data.(slack.InteractionCallback)
			if !ok {
				t.Fatalf("got %T", e.Data)
			}
			return c, e.Request.EnvelopeID
		}
		press()
		forged, _ := heard()
		if forged.Team.ID != "T999" || forged.User.ID != "U999" || forged.ActionCallback.BlockActions[0].Value != "theirs" {
			t.Errorf("got %+v", forged)
		}
		press()
		honest, first := heard()
		if honest.Team.ID != s.TeamID() || honest.ActionCallback.BlockActions[0].Value != "mine" {
			t.Errorf("got %+v", honest)
		}
		if !s.Redeliver() {
			t.Fatal("nothing was delivered again")
		}
		if again, second := heard(); second != first || again.ActionCallback.BlockActions[0].ActionTs != honest.ActionCallback.BlockActions[0].ActionTs {
			t.Errorf("%s and then %s", first, second)
		}
	})
}

func TestAPersonFillsInWhatIsThere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		client := s.connect(t)
		if err := s.Command("alice", "deploys", "/argo", "x"); err != nil {
			t.Fatal(err)
		}
		e := next(t, client, socketmode.EventTypeSlashCommand)
		ack(t, client, e)
		command, ok := e.Data.(slack.SlashCommand)
		if !ok {
			t.Fatalf("got %T", e.Data)
		}
		option := func(value string) *slack.OptionBlockObject {
			return slack.NewOptionBlockObject(value, plain(value), nil)
		}
		input := func(id string, element slack.BlockElement) *slack.InputBlock {
			return slack.NewInputBlock(id, plain(id), nil, element).WithOptional(id != "reason")
		}
		view := slack.ModalViewRequest{
			Type: slack.VTModal, Title: plain("Sync"), Submit: plain("Sync"),
			Blocks: slack.Blocks{BlockSet: []slack.Block{
				input("prune", slack.NewCheckboxGroupsBlockElement("on", option("yes"))),
				input("which", slack.NewOptionsMultiSelectBlockElement(slack.MultiOptTypeStatic, plain("all"), "list", option("a"), option("b"))),
				input("reason", slack.NewPlainTextInputBlockElement(nil, "text")),
			}},
		}
		opened, err := s.client.OpenViewContext(t.Context(), command.TriggerID, view)
		if err != nil {
			t.Fatal(err)
		}
		reason := map[string]any{"text": map[string]any{"type": "plain_text_input", "value": "planned"}}
		chosen := func(values ...string) map[string]any {
			return map[string]any{"list": workspace.Chosen("multi_static_select", values...)}
		}
		for name, values := range map[string]map[string]map[string]any{
			"nothing in what is not optional": {},
			"an input that is not there":      {"reason": reason, "other": reason},
			"an option that is not there":     {"reason": reason, "which": chosen("c")},
			"a value of another kind":         {"reason": {"text": workspace.Chosen("checkboxes", "yes")}},
		} {
			if s.Submit("alice", opened.ID, values) == nil {
				t.Errorf("alice could submit %s", name)
			}
		}
		if err := s.Submit("alice", opened.ID, map[string]map[string]any{"reason": reason, "which": chosen("b")}); err != nil {
			t.Fatal(err)
		}
		e = next(t, client, socketmode.EventTypeInteractive)
		submission, ok := e.Data.(slack.InteractionCallback)
		if !ok {
			t.Fatalf("got %T", e.Data)
		}
		values := submission.View.State.Values
		if values["reason"]["text"].Value != "planned" || len(values["prune"]["on"].SelectedOptions) != 0 ||
			values["prune"]["on"].Type != "checkboxes" || values["which"]["list"].SelectedOptions[0].Value != "b" {
			t.Errorf("got %+v", values)
		}
		ack(t, client, e, slack.NewUpdateViewSubmissionResponse(&slack.ModalViewRequest{
			Type: slack.VTModal, Title: plain("Working"), Blocks: slack.Blocks{BlockSet: []slack.Block{slack.NewDividerBlock()}},
		}))
		s.await(t, func() bool { return s.Views("alice")[0].Title == "Working" })
		if s.Submit("alice", opened.ID, nil) == nil {
			t.Error("alice could submit a view without a button for it")
		}
	})
}

func TestAPageOfMembersIsBelowAThousand(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		_, _, err := s.client.GetUsersInConversationContext(t.Context(), &slack.GetUsersInConversationParameters{ChannelID: s.deploys.ID(), Limit: 1000})
		wantError(t, err, "invalid_limit")
		some, cursor, err := s.client.GetUsersInConversationContext(t.Context(), &slack.GetUsersInConversationParameters{ChannelID: s.deploys.ID(), Limit: 2})
		if err != nil || len(some) != 2 || cursor == "" {
			t.Errorf("%v %q %v", some, cursor, err)
		}
	})
}
