package blockkit_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/argo-why/argo-why/internal/workspace/blockkit"
)

func x(n int) string { return strings.Repeat("é", n) } // characters, not bytes

func repeat(n int, item func(i int) string) string {
	var all []string
	for i := range n {
		all = append(all, item(i))
	}
	return "[" + strings.Join(all, ",") + "]"
}

func plain(text string) string { return fmt.Sprintf(`{"type":"plain_text","text":%q}`, text) }

func mrkdwn(text string) string { return fmt.Sprintf(`{"type":"mrkdwn","text":%q}`, text) }

func button(id, more string) string {
	return fmt.Sprintf(`{"type":"button","action_id":%q,"text":%s%s}`, id, plain("Go"), more)
}

func option(text, value string) string {
	return fmt.Sprintf(`{"text":%s,"value":%q}`, plain(text), value)
}

func section(more string) string { return `{"type":"section",` + more + `}` }

func actions(elements string) string { return `{"type":"actions","elements":` + elements + `}` }

func TestLimitsOfBlocks(t *testing.T) {
	menu := func(options string) string {
		return `[{"type":"static_select","action_id":"a","options":` + options + `}]`
	}
	for name, tt := range map[string]struct {
		most, over string // blocks at the limit, and one beyond
		problem    string
	}{
		"section": {
			section(`"text":` + mrkdwn(x(3000))), section(`"text":` + mrkdwn(x(3001))),
			"must be less than 3001 characters [json-pointer:/blocks/0/text/text]",
		},
		"no text": {
			section(`"text":` + mrkdwn("x")), section(`"text":` + mrkdwn("")),
			"must be more than 0 characters [json-pointer:/blocks/0/text/text]",
		},
		"fields": {
			section(`"fields":` + repeat(10, func(int) string { return plain(x(2000)) })),
			section(`"fields":` + repeat(11, func(int) string { return plain("x") })),
			"no more than 10 items allowed [json-pointer:/blocks/0/fields]",
		},
		"field": {
			section(`"fields":[` + mrkdwn(x(2000)) + `]`), section(`"fields":[` + mrkdwn(x(2001)) + `]`),
			"must be less than 2001 characters [json-pointer:/blocks/0/fields/0/text]",
		},
		"header": {
			`{"type":"header","text":` + plain(x(150)) + `}`, `{"type":"header","text":` + plain(x(151)) + `}`,
			"must be less than 151 characters [json-pointer:/blocks/0/text/text]",
		},
		"header in markup": {
			`{"type":"header","text":` + plain("x") + `}`, `{"type":"header","text":` + mrkdwn("x") + `}`,
			"unsupported type: mrkdwn [json-pointer:/blocks/0/text/type]",
		},
		"context": {
			`{"type":"context","elements":` + repeat(10, func(int) string { return mrkdwn("x") }) + `}`,
			`{"type":"context","elements":` + repeat(11, func(int) string { return mrkdwn("x") }) + `}`,
			"no more than 10 items allowed [json-pointer:/blocks/0/elements]",
		},
		"actions": {
			actions(repeat(25, func(i int) string { return button(fmt.Sprint(i), "") })),
			actions(repeat(26, func(i int) string { return button(fmt.Sprint(i), "") })),
			"no more than 25 items allowed [json-pointer:/blocks/0/elements]",
		},
		"button text": {
			actions(`[{"type":"button","text":` + plain(x(75)) + `}]`), actions(`[{"type":"button","text":` + plain(x(76)) + `}]`),
			"must be less than 76 characters [json-pointer:/blocks/0/elements/0/text/text]",
		},
		"button value": {
			actions("[" + button("a", `,"value":"`+x(2000)+`"`) + "]"), actions("[" + button("a", `,"value":"`+x(2001)+`"`) + "]"),
			"must be less than 2001 characters [json-pointer:/blocks/0/elements/0/value]",
		},
		"button style": {
			actions("[" + button("a", `,"style":"danger"`) + "]"), actions("[" + button("a", `,"style":"default"`) + "]"),
			"must be a valid enum value [json-pointer:/blocks/0/elements/0/style]",
		},
		"action_id": {
			actions("[" + button(x(255), "") + "]"), actions("[" + button(x(256), "") + "]"),
			"must be less than 256 characters [json-pointer:/blocks/0/elements/0/action_id]",
		},
		"action_id twice": {
			actions("[" + button("a", "") + "," + button("b", "") + "]"), actions("[" + button("a", "") + "," + button("a", "") + "]"),
			"`action_id` \"a\" already exists [json-pointer:/blocks/0/elements/1/action_id]",
		},
		"block_id": {
			`{"type":"divider","block_id":"` + x(255) + `"}`, `{"type":"divider","block_id":"` + x(256) + `"}`,
			"must be less than 256 characters [json-pointer:/blocks/0/block_id]",
		},
		"block_id twice": {
			`{"type":"divider","block_id":"a"},{"type":"divider","block_id":"b"}`,
			`{"type":"divider","block_id":"a"},{"type":"divider","block_id":"a"}`,
			"`block_id` \"a\" already exists [json-pointer:/blocks/1/block_id]",
		},
		"options": {
			actions(menu(repeat(100, func(int) string { return option("x", "x") }))),
			actions(menu(repeat(101, func(int) string { return option("x", "x") }))),
			"no more than 100 items allowed [json-pointer:/blocks/0/elements/0/options]",
		},
		"option": {
			actions(menu("[" + option(x(75), x(150)) + "]")), actions(menu("[" + option(x(76), x(151)) + "]")),
			"must be less than 151 characters [json-pointer:/blocks/0/elements/0/options/0/value]",
		},
		"overflow": {
			section(`"text":` + plain("x") + `,"accessory":{"type":"overflow","options":` + repeat(5, func(int) string { return option("x", "x") }) + `}`),
			section(`"text":` + plain("x") + `,"accessory":{"type":"overflow","options":` + repeat(6, func(int) string { return option("x", "x") }) + `}`),
			"no more than 5 items allowed [json-pointer:/blocks/0/accessory/options]",
		},
		"confirmation": {
			actions("[" + button("a", confirmation(x(30))) + "]"), actions("[" + button("a", confirmation(x(31))) + "]"),
			"must be less than 31 characters [json-pointer:/blocks/0/elements/0/confirm/confirm/text]",
		},
		"unknown block": {
			`{"type":"divider"}`, `{"type":"dividers"}`, "unsupported type: dividers [json-pointer:/blocks/0/type]",
		},
		"missing text": {
			section(`"text":` + plain("x")), section(`"block_id":"a"`), "missing required field: text [json-pointer:/blocks/0]",
		},
		"emoji in markup": {
			section(`"text":{"type":"mrkdwn","text":"x","verbatim":true}`), section(`"text":{"type":"mrkdwn","text":"x","emoji":true}`),
			"invalid additional property: emoji [json-pointer:/blocks/0/text]",
		},
		"image": {
			`{"type":"image","image_url":"https://a.example/b.png","alt_text":"b"}`, `{"type":"image","image_url":"https://a.example/b.png"}`,
			"missing required field: alt_text [json-pointer:/blocks/0]",
		},
	} {
		t.Run(name, func(t *testing.T) {
			if err := blockkit.Message([]byte("[" + tt.most + "]")); err != nil {
				t.Errorf("at the limit: %v", err)
			}
			var refusal *blockkit.Refusal
			err := blockkit.Message([]byte("[" + tt.over + "]"))
			if !errors.As(err, &refusal) || refusal.Code != "invalid_blocks" || !slices.Contains(refusal.Problems, tt.problem) {
				t.Errorf("beyond it: %v\nwant %s", err, tt.problem)
			}
		})
	}
}

func confirmation(text string) string {
	return `,"confirm":{"title":` + plain("x") + `,"text":` + plain("x") + `,"confirm":` + plain(text) + `,"deny":` + plain("x") + `}`
}

func TestMessageAsAWhole(t *testing.T) {
	divider := func(int) string { return `{"type":"divider"}` }
	markdown := func(int) string { return `{"type":"markdown","text":"` + x(6001) + `"}` }
	for name, tt := range map[string]struct{ blocks, code string }{
		"fifty blocks":         {repeat(50, divider), ""},
		"fifty-one":            {repeat(51, divider), "invalid_blocks"},
		"no list":              {`{"type":"divider"}`, "invalid_blocks_format"},
		"no JSON":              {`[{"type":`, "invalid_blocks_format"},
		"two values":           {`[] []`, "invalid_blocks_format"},
		"markdown beyond 12 k": {repeat(2, markdown), "msg_blocks_too_long"},
		"no blocks":            {`[]`, ""},
	} {
		t.Run(name, func(t *testing.T) { wantCode(t, blockkit.Message([]byte(tt.blocks)), tt.code) })
	}
}

func TestViews(t *testing.T) {
	view := func(title, metadata, blocks, more string) string {
		return fmt.Sprintf(`{"type":"modal","title":%s,"private_metadata":%q,"blocks":%s%s}`, plain(title), metadata, blocks, more)
	}
	divider := func(int) string { return `{"type":"divider"}` }
	input := `[{"type":"input","label":` + plain("x") + `,"element":{"type":"plain_text_input","action_id":"a"}}]`
	for name, tt := range map[string]struct{ view, code string }{
		"at all limits":        {view(x(24), x(3000), repeat(100, divider), ""), ""},
		"title":                {view(x(25), "", "[]", ""), "invalid_arguments"},
		"metadata":             {view("x", x(3001), "[]", ""), "invalid_arguments"},
		"blocks":               {view("x", "", repeat(101, divider), ""), "invalid_arguments"},
		"input without submit": {view("x", "", input, ""), "invalid_arguments"},
		"input":                {view("x", "", input, `,"submit":`+plain("Go")), ""},
		"no JSON":              {"", "invalid_arguments"},
	} {
		t.Run(name, func(t *testing.T) { wantCode(t, blockkit.View([]byte(tt.view)), tt.code) })
	}
}

func TestAttachments(t *testing.T) {
	for name, tt := range map[string]struct{ attachments, code string }{
		"with blocks":  {`[{"color":"#fff","blocks":[{"type":"divider"}]}]`, ""},
		"wrong blocks": {`[{"blocks":[{"type":"dividers"}]}]`, "invalid_attachments"},
		"too many":     {repeat(101, func(int) string { return `{"text":"x"}` }), "too_many_attachments"},
	} {
		t.Run(name, func(t *testing.T) { wantCode(t, blockkit.Attachments([]byte(tt.attachments)), tt.code) })
	}
}

func wantCode(t *testing.T, err error, code string) {
	t.Helper()
	var refusal *blockkit.Refusal
	if errors.As(err, &refusal); code == "" && err != nil || code != "" && (refusal == nil || refusal.Code != code) {
		t.Errorf("got %v, want %q", err, code)
	}
}

func FuzzAnyJSONIsJudged(f *testing.F) {
	f.Add([]byte(`[{"type":"section","text":{"type":"mrkdwn","text":"x"}}]`))
	f.Add([]byte(`[{"type":"actions","elements":[{"type":"button","action_id":1}]},3,null,[]]`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		if err := blockkit.Message(raw); err == nil && !json.Valid(raw) {
			t.Errorf("took %q", raw)
		}
		_ = blockkit.View(raw)
		_ = blockkit.Attachments(raw)
	})
}
