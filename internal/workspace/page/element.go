package page

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"html/template"
	"net/url"

	"github.com/argo-why/argo-why/internal/workspace"
)

// element of a block, as it stands in JSON.
type element struct {
	Type         string
	ActionID     string `json:"action_id"`
	Text         json.RawMessage
	Style        string
	Placeholder  json.RawMessage
	Initial      *choice  `json:"initial_option"`
	Initials     []choice `json:"initial_options"`
	InitialValue string   `json:"initial_value"`
	InitialDate  string   `json:"initial_date"`
	InitialTime  string   `json:"initial_time"`
	Options      []choice
	Groups       []struct {
		Label   json.RawMessage
		Options []choice
	} `json:"option_groups"`
	AltText   string `json:"alt_text"`
	Confirm   *confirm
	URL       string
	Multiline bool
	MinLength int `json:"min_length"`
	MaxLength int `json:"max_length"`
}

type choice struct {
	Text, Description json.RawMessage
	Value             string
}

// confirm is the dialog before a press: https://docs.slack.dev/reference/block-kit/composition-objects/confirmation-dialog-object
type confirm struct {
	Title, Text, Confirm, Deny json.RawMessage
	Style                      string
}

// control is an element as the template is given it.
type control struct {
	Type, ID, ActionID string
	Name               string // of the field in the form
	Press              string // what its button sends
	HTML               template.HTML
	Plain              string // the same without markup, where only text can stand
	Style, Alt         string
	URL                string
	Busy               bool
	Confirm            *question
	Options            []option

	// Of an input.
	Value                string
	Field                bool // of a modal's form
	Multiline, Required  bool
	Error                bool
	MinLength, MaxLength int
}

type question struct {
	Title, Text, Yes, No template.HTML
	Danger               bool
}

type option struct {
	Value, Press     string
	HTML, Detail     template.HTML
	Plain            string
	Chosen, Grouping bool // Grouping is the title of those that follow
}

func (c canvas) control(e element, blockID string) control {
	out := control{
		Type: e.Type, ActionID: e.ActionID, ID: elementID(c.scope, blockID, e.ActionID), Name: fieldName(blockID, e.ActionID),
		Press: press(blockID, e.ActionID, ""), HTML: text(e.Text, c.painter), Style: e.Style, Alt: e.AltText,
		Busy: c.busy(blockID, e.ActionID), Multiline: e.Multiline, MinLength: e.MinLength, MaxLength: e.MaxLength,
	}
	out.Value = e.InitialValue + e.InitialDate + e.InitialTime
	if address, ok := opens(e.URL); ok {
		out.URL = address
		if path, ok := c.path(address); ok {
			out.URL = path
		}
	}
	if e.Type == "plain_text" { // of a context, whose elements are texts
		var s string
		_ = json.Unmarshal(e.Text, &s) // it has been checked
		out.HTML = plainText(s)
	}
	if len(e.Placeholder) > 0 {
		out.HTML, out.Plain = text(e.Placeholder, c.painter), plainOfObject(e.Placeholder)
	}
	if e.Initial != nil {
		out.HTML = text(e.Initial.Text, c.painter)
		e.Initials = append(e.Initials, *e.Initial)
	}
	if e.Confirm != nil {
		q := e.Confirm
		out.Confirm = &question{
			Title: text(q.Title, c.painter), Text: text(q.Text, c.painter), Yes: text(q.Confirm, c.painter),
			No: text(q.Deny, c.painter), Danger: q.Style == "danger",
		}
	}
	chosen := map[string]bool{}
	for _, o := range e.Initials {
		chosen[o.Value] = true
	}
	add := func(list []choice) {
		for _, o := range list {
			out.Options = append(out.Options, option{
				Value: o.Value, Press: press(blockID, e.ActionID, o.Value), HTML: text(o.Text, c.painter),
				Detail: text(o.Description, c.painter), Plain: plainOfObject(o.Text), Chosen: chosen[o.Value],
			})
		}
	}
	add(e.Options)
	for _, g := range e.Groups {
		out.Options = append(out.Options, option{Grouping: true, HTML: text(g.Label, c.painter), Plain: plainOfObject(g.Label)})
		add(g.Options)
	}
	return out
}

func (c canvas) busy(blockID, actionID string) bool {
	for _, a := range c.attempts {
		if a.Block == blockID && a.Name == actionID && a.Reason == "" && c.here(a) {
			return true
		}
	}
	return false
}

// plainOfObject is the text of a text object for where no markup can stand.
func plainOfObject(raw json.RawMessage) string {
	var o struct{ Text string }
	if json.Unmarshal(raw, &o) != nil {
		return ""
	}
	return emojiOnly(o.Text)
}

// press is what a button sends: which element, and of a menu which option.
func press(blockID, actionID, option string) string {
	v := url.Values{"block": {blockID}, "action": {actionID}}
	if option != "" {
		v.Set("option", option)
	}
	return v.Encode()
}

func pressed(value string) (workspace.Press, error) {
	v, err := url.ParseQuery(value)
	if err != nil {
		return workspace.Press{}, fmt.Errorf("read what was pressed: %w", err)
	}
	return workspace.Press{Block: v.Get("block"), Action: v.Get("action"), Options: v["option"]}, nil
}

// fieldName is that of an input in the form of its modal.
func fieldName(blockID, actionID string) string {
	return "value/" + url.QueryEscape(blockID) + "/" + url.QueryEscape(actionID)
}

// elementID is a valid ID whatever an app calls its blocks.
func elementID(parts ...string) string { return "e" + digest(parts...) }

func digest(parts ...string) string {
	h := fnv.New64a()
	for _, p := range parts {
		_, _ = h.Write([]byte(p))
		_, _ = h.Write([]byte{0})
	}
	return fmt.Sprintf("%016x", h.Sum64())
}
