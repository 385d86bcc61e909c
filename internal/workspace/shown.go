package workspace

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
)

// Shown is what a person reads: the texts of blocks and attachments from top to bottom, a line each, in Slack's markup;
// the text itself if there are none.
func (m Message) Shown() string {
	var texts []string
	for _, raw := range []json.RawMessage{m.Blocks, m.Attachments} {
		var v any
		if json.Unmarshal(raw, &v) == nil {
			texts = append(texts, textsOf(v)...)
		}
	}
	if len(m.Blocks) == 0 && m.Text != "" {
		texts = append([]string{m.Text}, texts...)
	}
	return strings.Join(texts, "\n")
}

// Keys under which Block Kit has what is read, in the order of reading.
var readable = []string{
	"pretext", "title", "label", "text", "fields", "placeholder", "elements", "element", "rows", "blocks", "accessory",
	"options", "alt_text", "hint", "url",
}

func textsOf(v any) []string {
	var texts []string
	switch v := v.(type) {
	case string:
		texts = append(texts, v)
	case []any:
		for _, each := range v {
			if _, isObject := each.(map[string]any); isObject || isList(each) {
				texts = append(texts, textsOf(each)...)
			}
		}
	case map[string]any:
		switch v["type"] { // rich text has mentions as elements
		case "user":
			return []string{fmt.Sprintf("<@%v>", v["user_id"])}
		case "usergroup":
			return []string{fmt.Sprintf("<!subteam^%v>", v["usergroup_id"])}
		case "broadcast":
			return []string{fmt.Sprintf("<!%v>", v["range"])}
		case "date": // as Slack shows it where it cannot show the date
			return textsOf(v["fallback"])
		case "link":
			if text, ok := v["text"].(string); ok && text != "" {
				return []string{text}
			}
			return textsOf(v["url"])
		case "rich_text_section", "rich_text_preformatted", "rich_text_quote": // what stands in one line, or in one box
			return []string{strings.Join(textsOf(v["elements"]), "")}
		}
		for _, key := range readable {
			if inside, there := v[key]; there {
				texts = append(texts, textsOf(inside)...)
			}
		}
	}
	return texts
}

func isList(v any) bool {
	_, ok := v.([]any)
	return ok
}

var mention = regexp.MustCompile(`<(@[UW][A-Z0-9]+|!(?:here|channel|everyone)|!subteam\^S[A-Z0-9]+)(?:\|[^>]*)?>`)

// Mentions are those who are notified, as they stand in the markup: "@U000000005", "!channel", "!subteam^S000000006".
// What was escaped is not among them.
func (m Message) Mentions() []string {
	var found []string
	for _, match := range mention.FindAllStringSubmatch(m.Text+"\n"+m.Shown(), -1) {
		found = append(found, match[1])
	}
	return found
}
