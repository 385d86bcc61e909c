package workspace

import (
	"encoding/json"
	"fmt"
	"slices"
)

// submittable is a view as far as it matters what can be filled in.
type submittable struct {
	Submit json.RawMessage  `json:"submit"`
	Blocks []map[string]any `json:"blocks"`
}

// fillIn makes the state of a view that is submitted: of every element that has one, also of those that were left alone.
// What a client would not let a person do is an error: submit without a button for it, fill in what is not there, choose
// what is not offered, leave empty what is not optional.
// https://docs.slack.dev/reference/interaction-payloads/view-interactions-payload
func (v *View) fillIn(given map[string]map[string]any) (answer, error) {
	var form submittable
	if err := json.Unmarshal(v.Raw, &form); err != nil {
		return nil, fmt.Errorf("read view %s: %w", v.ID, err)
	}
	if len(form.Submit) == 0 || string(form.Submit) == "null" {
		return nil, fmt.Errorf("the view %q has no button to submit it", v.Title)
	}
	values := answer{}
	filled := 0
	for _, block := range form.Blocks {
		blockID := stringOf(block["block_id"])
		for _, element := range elementsOf(block) {
			value, there := given[blockID][stringOf(element["action_id"])]
			if there {
				filled++
			}
			state, err := stateOf(element, value)
			if err != nil {
				return nil, fmt.Errorf("block %s: %w", blockID, err)
			}
			if state == nil {
				continue
			}
			if optional, _ := block["optional"].(bool); block["type"] == "input" && !optional && emptyState(state) {
				return nil, fmt.Errorf("block %s is required", blockID)
			}
			values[blockID] = answer{stringOf(element["action_id"]): state}
		}
	}
	for _, actions := range given {
		filled -= len(actions)
	}
	if filled != 0 {
		return nil, fmt.Errorf("the view %q lacks some of the inputs %v", v.Title, given)
	}
	return values, nil
}

// stateOf is what an element says of itself: nil of a button, which has no state.
func stateOf(element map[string]any, given any) (answer, error) {
	kind := stringOf(element["type"])
	state := answer{"type": kind}
	switch kind {
	case "button", "overflow", "image":
		return nil, nil //nolint:nilnil // an element without a state is no error
	case "checkboxes", "multi_static_select":
		state["selected_options"] = []any{}
		if initial, ok := element["initial_options"]; ok {
			state["selected_options"] = initial
		}
	case "static_select", "radio_buttons":
		state["selected_option"] = element["initial_option"]
	default:
		state["value"] = element["initial_value"]
	}
	chosen, ok := given.(map[string]any)
	if given == nil {
		return state, nil
	}
	if !ok || chosen["type"] != kind {
		return nil, fmt.Errorf("%v is not a valid value for a %s", given, kind)
	}
	for key, value := range chosen {
		state[key] = value
	}
	return state, offered(element, state)
}

// offered: a person chooses among the options that are there.
func offered(element map[string]any, state answer) error {
	var values []string
	options, _ := element["options"].([]any)
	for _, o := range options {
		if option, ok := o.(map[string]any); ok {
			values = append(values, stringOf(option["value"]))
		}
	}
	raw, err := json.Marshal([]any{state["selected_options"], []any{state["selected_option"]}})
	if err != nil {
		return fmt.Errorf("read what was chosen: %w", err)
	}
	var lists [][]*struct{ Value string }
	if err := json.Unmarshal(raw, &lists); err != nil {
		return fmt.Errorf("read what was chosen: %w", err)
	}
	for _, chosen := range slices.Concat(lists...) {
		if chosen != nil && !slices.Contains(values, chosen.Value) {
			return fmt.Errorf("there is no option %q", chosen.Value)
		}
	}
	return nil
}

func emptyState(state answer) bool {
	for _, key := range []string{"value", "selected_option"} {
		if v, ok := state[key]; ok && v != nil && v != "" {
			return false
		}
	}
	switch list := state["selected_options"].(type) {
	case []any:
		return len(list) == 0
	case nil:
		return true
	}
	return false
}

// Chosen is the value of checkboxes or of a multi-select in Submit, by the values of its options.
func Chosen(kind string, values ...string) map[string]any {
	options := []any{}
	for _, v := range values {
		options = append(options, map[string]any{"value": v})
	}
	return map[string]any{"type": kind, "selected_options": options}
}
