package page_test

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/slack-go/slack"

	"github.com/argo-why/argo-why/internal/workspace"
	"github.com/argo-why/argo-why/internal/workspace/page"
)

func TestElementsAsHTML(t *testing.T) {
	for name, tt := range map[string]struct {
		blocks string
		want   []string
	}{
		"fields": {
			`[{"type":"section","fields":[{"type":"mrkdwn","text":"*A*"},{"type":"plain_text","text":"*B*"}]}]`,
			[]string{`<div class="fields"><div><b>A</b></div><div>*B*</div></div>`},
		},
		"context": {
			`[{"type":"context","elements":[{"type":"plain_text","text":"a <b>"},{"type":"mrkdwn","text":"_c_"}]}]`,
			[]string{`<div class="context"><span>a &lt;b&gt;</span><span><i>c</i></span></div>`},
		},
		"button that opens an address": {
			`[{"type":"actions","elements":[{"type":"button","action_id":"open","url":"https://argocd.example/a","text":{"type":"plain_text","text":"Open"}}]}]`,
			[]string{`<a class="button " href="https://argocd.example/a" target="_blank" rel="noopener noreferrer" data-action-id="open"`},
		},
		"button with a script for an address": {
			`[{"type":"actions","elements":[{"type":"button","action_id":"open","url":"javascript:alert(1)","text":{"type":"plain_text","text":"Open"}}]}]`,
			[]string{`<button class="button "`},
		},
		"confirmation": {
			`[{"type":"actions","elements":[{"type":"button","action_id":"del","style":"danger","text":{"type":"plain_text","text":"Delete"},
			"confirm":{"title":{"type":"plain_text","text":"Sure?"},"text":{"type":"mrkdwn","text":"*All* of it"},
			"confirm":{"type":"plain_text","text":"Yes"},"deny":{"type":"plain_text","text":"No"},"style":"danger"}}]}]`,
			[]string{
				`<button type="button" class="button danger" data-action-id="del" data-opens="`, `<dialog class="modal confirm"`, "Sure?</h2>",
				"<b>All</b> of it", "data-dismiss>No</button>", `<button class="button danger" formaction="/act"`,
			},
		},
		"overflow": {
			`[{"type":"section","text":{"type":"plain_text","text":"x"},"accessory":{"type":"overflow","action_id":"more","options":[
			{"text":{"type":"plain_text","text":"One"},"value":"1"}]}}]`,
			[]string{`aria-label="More actions"`, `role="menuitem"`, `data-option="1">One</button>`},
		},
		"grouped options": {
			`[{"type":"actions","elements":[{"type":"static_select","action_id":"m","placeholder":{"type":"plain_text","text":"Pick"},"option_groups":[
			{"label":{"type":"plain_text","text":"Group"},"options":[{"text":{"type":"plain_text","text":"One"},"value":"1"}]}]}]}]`,
			[]string{`<span class="grouping" role="presentation">Group</span>`, `aria-haspopup="menu"`, ">Pick</button>"},
		},
		"lists": {
			`[{"type":"rich_text","elements":[{"type":"rich_text_list","style":"ordered","indent":1,"offset":2,"elements":[
			{"type":"rich_text_section","elements":[{"type":"text","text":"a","style":{"bold":true,"code":true}}]}]}]}]`,
			[]string{`<ol class="indent-1" start="3"><li><div><b><code>a</code></b></div></li></ol>`},
		},
		"mentions in rich text": {
			`[{"type":"rich_text","elements":[{"type":"rich_text_section","elements":[{"type":"user","user_id":"U1"},{"type":"usergroup","usergroup_id":"S1"},
			{"type":"broadcast","range":"here"},{"type":"emoji","name":"tada"},{"type":"link","url":"https://a.example"}]}]}]`,
			[]string{`@U1</span>`, `@S1</span>`, `@here</span>`, "🎉", `href="https://a.example" target="_blank"`},
		},
		"table": {
			`[{"type":"table","rows":[[{"type":"raw_text","text":"<i>"}]]}]`, []string{"<td>&lt;i&gt;</td>"},
		},
		"image":             {`[{"type":"image","image_url":"https://a.example/x.png","alt_text":"a graph"}]`, []string{`<div class="picture">a graph</div>`}},
		"what is not known": {`[{"type":"<video>"}]`, []string{"&lt;video&gt;"}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := page.RenderBlocks(json.RawMessage(tt.blocks))
			if err != nil {
				t.Fatal(err)
			}
			wants(t, string(got), tt.want...)
			wantsNone(t, string(got), "javascript:", " style=")
		})
	}
}

func TestDatesAge(t *testing.T) {
	now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	s := newScene(t, func(o *page.Options) { o.Now = func() time.Time { return now } })
	at := func(d time.Duration, format string) string {
		return "<!date^" + strconv.FormatInt(now.Add(d).Unix(), 10) + "^" + format + "|fallback>"
	}
	for _, tt := range []struct{ text, want string }{
		{at(-2*time.Minute, "{ago}"), ">2 minutes ago</time>"},
		{at(-3*time.Hour, "since {ago}"), ">since 3 hours ago</time>"},
		{at(-time.Second, "{ago}"), ">a few seconds ago</time>"},
		{at(25*time.Hour, "{ago}"), ">in 1 day</time>"},
		{at(0, "{date_short_pretty} at {time}"), ">today at 12:00</time>"},
		{at(-24*time.Hour, "{date_pretty}"), ">yesterday</time>"},
		{at(-24*30*time.Hour, "{date_short}"), ">Oct 23, 2026</time>"},
		{"<!date^no^{ago}|the <fallback>>", "the &lt;fallback"},
	} {
		if _, _, err := s.client.PostMessageContext(t.Context(), s.deploys.ID(), slack.MsgOptionText(tt.text, false)); err != nil {
			t.Fatal(err)
		}
		wants(t, s.get(t, "/channel/deploys"), tt.want)
	}
}

func TestLinksToMessagesStayInThePage(t *testing.T) {
	s := newScene(t)
	root, err := s.Say("alice", "deploys", "root", "")
	if err != nil {
		t.Fatal(err)
	}
	reply, err := s.Say("alice", "deploys", "reply", root)
	if err != nil {
		t.Fatal(err)
	}
	text := "<" + s.deploys.Permalink(reply) + "|there> <https://argocd.example|out> <#" + s.deploys.ID() + ">"
	if _, _, err := s.client.PostMessageContext(t.Context(), s.deploys.ID(), slack.MsgOptionText(text, false)); err != nil {
		t.Fatal(err)
	}
	wants(t, s.get(t, "/channel/deploys?as=bob"),
		`<a data-nav href="/channel/`+s.deploys.ID()+"/"+root+"?as=bob#t-"+reply+`">there</a>`,
		`<a href="https://argocd.example" target="_blank" rel="noopener noreferrer">out</a>`,
		`<a class="mention" data-nav href="/channel/`+s.deploys.ID()+`?as=bob">#deploys</a>`)
}

func TestAttachmentsHaveTheirColors(t *testing.T) {
	s := newScene(t)
	for color, want := range map[string]string{
		"good": "bar-green", "danger": "bar-red", "#ff0000": "bar-red", "0055aa": "bar-blue", `red" onload="x`: "bar-grey", "": "bar-grey",
	} {
		s.postAttachment(t, map[string]string{"color": color, "title": "A title", "text": "*bold*"})
		html := s.get(t, "/channel/deploys")
		last := html[strings.LastIndex(html, "<article"):]
		wants(t, last, `class="attachment `+want+`"`, "<b>A title</b>", "<b>bold</b>")
	}
}

func TestFiles(t *testing.T) {
	s := newScene(t)
	content := strings.Repeat("a <b> line\n", 10)
	if _, err := s.client.UploadFileContext(t.Context(), slack.UploadFileParameters{
		Channel: s.deploys.ID(), Filename: "diff.yaml", Title: "What <differs>", Content: content, FileSize: len(content),
	}); err != nil {
		t.Fatal(err)
	}
	html := s.get(t, "/channel/deploys?as=alice")
	wants(t, html, "What &lt;differs&gt;</a>", "YAML · 110 bytes", "a &lt;b&gt; line", "Open the other 2 lines", `target="_blank"`)
	_, path, _ := strings.Cut(html, `href="/file/`)
	path, _, _ = strings.Cut(path, `"`)
	if got := s.get(t, "/file/"+path); got != content {
		t.Errorf("the file is %q", got)
	}
}

func TestArchivedChannelHasNoComposer(t *testing.T) {
	s := newScene(t)
	s.deploys.Archive()
	html := s.get(t, "/channel/deploys")
	wants(t, html, "an archived channel")
	wantsNone(t, html, "<textarea")
}

func TestOnesOwnDirectMessages(t *testing.T) {
	s := newScene(t)
	if _, err := s.Tell("alice", s.app, "a question", ""); err != nil {
		t.Fatal(err)
	}
	mine := s.DirectMessage(s.app, "alice")
	html := s.get(t, "/channel/"+mine.ID()+"?as=alice")
	wants(t, html, "a question", "Message argo")
	// Somebody else is led to a conversation of their own.
	html = s.get(t, "/channel/"+mine.ID()+"?as=bob")
	wants(t, html, "Message argo", "the very beginning of your direct message history")
	wantsNone(t, html, "a question")
}

// hostile would act if it stood in the page as it is.
const hostile = `"'><script>alert(1)</script><img src=x onerror=alert(1)> &lt;b&gt; javascript:alert(1)`

func TestNothingThatIsSaidActs(t *testing.T) {
	s := newScene(t)
	s.AddUser(workspace.User{Name: `eve"><script>`})
	s.AddChannel(`bad"><script>`, "alice", `eve"><script>`, "argo")
	text := func(s string) *slack.TextBlockObject {
		return slack.NewTextBlockObject(slack.PlainTextType, s, false, false)
	}
	markup := slack.NewTextBlockObject(slack.MarkdownType, hostile+" <javascript:alert(1)|x> <https://a.example/\" onclick=\"x|y>", false, false)
	short := `"><script>alert(1)</script>`
	button := slack.NewButtonBlockElement(short, short, text(short))
	button.Confirm = slack.NewConfirmationBlockObject(text(short), text(short), text("<yes>"), text("<no>"))
	menu := slack.NewOptionsSelectBlockElement(slack.OptTypeStatic, text(short), "menu"+short, slack.NewOptionBlockObject(short, text(short), nil))
	blocks := []slack.Block{
		slack.NewHeaderBlock(text(hostile)), slack.NewSectionBlock(markup, []*slack.TextBlockObject{text(hostile)}, nil),
		slack.NewContextBlock("", text(hostile)), slack.NewActionBlock(short, button, menu),
	}
	for _, option := range []slack.MsgOption{
		slack.MsgOptionText(hostile, false), slack.MsgOptionBlocks(blocks...),
	} {
		if _, _, err := s.client.PostMessageContext(t.Context(), s.deploys.ID(), option); err != nil {
			t.Fatal(err)
		}
	}
	s.postAttachment(t, map[string]string{"color": hostile, "title": hostile, "title_link": "javascript:alert(1)", "text": hostile, "pretext": hostile})
	s.send(t, "/say", 204, "text", hostile)
	s.send(t, "/say", 204, "text", "/"+hostile)
	if _, err := s.client.UploadFileContext(t.Context(), slack.UploadFileParameters{
		Channel: s.deploys.ID(), Filename: hostile, Title: hostile, Content: hostile, FileSize: len(hostile),
	}); err != nil {
		t.Fatal(err)
	}
	html := s.get(t, "/channel/deploys?as=alice&theme="+`"><script>`)
	wantsNone(t, html, "<script>", "<img", ` onclick="`, `href="javascript:`, " style=", "ZgotmplZ")
	if n := strings.Count(html, "&lt;script&gt;alert(1)"); n < 10 {
		t.Errorf("only %d of the texts are shown", n)
	}
}
