package page_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/slack-go/slack"

	"github.com/argo-why/argo-why/internal/workspace"
	"github.com/argo-why/argo-why/internal/workspace/page"
	"github.com/argo-why/argo-why/internal/workspace/workspacetest"
)

func TestBlocksAsHTML(t *testing.T) {
	for name, tt := range map[string]struct{ blocks, want string }{
		"header": {
			`[{"type":"header","text":{"type":"plain_text","text":":red_circle: *shop* <b>"}}]`, `<h3 class="block-header">🔴 *shop* &lt;b&gt;</h3>`,
		},
		"bold, italic, strike, code": {section(`*a* _b_ ~c~ ` + "`*d*`"), "<b>a</b> <i>b</i> <s>c</s> <code>*d*</code>"},
		"marks within words":         {section(`my_app_name 2*3*4`), "my_app_name 2*3*4"},
		"link":                       {section(`<https://a.example/?x=1&amp;y=2|here>`), `<a href="https://a.example/?x=1&amp;y=2" target="_blank" rel="noopener noreferrer">here</a>`},
		"no link but a script":       {section(`<javascript:alert(1)|here>`), "here"},
		"mention":                    {section(`<@U1> <!here>`), `<span class="mention">@U1</span> <span class="mention you loud">@here</span>`},
		"escaped mention":            {section(`&lt;!here&gt;`), "&lt;!here&gt;"},
		"raw HTML":                   {section(`<script>alert(1)</script>`), "script"},
		"preformatted":               {section("a\n```\nx *y*\nz```\nb"), "a<br><pre>x *y*\nz</pre>b"},
		"quote":                      {section("&gt; said\nme"), "<blockquote>said</blockquote>me"},
		"button": {
			`[{"type":"actions","elements":[{"type":"button","style":"danger","text":{"type":"plain_text","text":"Roll <back>"}}]}]`,
			`data-action-id="">Roll &lt;back&gt;</button>`,
		},
		"rich text": {
			`[{"type":"rich_text","elements":[{"type":"rich_text_preformatted","elements":[{"type":"text","text":"a <b>"}]}]}]`,
			"<pre>a &lt;b&gt;</pre>",
		},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := page.RenderBlocks(json.RawMessage(tt.blocks))
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(string(got), tt.want) || strings.Contains(string(got), "<script") {
				t.Errorf("got %s\nwant %s in it", got, tt.want)
			}
		})
	}
	if _, err := page.RenderBlocks(json.RawMessage(`{}`)); err == nil {
		t.Error("no error for what is no list")
	}
}

func section(text string) string {
	raw, err := json.Marshal([]any{map[string]any{"type": "section", "text": map[string]string{"type": "mrkdwn", "text": text}}})
	if err != nil {
		panic(err)
	}
	return string(raw)
}

func TestPeopleSeeTheChannelAndWhatIsForThem(t *testing.T) {
	w, address := workspacetest.Start(t)
	app := w.AddApp(workspace.App{Name: "argo"})
	alice := w.AddUser(workspace.User{Name: "alice"})
	w.AddUser(workspace.User{Name: "bob"})
	deploys := w.AddChannel("deploys", "alice", "bob", "argo")
	ts, err := w.Say("alice", "deploys", "<@"+app.BotUserID+"> why shop?", "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Say("alice", "deploys", "a reply", ts); err != nil {
		t.Fatal(err)
	}
	bot := slack.New(app.BotToken, slack.OptionAPIURL(address+"/api/"))
	if _, err := bot.PostEphemeralContext(t.Context(), deploys.ID(), alice.ID, slack.MsgOptionText("for alice", false)); err != nil {
		t.Fatal(err)
	}
	if _, err := bot.PostEphemeralContext(t.Context(), deploys.ID(), alice.ID, slack.MsgOptionText("in the thread", false), slack.MsgOptionTS(ts)); err != nil {
		t.Fatal(err)
	}

	for _, tt := range []struct {
		path          string
		there, absent []string
	}{
		{"/channel/deploys?as=bob", []string{`@argo</span> why shop?`, "1 reply"}, []string{"a reply", "for alice"}},
		{"/channel/deploys?as=alice", []string{"for alice", "Only visible to you"}, []string{"in the thread"}},
		{"/channel/" + deploys.ID() + "/" + ts + "?as=bob", []string{"a reply", "Thread"}, []string{"in the thread"}},
		{"/channel/" + deploys.ID() + "/" + ts + "?as=alice", []string{"a reply", "in the thread", "for alice"}, nil}, // with the channel beside
	} {
		rec := httptest.NewRecorder()
		page.New(page.Options{Workspace: w}).ServeHTTP(rec, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "http://localhost"+tt.path, nil))
		if rec.Code != http.StatusOK {
			t.Errorf("%s: %d", tt.path, rec.Code)
		}
		for _, text := range tt.there {
			if !strings.Contains(rec.Body.String(), text) {
				t.Errorf("%s does not show %q:\n%s", tt.path, text, rec.Body)
			}
		}
		if strings.Count(rec.Body.String(), "for alice") > 1 {
			t.Errorf("%s shows twice what is said once", tt.path)
		}
		for _, text := range tt.absent {
			if strings.Contains(rec.Body.String(), text) {
				t.Errorf("%s shows %q", tt.path, text)
			}
		}
	}
}
