package blocks

import (
	"encoding/json"

	"github.com/slack-go/slack"
)

// Control is what a person can use: a button or a menu.
type Control interface {
	// element is nil when Slack would not take it, or it would do nothing.
	element() slack.BlockElement
}

// Button opens an address in the browser, or sends us its value when it is clicked.
type Button struct {
	ID, Text string
	// URL is what it opens. Where there is none it comes back to us with Value, of which Slack takes 2,000 characters.
	URL, Value string
	// Primary stands out. Slack asks to use it for one button of a row at most, and we for none that is not expected.
	Primary bool
	// Danger is red, for what deletes something.
	Danger bool
}

func (b Button) element() slack.BlockElement {
	text, _ := cut(shown(b.Text), maxButton)
	opening := opens(b.URL)
	acting := b.URL == "" && b.Value != "" && length(b.Value) <= maxValue && valid(b.Value)
	if text == "" || b.ID == "" || len(b.ID) > maxID || !opening && !acting {
		return nil
	}
	e := slack.NewButtonBlockElement(b.ID, b.Value, plainText(text))
	if opening {
		e = e.WithURL(b.URL)
		e.Value = ""
	}
	switch {
	case b.Danger:
		e = e.WithStyle(slack.StyleDanger)
	case b.Primary:
		e = e.WithStyle(slack.StylePrimary)
	}
	return e
}

// Menu is a list to choose one from. Text is shown while nothing is chosen.
type Menu struct {
	ID, Text string
	Options  []Option
}

// Option is one entry of a menu. Value comes back to us, and is ours: at most 150 characters.
type Option struct{ Text, Value string }

func (m Menu) element() slack.BlockElement {
	var options []*slack.OptionBlockObject
	for _, o := range m.Options {
		text, _ := cut(shown(o.Text), maxOption)
		if text == "" || o.Value == "" || !valid(o.Value) || length(o.Value) > maxOptionValue || len(options) == maxOptions {
			continue
		}
		options = append(options, slack.NewOptionBlockObject(o.Value, plainText(text), nil))
	}
	text, _ := cut(shown(m.Text), maxPlaceholder)
	if text == "" || m.ID == "" || len(m.ID) > maxID || len(options) == 0 {
		return nil
	}
	return slack.NewOptionsSelectBlockElement(slack.OptTypeStatic, plainText(text), m.ID, options...)
}

// Buttons is a row of them; those whose address no browser opens, or that would do nothing, are left out.
func Buttons(buttons ...Button) Block {
	list := make([]Control, len(buttons))
	for i, b := range buttons {
		list[i] = b
	}
	return Controls("", list...)
}

// Controls is a row of buttons and menus, each with an ID of its own: of two with the same the first is there. A menu of a
// row whose name changes forgets what was chosen in it.
func Controls(name string, controls ...Control) Block {
	var list []slack.BlockElement
	seen := map[string]bool{}
	room := maxRow
	for _, c := range controls {
		e := c.element()
		if e == nil || seen[actionID(e)] || len(list) == maxButtons || weight(e) > room {
			continue
		}
		seen[actionID(e)] = true
		room -= weight(e)
		list = append(list, e)
	}
	if len(list) == 0 {
		return whole{}
	}
	if len(name) > maxID || !valid(name) {
		name = ""
	}
	return whole{slack.NewActionBlock(name, list...)}
}

// weight is how much of a message an element takes.
func weight(e slack.BlockElement) int {
	raw, err := json.Marshal(e)
	if err != nil { // cannot be: these are plain structs
		return maxRow + 1
	}
	return ascii(string(raw))
}

func actionID(e slack.BlockElement) string {
	switch e := e.(type) {
	case *slack.ButtonBlockElement:
		return e.ActionID
	case *slack.SelectBlockElement:
		return e.ActionID
	}
	return ""
}
