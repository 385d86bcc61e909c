package page

import (
	"encoding/json"
	"fmt"
	"html/template"
	"net/url"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/workspace"
)

// modal is the view in front, as the template is given it.
type modal struct {
	ID, Title, Submit, Close string
	App                      avatar
	As                       string
	Body                     template.HTML
	Errors                   int
	Busy                     bool
	Trouble                  string
}

type sentView struct {
	Blocks        json.RawMessage
	Submit, Close struct{ Text string }
}

// modals are none or one: of several that are open a person sees the front one.
func (v *visit) modals() []modal {
	open := v.w.Views(v.me.Name)
	if len(open) == 0 {
		return nil
	}
	view := open[len(open)-1]
	var sent sentView
	if err := json.Unmarshal(view.Raw, &sent); err != nil {
		return nil // it has been checked when it came
	}
	c := canvas{painter: v.painter, at: workspace.Place{View: view.ID}, attempts: v.attempts, errors: view.Errors, scope: view.ID}
	m := modal{
		ID: view.ID, Title: emojiOnly(view.Title), Submit: emojiOnly(sent.Submit.Text), Close: emojiOnly(sent.Close.Text),
		As: v.me.Name, Body: c.orError(sent.Blocks), Errors: len(view.Errors),
	}
	for _, a := range v.w.Apps() {
		if a.ID == view.AppID {
			m.App = v.avatar(a.BotUserID)
		}
	}
	for _, a := range v.attempts {
		if a.View != view.ID || a.Block != "" {
			continue
		}
		if a.Reason == "" {
			m.Busy = true
		} else {
			m.Trouble = "We had some trouble connecting. Try again?"
		}
	}
	return []modal{m}
}

// filledIn is the state of all inputs of a view, as the form has them: what is not ticked there is not ticked.
func filledIn(view workspace.View, form url.Values) (map[string]map[string]any, error) {
	var sent struct{ Blocks []block }
	if err := json.Unmarshal(view.Raw, &sent); err != nil {
		return nil, fmt.Errorf("read the view: %w", err)
	}
	values := map[string]map[string]any{}
	for _, b := range sent.Blocks {
		if b.Type != "input" || b.Element == nil {
			continue
		}
		e := *b.Element
		entered := form[fieldName(b.BlockID, e.ActionID)]
		if !b.Optional && strings.Join(entered, "") == "" {
			return nil, fmt.Errorf("Please complete the required field %q.", plainOfObject(b.Label)) //nolint:staticcheck // it is shown as it is
		}
		values[b.BlockID] = map[string]any{e.ActionID: e.state(entered)}
	}
	return values, nil
}

// state is in the form that Slack gives each kind.
func (e element) state(entered []string) map[string]any {
	state := map[string]any{"type": e.Type}
	first := ""
	if len(entered) > 0 {
		first = entered[0]
	}
	options := e.Options
	for _, g := range e.Groups {
		options = append(options, g.Options...)
	}
	chosen := []any{}
	for _, o := range options {
		if slices.Contains(entered, o.Value) {
			chosen = append(chosen, o.sent())
		}
	}
	switch e.Type {
	case "checkboxes", "multi_static_select":
		state["selected_options"] = chosen
	case "static_select", "radio_buttons":
		state["selected_option"] = nil
		if len(chosen) > 0 {
			state["selected_option"] = chosen[0]
		}
	case "datepicker":
		state["selected_date"] = orNil(first)
	case "timepicker":
		state["selected_time"] = orNil(first)
	default:
		state["value"] = orNil(first)
	}
	return state
}

func orNil(s string) any {
	if s == "" {
		return nil
	}
	return s
}

func (o choice) sent() map[string]any {
	all := map[string]any{"text": o.Text, "value": o.Value}
	if len(o.Description) > 0 {
		all["description"] = o.Description
	}
	return all
}
