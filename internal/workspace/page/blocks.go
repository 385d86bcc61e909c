package page

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html/template"
	"strings"
)

// The parts of Block Kit that are shown, as they stand in JSON.
type (
	block struct {
		Type      string
		Text      json.RawMessage
		Fields    []json.RawMessage
		Accessory *element
		Elements  []json.RawMessage
		Title     json.RawMessage
		Label     json.RawMessage
		Hint      json.RawMessage
		Element   *element
		Optional  bool
		AltText   string `json:"alt_text"`
		Rows      [][]json.RawMessage
	}
	element struct {
		Type        string
		Text        json.RawMessage
		Style       string
		Placeholder json.RawMessage
		Initial     *struct{ Text json.RawMessage } `json:"initial_option"`
		Options     []struct{ Text json.RawMessage }
		AltText     string `json:"alt_text"`
		Confirm     *json.RawMessage
		URL         string
	}
)

// shown is what the template is given: HTML where it may be, text elsewhere.
type shown struct {
	Type      string
	Text      template.HTML
	Fields    []template.HTML
	Accessory *control
	Controls  []control
	Rows      [][]template.HTML
	Alt       string
	Optional  bool
}

type control struct {
	Type    string
	HTML    template.HTML
	Style   string
	Alt     string
	Confirm bool
	Options []template.HTML
}

// RenderBlocks renders a list of blocks as HTML that is safe to show. Users and channels keep their IDs.
func RenderBlocks(blocks json.RawMessage) (template.HTML, error) {
	return renderBlocks(blocks, func(id string) string { return id })
}

func renderBlocks(raw json.RawMessage, of names) (template.HTML, error) {
	if len(raw) == 0 {
		return "", nil
	}
	var list []block
	if err := json.Unmarshal(raw, &list); err != nil {
		return "", fmt.Errorf("render blocks: %w", err)
	}
	var all []shown
	for _, b := range list {
		all = append(all, b.show(of))
	}
	var out bytes.Buffer
	if err := pages.ExecuteTemplate(&out, "blocks", all); err != nil {
		return "", fmt.Errorf("render blocks: %w", err)
	}
	return template.HTML(out.String()), nil
}

func (b block) show(of names) shown {
	s := shown{Type: b.Type, Alt: b.AltText, Optional: b.Optional, Text: text(b.Text, of)}
	for _, f := range b.Fields {
		s.Fields = append(s.Fields, text(f, of))
	}
	if b.Accessory != nil {
		c := b.Accessory.show(of)
		s.Accessory = &c
	}
	switch b.Type {
	case "rich_text":
		s.Text = template.HTML(richText(b.Elements, of))
	case "image":
		s.Text = text(b.Title, of)
	case "input":
		s.Text = text(b.Label, of)
		if b.Element != nil {
			s.Controls = []control{b.Element.show(of)}
		}
		s.Fields = nil
		if len(b.Hint) > 0 {
			s.Fields = []template.HTML{text(b.Hint, of)}
		}
	case "table":
		for _, row := range b.Rows {
			var cells []template.HTML
			for _, raw := range row {
				cells = append(cells, cell(raw, of))
			}
			s.Rows = append(s.Rows, cells)
		}
	default:
		for _, raw := range b.Elements {
			var e element
			if json.Unmarshal(raw, &e) == nil {
				s.Controls = append(s.Controls, e.show(of))
			}
		}
	}
	return s
}

func (e element) show(of names) control {
	c := control{Type: e.Type, Style: e.Style, Alt: e.AltText, Confirm: e.Confirm != nil, HTML: text(e.Text, of)}
	for _, o := range e.Options {
		c.Options = append(c.Options, text(o.Text, of))
	}
	if len(e.Placeholder) > 0 {
		c.HTML = text(e.Placeholder, of)
	}
	if e.Initial != nil {
		c.HTML = text(e.Initial.Text, of)
	}
	return c
}

// text renders a text object, or the bare string of a markdown block or of a text in a context.
func text(raw json.RawMessage, of names) template.HTML {
	if len(raw) == 0 {
		return ""
	}
	var o struct{ Type, Text string }
	if json.Unmarshal(raw, &o) != nil {
		var s string
		if json.Unmarshal(raw, &s) != nil {
			return ""
		}
		return mrkdwn(s, of)
	}
	if o.Type == "mrkdwn" {
		return mrkdwn(o.Text, of)
	}
	return plainText(o.Text)
}

func cell(raw json.RawMessage, of names) template.HTML {
	var c struct {
		Type     string
		Text     string
		Elements []json.RawMessage
	}
	if json.Unmarshal(raw, &c) != nil {
		return ""
	}
	if c.Type == "rich_text" {
		return template.HTML(richText(c.Elements, of))
	}
	return plainText(c.Text)
}

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
	Indent    int
	Style     json.RawMessage // of a list a word, of a text an object
	Elements  []json.RawMessage
}

func richText(elements []json.RawMessage, of names) string {
	var out strings.Builder
	for _, raw := range elements {
		var e rich
		if json.Unmarshal(raw, &e) != nil {
			continue
		}
		inside := richText(e.Elements, of)
		switch e.Type {
		case "rich_text_section":
			out.WriteString("<div>" + inside + "</div>")
		case "rich_text_preformatted":
			out.WriteString("<pre>" + inside + "</pre>")
		case "rich_text_quote":
			out.WriteString("<blockquote>" + inside + "</blockquote>")
		case "rich_text_list":
			out.WriteString(e.list(of))
		default:
			out.WriteString(e.inline(of))
		}
	}
	return out.String()
}

func (e rich) list(of names) string {
	tag := "ul"
	if string(e.Style) == `"ordered"` {
		tag = "ol"
	}
	var out strings.Builder
	fmt.Fprintf(&out, `<%s style="margin-left:%dem">`, tag, 2*e.Indent)
	for _, item := range e.Elements {
		out.WriteString("<li>" + richText([]json.RawMessage{item}, of) + "</li>")
	}
	return out.String() + "</" + tag + ">"
}

func (e rich) inline(of names) string {
	mention := func(text string) string {
		return `<span class="mention">` + template.HTMLEscapeString(text) + "</span>"
	}
	switch e.Type {
	case "link":
		return anchor(e.URL, e.styled(e.Text+map[bool]string{true: e.URL}[e.Text == ""]))
	case "emoji":
		if known := emoji[e.Name]; known != "" {
			return known
		}
		return template.HTMLEscapeString(":" + e.Name + ":")
	case "user":
		return mention("@" + of(e.UserID))
	case "usergroup":
		return mention("@" + of(e.GroupID))
	case "channel":
		return mention("#" + of(e.ChannelID))
	case "broadcast":
		return `<span class="mention loud">` + template.HTMLEscapeString("@"+e.Range) + "</span>"
	case "date":
		return template.HTMLEscapeString(e.Fallback)
	default:
		return e.styled(e.Text)
	}
}

func (e rich) styled(s string) string {
	out := template.HTMLEscapeString(s)
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
