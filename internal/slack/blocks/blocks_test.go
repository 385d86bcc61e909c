package blocks_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/slack-go/slack"

	"github.com/argo-why/argo-why/internal/slack/blocks"
)

// hostile are texts that Slack, JSON or a careless program would take for something else.
var hostile = []string{
	"<!channel> <!here> <@U0123> <#C0123> <https://evil.example|click>", "@here @channel @everyone", "``` *b* _i_ ~s~ `c` :fire:",
	"&lt;!channel&gt; &amp;", "a\x00b\x07\x1b[31m", "\xff\xfe", "\ud7ff\uffff\U0010ffff", "\u202egpj", "", " ", "\n\n\n",
	strings.Repeat("&", 5000), strings.Repeat("😀", 5000), strings.Repeat("x", 50_000), strings.Repeat("line\n", 10_000),
}

var when = time.Date(2026, 11, 20, 8, 0, 0, 0, time.UTC)

func everything(s string) ([]blocks.Block, []blocks.Block) {
	body := []blocks.Block{
		blocks.Header(s), blocks.Context(s, "since ", when),
		blocks.Text(blocks.Bold("Why "), blocks.Plain(s), blocks.Link("https://"+s, s), blocks.Link("https://argocd.example.com/x", s), blocks.Ago(when)),
		blocks.Steps([]blocks.Span{blocks.Plain(s), blocks.Mono(s)}, []blocks.Span{blocks.Struck(s)}),
		blocks.Bullets([]blocks.Span{blocks.Plain(s)}, nil, []blocks.Span{blocks.Ago(time.Time{})}),
	}
	body = append(body, blocks.Code(s)...)
	body = append(body, blocks.Text(blocks.User(s), blocks.Group(s), blocks.Clock(when)))
	body = append(body, blocks.Code(blocks.WithoutMiddle(s, 3000))...)
	row := blocks.Controls(s, blocks.Button{ID: "open", Text: s, URL: "https://argocd.example.com"}, blocks.Button{ID: "act", Text: s, Value: s},
		blocks.Menu{ID: "menu", Text: s, Options: []blocks.Option{{Text: s, Value: "1"}, {Text: "x", Value: s}}})
	return body, []blocks.Block{row, blocks.Context(s, "", time.Time{})}
}

func TestSlackTakesAnyText(t *testing.T) {
	for _, s := range hostile {
		body, foot := everything(s)
		if err := blocks.Check(blocks.Fit(body, foot, s)); err != nil {
			t.Errorf("%.40q: %v", s, err)
		}
	}
}

func FuzzAnyTextIsTakenAndStaysText(f *testing.F) {
	for _, s := range hostile {
		f.Add(s[:min(len(s), 4000)], 1)
	}
	f.Fuzz(func(t *testing.T, s string, times int) {
		body, foot := everything(s)
		for range times % 60 {
			body = append(body, blocks.Text(blocks.Plain(s)))
		}
		made := blocks.Fit(body, foot, "in the end")
		if err := blocks.Check(made); err != nil {
			t.Fatal(err)
		}
		for _, text := range markup(made) {
			if !strings.HasPrefix(text, "since <!date^") {
				t.Fatalf("a text from outside became markup: %q", text)
			}
		}
		if fallback := blocks.Fallback(s); strings.ContainsAny(fallback, "<>") || !utf8.ValidString(fallback) {
			t.Fatalf("fallback %q", fallback)
		}
	})
}

// markup are the texts that Slack reads as mrkdwn.
func markup(list []slack.Block) []string {
	var out []string
	for _, b := range list {
		if c, ok := b.(*slack.ContextBlock); ok {
			for _, e := range c.ContextElements.Elements {
				if o, ok := e.(*slack.TextBlockObject); ok && o.Type == slack.MarkdownType {
					out = append(out, o.Text)
				}
			}
		}
	}
	return out
}

// texts are all texts that a person reads, in order.
func texts(t *testing.T, list []slack.Block) string {
	t.Helper()
	raw, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	var tree any
	if err := json.Unmarshal(raw, &tree); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	var walk func(any)
	walk = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, e := range v {
				walk(e)
			}
		case map[string]any:
			if s, ok := v["text"].(string); ok {
				b.WriteString(s + "\n")
			}
			walk(v["text"])
			walk(v["elements"])
		}
	}
	walk(tree)
	return b.String()
}

func TestATextIsShownLetterByLetter(t *testing.T) {
	const s = "<!channel> *all* :fire: `rm -rf` ``` &amp; <https://evil.example|ok>"
	made := blocks.Fit(append(blocks.Code(s), blocks.Text(blocks.Plain(s)), blocks.Header(s), blocks.Context(s, "", time.Time{})), nil, "")
	if got, want := texts(t, made), strings.Repeat(s+"\n", 4); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestALongTextIsCutAtALineAndSaysWhereTheRestIs(t *testing.T) {
	var long strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&long, "line %d of the log\n", i)
	}
	foot := []blocks.Block{blocks.Buttons(blocks.Button{ID: "open", Text: "Open", URL: "https://argocd.example.com"})}
	made := blocks.Fit(blocks.Code(long.String()), foot, "bot why web -o json has all of it")
	got := texts(t, made)
	for _, want := range []string{"line 0 of the log\n", "Cut here, too long for Slack: bot why web -o json has all of it\nOpen\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	for line := range strings.SplitSeq(got, "\n") {
		if strings.HasPrefix(line, "line") && !strings.HasSuffix(strings.TrimSuffix(line, "…"), "of the log") {
			t.Errorf("cut inside of a line: %q", line)
		}
	}
	if n := len(got); n < 9000 {
		t.Errorf("only %d characters are left of it", n)
	}
}

func TestWhatFitsIsWholeAndHasNoNote(t *testing.T) {
	text := strings.Repeat("word ", 1500)
	made := blocks.Fit([]blocks.Block{blocks.Text(blocks.Plain(text))}, nil, "nowhere")
	if got := strings.ReplaceAll(texts(t, made), "\n", ""); got != text {
		t.Errorf("%d characters of %d", len(got), len(text))
	}
}

func TestAListIsCutBetweenItems(t *testing.T) {
	items := make([][]blocks.Span, 500)
	for i := range items {
		items[i] = []blocks.Span{blocks.Link("https://argocd.example.com/applications/x", fmt.Sprintf("app-%d", i)), blocks.Plain(" fails")}
	}
	made := blocks.Fit([]blocks.Block{blocks.Bullets(items...)}, nil, "/argo list")
	got := texts(t, made)
	if strings.Count(got, "app-") != strings.Count(got, " fails") || !strings.Contains(got, "/argo list") {
		t.Error(got)
	}
}

func TestOnlyWhatABrowserOpensIsALink(t *testing.T) {
	for _, address := range []string{"javascript:alert(1)", "ftp://x/y", "not a url", "https://", "", "https://x/" + strings.Repeat("y", 4000)} {
		made := blocks.Fit([]blocks.Block{blocks.Text(blocks.Link(address, "here"))}, []blocks.Block{blocks.Buttons(blocks.Button{ID: "b", Text: "Open", URL: address})}, "")
		raw, err := json.Marshal(made)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(raw), `"url"`) || !strings.Contains(string(raw), "here") {
			t.Errorf("%.40s: %s", address, raw)
		}
	}
}

func TestTooMuchIsSeenByTheCheck(t *testing.T) {
	text := func(n int) *slack.TextBlockObject {
		return slack.NewTextBlockObject(slack.PlainTextType, strings.Repeat("x", n), false, false)
	}
	many := make([]slack.Block, 51)
	for i := range many {
		many[i] = slack.NewHeaderBlock(text(1))
	}
	for name, list := range map[string][]slack.Block{
		"header":      {slack.NewHeaderBlock(text(151))},
		"empty":       {slack.NewHeaderBlock(text(0))},
		"many blocks": many,
		"button":      {slack.NewActionBlock("", slack.NewButtonBlockElement("a", "", text(76)))},
		"section":     {slack.NewSectionBlock(text(1), nil, nil)},
		"long":        {slack.NewContextBlock("", text(3000), text(3000), text(3000), text(3000))},
	} {
		if blocks.Check(list) == nil {
			t.Errorf("%s: taken", name)
		}
	}
}

// TestButtonsAreKept: they stand in the middle of a body, and are there however long it is.
func TestButtonsAreKept(t *testing.T) {
	row := blocks.Keep(blocks.Buttons(blocks.Button{ID: "open", Text: "Open in Argo CD", URL: "https://argocd.example.com"}))
	long := blocks.Code(strings.Repeat("a line of the log\n", 2000))
	for name, body := range map[string][]blocks.Block{
		"short":        {blocks.Header("web"), row, blocks.Text(blocks.Plain("Fix it"))},
		"long above":   append(append([]blocks.Block{blocks.Header("web")}, long...), row, blocks.Text(blocks.Plain("Fix it"))),
		"long below":   append([]blocks.Block{blocks.Header("web"), row}, long...),
		"many, and in": append(slices.Repeat([]blocks.Block{blocks.Text(blocks.Plain("x"))}, 80), row),
	} {
		list := blocks.Fit(body, []blocks.Block{blocks.Context("hook/job-failed", "", time.Time{})}, "")
		if err := blocks.Check(list); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		rows := slices.IndexFunc(list, func(b slack.Block) bool { return b.BlockType() == slack.MBTAction })
		if rows < 1 || list[len(list)-1].BlockType() != slack.MBTContext {
			t.Errorf("%s: the buttons are block %d of %d", name, rows, len(list))
		}
	}
}

func TestHeight(t *testing.T) {
	paragraph := blocks.Text(blocks.Bold("Why "), blocks.Plain(strings.Repeat("the pod is not ready ", 10)))
	button := func(id, label string) blocks.Button { return blocks.Button{ID: id, Text: label, Value: "x"} }
	for _, c := range []struct {
		name     string
		body     []blocks.Block
		min, max int
	}{
		{"nothing but the name of the bot", nil, 30, 40},
		{"a headline of one line", []blocks.Block{blocks.Header("🔴 web: image not found")}, 60, 70},
		{"a headline of two lines", []blocks.Block{blocks.Header("🔴 prod/payments: PreSync hook migrate exited 3")}, 85, 95},
		{"a paragraph of five or six lines", []blocks.Block{paragraph}, 150, 180},
		{"two buttons side by side", []blocks.Block{blocks.Buttons(button("a", "Sync…"), button("b", "Open in Argo CD"))}, 75, 90},
		{"two buttons below each other", []blocks.Block{blocks.Buttons(button("a", "Delete Job db-migrate"), button("b", "Terminate operation"))}, 118, 132},
	} {
		if got := blocks.Height(c.body...); got < c.min || got > c.max {
			t.Errorf("%s: %d pixels, want %d to %d", c.name, got, c.min, c.max)
		}
	}
}
