package page_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/slack-go/slack"
	"github.com/slack-go/slack/socketmode"

	"github.com/argo-why/argo-why/internal/workspace"
	"github.com/argo-why/argo-why/internal/workspace/page"
)

const buttons = `[{"type":"actions","block_id":"one","elements":[{"type":"button","action_id":"go","value":"1","text":{"type":"plain_text","text":"Go"}}]},
	{"type":"actions","block_id":"two","elements":[{"type":"button","action_id":"go","value":"2","text":{"type":"plain_text","text":"Go"}},
	{"type":"static_select","action_id":"mute","placeholder":{"type":"plain_text","text":"Mute"},"options":[
		{"text":{"type":"plain_text","text":"1 hour"},"value":"1h"},{"text":{"type":"plain_text","text":"1 day"},"value":"1d"}]},
	{"type":"checkboxes","action_id":"boxes","options":[
		{"text":{"type":"plain_text","text":"A"},"value":"a"},{"text":{"type":"plain_text","text":"B"},"value":"b"}]}]}]`

func TestWhatIsWrittenArrivesAsSlackSendsIt(t *testing.T) {
	s := newScene(t)
	g := s.AddGroup(workspace.Group{Handle: "oncall", UserIDs: []string{"bob"}})
	for typed, want := range map[string]string{
		"@argo why shop?":                    "<@" + s.app.BotUserID + "> why shop?",
		"a < b & c":                          "a &lt; b &amp; c",
		"(@oncall), @here: #deploys.":        "(<!subteam^" + g.ID + ">), <!here>: <#" + s.deploys.ID() + ">.",
		"see https://a.example/?x=1&y=2 now": "see <https://a.example/?x=1&amp;y=2> now",
		"me@argo.example @nobody `@here`":    "me@argo.example @nobody `@here`",
		" /argo why":                         "/argo why",
	} {
		s.send(t, "/say", http.StatusNoContent, "text", typed)
		if last, _ := s.deploys.Last(); last.Text != want || last.User != s.alice.ID {
			t.Errorf("%q arrived as %q, want %q", typed, last.Text, want)
		}
	}
	before := len(s.deploys.All())
	s.send(t, "/say", http.StatusNoContent, "text", "  ")
	if len(s.deploys.All()) != before {
		t.Error("an empty message was sent")
	}
}

func TestRepliesGoIntoTheirThread(t *testing.T) {
	s := newScene(t)
	s.send(t, "/say", http.StatusNoContent, "text", "root")
	root, _ := s.deploys.Last()
	s.send(t, "/say", http.StatusNoContent, "text", "a reply", "thread", root.TS)
	if got := s.deploys.Thread(root.TS); len(got) != 2 || got[1].Text != "a reply" {
		t.Errorf("thread: %+v", got)
	}
	html := s.get(t, "/channel/deploys/"+root.TS+"?as=bob")
	wants(t, html, `<b>1 reply</b>`, `id="t-`+root.TS, `data-close`)
}

func TestCommands(t *testing.T) {
	s := newScene(t)
	client := s.connect(t)
	s.send(t, "/say", http.StatusNoContent, "text", "/argo why <shop>")
	e := next(t, client, socketmode.EventTypeSlashCommand)
	if c, ok := e.Data.(slack.SlashCommand); !ok || c.Command != "/argo" || c.Text != "why &lt;shop&gt;" || c.UserID != s.alice.ID {
		t.Errorf("got %+v", e.Data)
	}
	s.send(t, "/say", http.StatusNoContent, "text", "/nope now")
	s.send(t, "/say", http.StatusNoContent, "text", "root")
	root, _ := s.deploys.Last()
	s.send(t, "/say", http.StatusNoContent, "text", "/argo why shop", "thread", root.TS)

	html := s.get(t, "/channel/deploys?as=alice")
	wants(t, html, `<code>/nope</code> is not a valid command`, "Only visible to you", "Slackbot")
	wantsNone(t, html, "not supported in threads")
	wants(t, s.get(t, "/channel/deploys/"+root.TS+"?as=alice"), `<code>/argo</code> is not supported in threads. Sorry!`)
	wantsNone(t, s.get(t, "/channel/deploys?as=bob"), "not a valid command")
}

func TestAppThatIsNotThere(t *testing.T) {
	s := newScene(t)
	s.send(t, "/say", http.StatusNoContent, "text", "/argo why shop")
	wants(t, s.get(t, "/channel/deploys?as=alice"), `/argo failed with the error &#34;dispatch_failed&#34;`)
	ts := s.post(t)
	s.send(t, "/act", http.StatusNoContent, "ts", ts, "press", "block=two&action=go")
	html := s.get(t, "/channel/deploys?as=alice")
	_, after, _ := strings.Cut(html, `value="action=go&amp;block=two"`)
	wants(t, after, "This app is not configured to handle interactive responses.")
	if strings.Count(html, "interactive responses") != 1 {
		t.Error("it is said beside another button, too")
	}
	wantsNone(t, s.get(t, "/channel/deploys?as=bob"), "interactive responses")
}

func TestPresses(t *testing.T) {
	s := newScene(t)
	client := s.connect(t)
	ts := s.post(t)
	html := s.get(t, "/channel/deploys?as=alice")
	press := func(values ...string) *slack.BlockAction {
		t.Helper()
		v := url.Values{}
		for i := 0; i < len(values); i += 2 {
			v.Add(values[i], values[i+1])
		}
		s.send(t, "/act", http.StatusNoContent, "ts", ts, "press", v.Encode())
		e := next(t, client, socketmode.EventTypeInteractive)
		if err := client.Ack(*e.Request); err != nil {
			t.Fatal(err)
		}
		i, ok := e.Data.(slack.InteractionCallback)
		if !ok || i.User.ID != s.alice.ID || i.Message.Timestamp != ts {
			t.Fatalf("got %+v", e.Data)
		}
		return i.ActionCallback.BlockActions[0]
	}
	wants(t, html, `value="action=go&amp;block=one"`, `value="action=mute&amp;block=two&amp;option=1d"`)
	if a := press("block", "two", "action", "go"); a.Value != "2" || a.BlockID != "two" {
		t.Errorf("pressed %+v", a)
	}
	if a := press("block", "two", "action", "mute", "option", "1d"); a.SelectedOption.Value != "1d" {
		t.Errorf("chose %+v", a)
	}
	if a := press("block", "two", "action", "boxes", "option", "a", "option", "b"); len(a.SelectedOptions) != 2 {
		t.Errorf("ticked %+v", a)
	}
	if a := press("block", "two", "action", "boxes"); len(a.SelectedOptions) != 0 {
		t.Errorf("ticked %+v", a)
	}
	for _, wrong := range []string{"block=two&action=mute&option=9", "block=three&action=go", "action=go", "%"} {
		s.send(t, "/act", http.StatusUnprocessableEntity, "ts", ts, "press", wrong)
	}
	s.send(t, "/act", http.StatusUnprocessableEntity, "ts", "1.000000", "press", "block=two&action=go")
}

func TestAButtonIsBusyUntilItIsAcknowledged(t *testing.T) {
	s := newScene(t)
	client := s.connect(t)
	ts := s.post(t)
	s.send(t, "/act", http.StatusNoContent, "ts", ts, "press", "block=two&action=go")
	e := next(t, client, socketmode.EventTypeInteractive)
	if n := strings.Count(s.get(t, "/channel/deploys?as=alice"), `aria-busy="true"`); n != 1 {
		t.Errorf("%d elements are busy", n)
	}
	if err := client.Ack(*e.Request); err != nil {
		t.Fatal(err)
	}
	if err := s.Await(t.Context(), func() bool { return len(s.Attempts("alice")) == 0 }); err != nil {
		t.Fatal(err)
	}
	wantsNone(t, s.get(t, "/channel/deploys?as=alice"), `aria-busy`)
}

func TestReactions(t *testing.T) {
	s := newScene(t)
	s.send(t, "/say", http.StatusNoContent, "text", "root")
	root, _ := s.deploys.Last()
	if err := s.React("bob", "deploys", root.TS, "eyes"); err != nil {
		t.Fatal(err)
	}
	wants(t, s.get(t, "/channel/deploys?as=alice"), `aria-pressed="false"`, "👀 1")
	s.send(t, "/react", http.StatusNoContent, "ts", root.TS, "emoji", "eyes")
	wants(t, s.get(t, "/channel/deploys?as=alice"), `aria-pressed="true"`, "👀 2")
}

func TestNobodyWritesWhereTheyAreNot(t *testing.T) {
	s := newScene(t)
	other := s.AddPrivateChannel("leads", "bob")
	html := s.get(t, "/channel/deploys?as=alice")
	wantsNone(t, html, "leads")
	r := url.Values{"as": {"alice"}, "channel": {other.ID()}, "text": {"hello"}}
	request := s.request(t, http.MethodPost, "/say", strings.NewReader(r.Encode()))
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	s.body(t, request, http.StatusUnprocessableEntity)
	if len(other.All()) != 0 {
		t.Error("it was written")
	}
}

func TestCompletion(t *testing.T) {
	s := newScene(t, func(o *page.Options) {
		o.Complete = func(as, command, text string) []page.Completion {
			return []page.Completion{{Insert: "why shop", Label: "shop", Detail: as + command + text}}
		}
	})
	ask := func(text, thread string) string {
		return s.get(t, "/complete?"+url.Values{"as": {"alice"}, "channel": {s.deploys.ID()}, "text": {text}, "thread": {thread}}.Encode())
	}
	wants(t, ask("/a", ""), `"text":"/argo "`)
	wants(t, ask("/argo why s", ""), `{"text":"/argo why shop","label":"shop","detail":"alice/argowhy s","exact":false}`)
	wants(t, ask("/argo why shop", ""), `"exact":true`)
	wants(t, ask("@argo why s", ""), `"text":"@argo why shop"`)
	wants(t, ask("hello @b", ""), `"text":"hello @bob "`)
	wants(t, ask("hello @", ""), `"@argo "`[1:], `@here`)
	for _, nothing := range []string{"/x", "hello", "a@b", ""} {
		if got := strings.TrimSpace(ask(nothing, "")); got != "[]" {
			t.Errorf("%q offers %s", nothing, got)
		}
	}
	if got := strings.TrimSpace(ask("/argo why s", "1.000000")); got != "[]" {
		t.Errorf("in a thread a command offers %s", got)
	}
}
