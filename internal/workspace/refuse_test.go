package workspace_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/slack-go/slack"
)

// call sends a form, as any HTTP client would, and returns the headers and the body.
func (s *scene) call(t *testing.T, address, token, contentType, body string) (http.Header, map[string]any) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if contentType != "" {
		r.Header.Set("Content-Type", contentType)
	}
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	response, err := (&http.Client{Transport: s.Transport()}).Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var out map[string]any
	if err := json.NewDecoder(response.Body).Decode(&out); err != nil {
		t.Fatal(err)
	}
	return response.Header, out
}

const form = "application/x-www-form-urlencoded"

func TestRefusalsOfSlack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		open := s.AddChannel("open", "alice")
		secret := s.AddPrivateChannel("secret", "alice")
		old := s.AddChannel("old", "argo", "alice")
		bot, app := s.app.BotToken, s.app.AppToken
		mine := post(t, s, slack.MsgOptionText("mine", false))
		theirs, err := s.Say("alice", "deploys", "theirs", "")
		if err != nil {
			t.Fatal(err)
		}
		late := post(t, s, slack.MsgOptionText("x", false))
		old.Archive()
		deploys := s.deploys.ID()
		long := func(n int) string { return strings.Repeat("x", n) }
		metadata := func(payload string) string {
			return url.QueryEscape(`{"event_type":"e","event_payload":` + payload + `}`)
		}

		for _, tt := range []struct{ name, method, token, args, code string }{
			{"no token", "auth.test", "", "", "not_authed"},
			{"wrong token", "auth.test", "xoxb-1", "", "invalid_auth"},
			{"app token for a message", "chat.postMessage", app, "channel=" + deploys + "&text=x", "not_allowed_token_type"},
			{"bot token for a socket", "apps.connections.open", bot, "", "not_allowed_token_type"},
			{"unknown method", "chat.postMassage", bot, "", "unknown_method"},
			{"no channel", "chat.postMessage", bot, "text=x", "channel_not_found"},
			{"unknown channel", "chat.postMessage", bot, "channel=C1&text=x", "channel_not_found"},
			{"public channel without the bot", "chat.postMessage", bot, "channel=" + open.ID() + "&text=x", "not_in_channel"},
			{"private channel without the bot", "chat.postMessage", bot, "channel=" + secret.ID() + "&text=x", "channel_not_found"},
			{"archived channel", "chat.postMessage", bot, "channel=" + old.ID() + "&text=x", "is_archived"},
			{"no text", "chat.postMessage", bot, "channel=" + deploys, "no_text"},
			{"no text but empty blocks", "chat.postMessage", bot, "channel=" + deploys + "&blocks=[]", "no_text"},
			{"blocks that are no JSON", "chat.postMessage", bot, "channel=" + deploys + "&blocks=x", "invalid_blocks_format"},
			{"unknown thread", "chat.postMessage", bot, "channel=" + deploys + "&text=x&thread_ts=1.1", "thread_not_found"},
			{"metadata without payload", "chat.postMessage", bot, "channel=" + deploys + "&text=x&metadata=%7B%22event_type%22:%22e%22%7D", "invalid_metadata_schema"},
			{"metadata that is no JSON", "chat.postMessage", bot, "channel=" + deploys + "&text=x&metadata=x", "invalid_metadata_format"},
			{"long metadata", "chat.postMessage", bot, "channel=" + deploys + "&text=x&metadata=" + metadata(`{"x":"`+long(8000)+`"}`), "metadata_too_large"},
			{"update of another's message", "chat.update", bot, "channel=" + deploys + "&ts=" + theirs + "&text=x", "cant_update_message"},
			{"update by the channel's name", "chat.update", bot, "channel=deploys&ts=" + mine + "&text=x", "channel_not_found"},
			{"update of no message", "chat.update", bot, "channel=" + deploys + "&ts=1.1&text=x", "message_not_found"},
			{"update with long text", "chat.update", bot, "channel=" + deploys + "&ts=" + mine + "&text=" + long(4001), "msg_too_long"},
			{"deletion of another's message", "chat.delete", bot, "channel=" + deploys + "&ts=" + theirs, "cant_delete_message"},
			{"deletion", "chat.delete", bot, "channel=" + deploys + "&ts=" + late, ""},
			{"deletion of the deleted", "chat.delete", bot, "channel=" + deploys + "&ts=" + late, "message_not_found"},
			{"whisper to nobody", "chat.postEphemeral", bot, "channel=" + deploys + "&user=U1&text=x", "user_not_in_channel"},
			{"history of a public channel without the bot", "conversations.history", bot, "channel=" + open.ID(), "not_in_channel"},
			{"history of a private one", "conversations.history", bot, "channel=" + secret.ID(), "channel_not_found"},
			{"replies to nothing", "conversations.replies", bot, "channel=" + deploys + "&ts=1.1", "thread_not_found"},
			{"wrong cursor", "conversations.history", bot, "channel=" + deploys + "&cursor=x", "invalid_cursor"},
			{"wrong oldest", "conversations.history", bot, "channel=" + deploys + "&oldest=yesterday", "invalid_ts_oldest"},
			{"info of a private channel", "conversations.info", bot, "channel=" + secret.ID(), "channel_not_found"},
			{"join of a private channel", "conversations.join", bot, "channel=" + secret.ID(), "channel_not_found"},
			{"unknown user", "users.info", bot, "user=U1", "user_not_found"},
			{"unknown address", "users.lookupByEmail", bot, "email=x@y", "users_not_found"},
			{"unknown group", "usergroups.users.list", bot, "usergroup=S1", "no_such_subteam"},
			{"view without trigger", "views.open", bot, "view=" + url.QueryEscape(`{"type":"modal","title":{"type":"plain_text","text":"x"},"blocks":[]}`), "invalid_trigger_id"},
			{"view without title", "views.open", bot, "view=" + url.QueryEscape(`{"type":"modal","blocks":[]}`), "invalid_arguments"},
		} {
			_, body := s.call(t, "http://slack.test/api/"+tt.method, tt.token, form, tt.args)
			if got, _ := body["error"].(string); got != tt.code || body["ok"] != (tt.code == "") {
				t.Errorf("%s: got %v, want %q", tt.name, body, tt.code)
			}
		}
	})
}

func TestMissingScopeNamesItself(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		s.SetScopes(s.app, "channels:read", "users:read")
		headers, body := s.call(t, "http://slack.test/api/chat.postMessage", s.app.BotToken, form, "channel="+s.deploys.ID()+"&text=x")
		if body["error"] != "missing_scope" || body["needed"] != "chat:write" || body["provided"] != "channels:read,users:read" {
			t.Errorf("got %v", body)
		}
		if got := headers.Get("X-Oauth-Scopes"); got != "channels:read,users:read" {
			t.Errorf("the header says %q", got)
		}
		// A scope of one kind of conversation does not open the others.
		_, body = s.call(t, "http://slack.test/api/conversations.list", s.app.BotToken, form, "types=public_channel,private_channel")
		if body["error"] != "missing_scope" || body["needed"] != "groups:read" {
			t.Errorf("got %v", body)
		}
		if u, err := s.client.GetUserInfoContext(t.Context(), s.alice.ID); err != nil || u.Profile.Email != "" {
			t.Errorf("got %q, %v without users:read.email", u.Profile.Email, err)
		}
		s.Revoke(s.app)
		_, err := s.client.AuthTestContext(t.Context())
		wantError(t, err, "token_revoked")
	})
}

func TestBodiesAndContentTypes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		address, channel := "http://slack.test/api/chat.postMessage", s.deploys.ID()
		for _, tt := range []struct{ token, kind, body, code string }{
			{s.app.BotToken, "application/json; charset=utf-8", `{"channel":"` + channel + `","blocks":[{"type":"divider"}]}`, ""},
			{s.app.BotToken, "application/json", `{`, "invalid_json"},
			{"", "application/json", `{"token":"` + s.app.BotToken + `","channel":"` + channel + `","text":"x"}`, "not_authed"},
			{"", form, "token=" + s.app.BotToken + "&channel=" + channel + "&text=x", ""},
			{s.app.BotToken, "text/xml", "<x/>", "invalid_post_type"},
			{s.app.BotToken, "", "text=x", "missing_post_type"},
		} {
			if _, body := s.call(t, address, tt.token, tt.kind, tt.body); body["ok"] != (tt.code == "") || tt.code != "" && body["error"] != tt.code {
				t.Errorf("%s %s: got %v", tt.kind, tt.body, body)
			}
		}
	})
}

func TestLongTextIsCut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		post(t, s, slack.MsgOptionText(strings.Repeat("é", 40_001), false))
		if n := len([]rune(s.deploys.Messages()[0].Text)); n != 40_000 {
			t.Errorf("%d characters stand in the channel", n)
		}
	})
}
