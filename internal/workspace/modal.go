package workspace

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// input is one of a modal.
type input struct {
	BlockID string `json:"block_id"`
	Element struct {
		Type     string `json:"type"`
		ActionID string `json:"action_id"`
		Options  []struct {
			Value string `json:"value"`
		} `json:"options"`
	} `json:"element"`
}

// State is that of the modal with the boxes of these action_ids ticked, for Submit.
func (v View) State(boxes ...string) (map[string]map[string]any, error) {
	var sent struct {
		Blocks []input `json:"blocks"`
	}
	if err := json.Unmarshal(v.Raw, &sent); err != nil {
		return nil, fmt.Errorf("read the modal: %w", err)
	}
	values := map[string]map[string]any{}
	for _, id := range boxes {
		at := slices.IndexFunc(sent.Blocks, func(f input) bool { return f.Element.ActionID == id })
		if at < 0 || len(sent.Blocks[at].Element.Options) == 0 {
			return nil, fmt.Errorf("the modal has no box %q", id)
		}
		f := sent.Blocks[at]
		options := []any{map[string]any{"value": f.Element.Options[0].Value}}
		values[f.BlockID] = map[string]any{id: map[string]any{"type": f.Element.Type, "selected_options": options}}
	}
	return values, nil
}

// Shown is the modal as a person reads it: its texts, a line each, and its buttons.
func (v View) Shown() string {
	var sent struct {
		Submit *struct{ Text string } `json:"submit"`
		Blocks []any                  `json:"blocks"`
	}
	if err := json.Unmarshal(v.Raw, &sent); err != nil {
		return err.Error()
	}
	var b strings.Builder
	fmt.Fprintf(&b, "[ %s ]\n", v.Title)
	for _, block := range sent.Blocks {
		writeLines(&b, block)
	}
	if sent.Submit != nil {
		fmt.Fprintf(&b, "( %s )\n", sent.Submit.Text)
	}
	return b.String()
}

// writeLines writes the texts of a block: what stands in one section is one line.
func writeLines(b *strings.Builder, block any) {
	object, ok := block.(map[string]any)
	if !ok {
		return
	}
	elements, _ := object["elements"].([]any)
	switch object["type"] {
	case "rich_text", "rich_text_list":
		for _, e := range elements {
			writeLines(b, e)
		}
	case "input":
		fmt.Fprintln(b, "☐ "+words(object["element"]))
	default:
		if text := words(object); text != "" {
			fmt.Fprintln(b, text)
		}
	}
}

// words are the texts in a value, in the order in which they stand there.
func words(v any) string {
	var out []string
	var walk func(any)
	walk = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, e := range v {
				walk(e)
			}
		case map[string]any:
			if id, ok := v["user_id"].(string); ok {
				out = append(out, "@"+id)
			}
			for _, key := range []string{"text", "fallback"} {
				if text, ok := v[key].(string); ok {
					out = append(out, text)
				}
			}
			for _, key := range []string{"text", "elements", "element", "options", "fields"} {
				if _, plain := v[key].(string); !plain {
					walk(v[key])
				}
			}
		}
	}
	walk(v)
	return strings.Join(out, "")
}
