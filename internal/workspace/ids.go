package workspace

import (
	"bytes"
	"encoding/json"
)

// withIDs gives a block_id to every block and an action_id to every element that lacks one, as Slack does. The blocks
// have been checked.
func withIDs(raw []byte, next func() string) json.RawMessage {
	var blocks []map[string]any
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if d.Decode(&blocks) != nil {
		return raw
	}
	for _, block := range blocks {
		if block["block_id"] == nil {
			block["block_id"] = next()
		}
		for _, element := range elementsOf(block) {
			if acts(element) && element["action_id"] == nil {
				element["action_id"] = next()
			}
		}
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if e.Encode(blocks) != nil {
		return raw
	}
	return bytes.TrimSpace(out.Bytes())
}

// elementsOf are those of an actions block, the accessory of a section and the element of an input.
func elementsOf(block map[string]any) []map[string]any {
	var all []map[string]any
	if block["type"] == "actions" {
		items, _ := block["elements"].([]any)
		for _, each := range items {
			if element, ok := each.(map[string]any); ok {
				all = append(all, element)
			}
		}
	}
	for _, key := range []string{"accessory", "element"} {
		if element, ok := block[key].(map[string]any); ok {
			all = append(all, element)
		}
	}
	return all
}

func acts(element map[string]any) bool { return element["type"] != "image" }
