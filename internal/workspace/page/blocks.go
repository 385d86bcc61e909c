package page

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html/template"
	"time"

	"github.com/argo-why/argo-why/internal/workspace"
)

// block is one of Block Kit as it stands in JSON, as far as it is shown.
type block struct {
	Type      string
	BlockID   string `json:"block_id"`
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

// shown is a block as the template is given it: HTML where it may be, text elsewhere.
type shown struct {
	Type      string
	Text      template.HTML
	Fields    []template.HTML
	Accessory *control
	Controls  []control
	Rows      [][]template.HTML
	Alt       string
	Trouble   string // what went wrong with an element of it

	// Of an input.
	Optional bool
	ID       string
	Hint     template.HTML
	Error    string
	Group    bool // several elements under one label
}

// canvas is where blocks are drawn: a message, or a modal.
type canvas struct {
	*painter
	at       workspace.Place     // of the message or of the view
	attempts []workspace.Attempt // the visitor's
	errors   map[string]string   // of a view, by block_id
	scope    string              // makes IDs unique in the page
}

// RenderBlocks renders a list of blocks as HTML that is safe to show. Users and channels keep their IDs.
func RenderBlocks(blocks json.RawMessage) (template.HTML, error) {
	return canvas{painter: &painter{now: time.Time{}}}.blocks(blocks)
}

func (c canvas) blocks(raw json.RawMessage) (template.HTML, error) {
	if len(raw) == 0 {
		return "", nil
	}
	var list []block
	if err := json.Unmarshal(raw, &list); err != nil {
		return "", fmt.Errorf("render blocks: %w", err)
	}
	var all []shown
	for _, b := range list {
		all = append(all, c.show(b))
	}
	return execute("blocks", all)
}

func execute(name string, data any) (template.HTML, error) {
	var out bytes.Buffer
	if err := templates().ExecuteTemplate(&out, name, data); err != nil {
		return "", fmt.Errorf("render %s: %w", name, err)
	}
	return template.HTML(out.String()), nil
}

func (c canvas) show(b block) shown {
	s := shown{Type: b.Type, Alt: b.AltText, Text: text(b.Text, c.painter), Trouble: c.trouble(b.BlockID)}
	for _, f := range b.Fields {
		s.Fields = append(s.Fields, text(f, c.painter))
	}
	if b.Accessory != nil {
		accessory := c.control(*b.Accessory, b.BlockID)
		s.Accessory = &accessory
	}
	switch b.Type {
	case "rich_text":
		s.Text = template.HTML(richText(b.Elements, c.painter))
	case "image":
		s.Text = text(b.Title, c.painter)
	case "input":
		c.input(&s, b)
	case "table":
		for _, row := range b.Rows {
			var cells []template.HTML
			for _, raw := range row {
				cells = append(cells, cell(raw, c.painter))
			}
			s.Rows = append(s.Rows, cells)
		}
	default:
		for _, raw := range b.Elements {
			var e element
			if json.Unmarshal(raw, &e) == nil {
				s.Controls = append(s.Controls, c.control(e, b.BlockID))
			}
		}
	}
	return s
}

func (c canvas) input(s *shown, b block) {
	s.Text, s.Hint, s.Optional, s.Error = text(b.Label, c.painter), text(b.Hint, c.painter), b.Optional, c.errors[b.BlockID]
	if b.Element == nil {
		return
	}
	only := c.control(*b.Element, b.BlockID)
	only.Field, only.Required = true, !b.Optional
	only.Error = s.Error != ""
	s.ID = only.ID
	s.Group = only.Type == "checkboxes" || only.Type == "radio_buttons" || only.Type == "multi_static_select"
	s.Controls = []control{only}
}

// trouble is what Slack says beside an element that the app did not answer to.
func (c canvas) trouble(blockID string) string {
	for _, a := range c.attempts {
		if a.Block != blockID || a.Reason == "" || !c.here(a) {
			continue
		}
		if a.Reason == "operation_timeout" {
			return "Operation timed out. Apps need to respond within 3 seconds."
		}
		return "This app is not configured to handle interactive responses."
	}
	return ""
}

func (c canvas) here(a workspace.Attempt) bool {
	at := c.at
	at.Block = a.Block
	return a.Place == at
}

// text renders a text object, or the bare string of a markdown block or of a text in a context.
func text(raw json.RawMessage, p *painter) template.HTML {
	if len(raw) == 0 {
		return ""
	}
	var o struct{ Type, Text string }
	if json.Unmarshal(raw, &o) != nil {
		var s string
		if json.Unmarshal(raw, &s) != nil {
			return ""
		}
		return mrkdwn(s, p)
	}
	if o.Type == "mrkdwn" {
		return mrkdwn(o.Text, p)
	}
	return plainText(o.Text)
}

func cell(raw json.RawMessage, p *painter) template.HTML {
	var c struct {
		Type     string
		Text     string
		Elements []json.RawMessage
	}
	if json.Unmarshal(raw, &c) != nil {
		return ""
	}
	if c.Type == "rich_text" {
		return template.HTML(richText(c.Elements, p))
	}
	return plainText(c.Text)
}
