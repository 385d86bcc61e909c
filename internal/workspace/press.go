package workspace

import (
	"encoding/json"
	"fmt"
	"slices"
)

// Press is the use of one element of a message or a modal.
type Press struct {
	Block, Action string
	// Options are values: the one of a menu; of check boxes and lists to choose several from, all that are ticked now.
	Options []string
}

// Press uses an element of a message that the person sees, as its block_id and action_id say. Click and Choose are for
// stories, which name it as a person would.
func (w *Workspace) Press(who, channelName, ts string, p Press) error {
	return w.act(who, channelName, ts, p.is, p)
}

// PressInView uses an element of a modal that is no input, like a button beside a text.
func (w *Workspace) PressInView(who, viewID string, p Press) (err error) {
	refused := w.withView(who, viewID, func(u *User, v *View, a *app) {
		var sent struct{ Blocks json.RawMessage }
		var action answer
		if err = json.Unmarshal(v.Raw, &sent); err != nil {
			return
		}
		if action, err = findAction([]json.RawMessage{sent.Blocks}, p.is, p); err != nil {
			return
		}
		action["action_ts"] = formatTS(w.opt.Now().UnixMicro())
		payload := w.interaction(a, u, "block_actions")
		payload["container"] = answer{"type": "view", "view_id": v.ID}
		payload["view"], payload["actions"], payload["trigger_id"] = v.json(a), []answer{action}, w.newTrigger(a, u.ID, v.ID)
		w.deliver(&delivery{
			app: a, payload: payload, failure: Failure{Kind: interactive, Name: p.Action, User: u.ID},
			at: Place{View: v.ID, Block: p.Block},
		})
	})
	if refused != nil {
		return refused
	}
	return err
}

func (p Press) is(e pressable, block string) bool { return e.ActionID == p.Action && block == p.Block }

// picker tells whether an element, in a block of this ID, is the one.
type picker func(e pressable, block string) bool

type pressable struct {
	Type     string `json:"type"`
	ActionID string `json:"action_id"`
	Value    string `json:"value"`
	Style    string `json:"style"`
	Text     struct {
		Text string `json:"text"`
	} `json:"text"`
	Options []json.RawMessage `json:"options"`
	Groups  []struct {
		Options []json.RawMessage `json:"options"`
	} `json:"option_groups"`
}

// findAction looks for the element in the blocks and makes the entry of `actions` that a press of it sends.
func findAction(lists []json.RawMessage, is picker, press Press) (answer, error) {
	for _, raw := range lists {
		var blocks []map[string]any
		if json.Unmarshal(raw, &blocks) != nil {
			continue
		}
		for _, block := range blocks {
			for _, element := range elementsOf(block) {
				var p pressable
				raw, err := json.Marshal(element)
				if err != nil || json.Unmarshal(raw, &p) != nil || !is(p, stringOf(block["block_id"])) {
					continue
				}
				return p.action(stringOf(block["block_id"]), element["text"], press.Options)
			}
		}
	}
	return nil, fmt.Errorf("no button or menu %q there", press.Action)
}

func (p pressable) action(blockID string, text any, chosen []string) (answer, error) {
	action := answer{"type": p.Type, "action_id": p.ActionID, "block_id": blockID}
	if p.Type == "button" {
		action["text"], action["value"] = text, p.Value
		if p.Style != "" {
			action["style"] = p.Style
		}
		return action, nil
	}
	var options []json.RawMessage
	for _, value := range chosen {
		o := p.option(value)
		if o == nil {
			return nil, fmt.Errorf("no option %q in %s", value, p.ActionID)
		}
		options = append(options, o)
	}
	switch {
	case p.Type == "checkboxes" || p.Type == "multi_static_select":
		action["selected_options"] = list(options)
	case len(options) == 1:
		action["selected_option"] = options[0]
	default:
		return nil, fmt.Errorf("%d options of %s, which takes one", len(options), p.ActionID)
	}
	return action, nil
}

// option finds one by its value or its text; nil if there is none.
func (p pressable) option(which string) json.RawMessage {
	options := slices.Clone(p.Options)
	for _, g := range p.Groups {
		options = append(options, g.Options...)
	}
	for _, raw := range options {
		var o pressable
		if json.Unmarshal(raw, &o) == nil && (o.Value == which || o.Text.Text == which) {
			return raw
		}
	}
	return nil
}
