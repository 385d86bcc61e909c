package page

import (
	"cmp"
	"encoding/json"
	"fmt"
	"html/template"
	"strings"
)

// rich is an element of rich text: https://docs.slack.dev/reference/block-kit/blocks/rich-text-block
type rich struct {
	Type      string
	Text      string
	URL       string
	Name      string
	UserID    string `json:"user_id"`
	ChannelID string `json:"channel_id"`
	GroupID   string `json:"usergroup_id"`
	Range     string
	Fallback  string
	Format    string
	Timestamp int64
	Indent    int
	Offset    int             // of an ordered list that goes on
	Style     json.RawMessage // of a list a word, of a text an object
	Elements  []json.RawMessage
}

func richText(elements []json.RawMessage, p *painter) string {
	var out strings.Builder
	for _, raw := range elements {
		var e rich
		if json.Unmarshal(raw, &e) != nil {
			continue
		}
		inside := richText(e.Elements, p)
		switch e.Type {
		case "rich_text_section":
			out.WriteString("<div>" + inside + "</div>")
		case "rich_text_preformatted":
			out.WriteString("<pre>" + inside + "</pre>")
		case "rich_text_quote":
			out.WriteString("<blockquote>" + inside + "</blockquote>")
		case "rich_text_list":
			out.WriteString(e.list(p))
		default:
			out.WriteString(e.inline(p))
		}
	}
	return out.String()
}

func (e rich) list(p *painter) string {
	tag, start := "ul", ""
	if string(e.Style) == `"ordered"` {
		tag = "ol"
		if e.Offset > 0 {
			start = fmt.Sprintf(` start="%d"`, e.Offset+1)
		}
	}
	var out strings.Builder
	fmt.Fprintf(&out, `<%s class="indent-%d"%s>`, tag, max(0, min(e.Indent, 8)), start)
	for _, item := range e.Elements {
		out.WriteString("<li>" + richText([]json.RawMessage{item}, p) + "</li>")
	}
	return out.String() + "</" + tag + ">"
}

func (e rich) inline(p *painter) string {
	switch e.Type {
	case "link":
		return p.anchor(e.URL, e.styled(cmp.Or(e.Text, e.URL)))
	case "emoji":
		if known := emoji[e.Name]; known != "" {
			return known
		}
		return template.HTMLEscapeString(":" + e.Name + ":")
	case "user":
		return p.person(e.UserID)
	case "usergroup":
		return p.person(e.GroupID)
	case "channel":
		return p.channelLink(e.ChannelID)
	case "broadcast":
		return broadcast(e.Range)
	case "date":
		return p.date(e.Timestamp, e.Format, e.Fallback, e.URL)
	default:
		return e.styled(e.Text)
	}
}

func (e rich) styled(s string) string {
	out := strings.ReplaceAll(template.HTMLEscapeString(s), "\n", "<br>")
	var style map[string]bool
	if json.Unmarshal(e.Style, &style) != nil {
		return out
	}
	for _, tag := range [][2]string{{"code", "code"}, {"bold", "b"}, {"italic", "i"}, {"strike", "s"}} {
		if style[tag[0]] {
			out = "<" + tag[1] + ">" + out + "</" + tag[1] + ">"
		}
	}
	return out
}
