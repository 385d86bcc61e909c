package workspace

import (
	"encoding/json"
	"unicode/utf8"

	"github.com/argo-why/argo-why/internal/workspace/blockkit"
)

const (
	// Longer text is cut, not refused: https://docs.slack.dev/changelog/2018-truncating-really-long-messages
	maxPostText = 40_000
	// msg_too_long at https://docs.slack.dev/reference/methods/chat.update
	maxUpdateText = 4_000
	// Slack documents metadata_too_large without its number; clients in the field stop at 8 KB.
	maxMetadata = 8_000
	// markdown_text at https://docs.slack.dev/reference/methods/chat.postMessage
	maxMarkdownText = 12_000
)

// content is what a message says, as posts, updates and response URLs carry it.
type content struct {
	text                          string
	blocks, attachments, metadata json.RawMessage
	hasText, hasBlocks            bool
	hasAttachments, hasMetadata   bool
}

func (c *call) content(idOf func() string) (content, error) {
	n := content{
		text: c.str("text"), hasText: c.str("text") != "",
		hasBlocks: c.str("blocks") != "", hasAttachments: c.str("attachments") != "", hasMetadata: c.str("metadata") != "",
	}
	if md := c.str("markdown_text"); md != "" {
		if n.hasText || n.hasBlocks {
			return n, refuse("markdown_text_conflict")
		}
		if utf8.RuneCountInString(md) > maxMarkdownText {
			return n, refuse("msg_too_long")
		}
		n.text, n.hasText = md, true
	}
	if n.hasBlocks {
		raw := []byte(c.str("blocks"))
		if err := blockkit.Message(raw); err != nil {
			return n, err
		}
		n.blocks = withIDs(raw, idOf)
	}
	if n.hasAttachments {
		raw := []byte(c.str("attachments"))
		if err := blockkit.Attachments(raw); err != nil {
			return n, err
		}
		n.attachments = raw
	}
	if n.hasMetadata {
		raw := []byte(c.str("metadata"))
		if err := checkMetadata(raw); err != nil {
			return n, err
		}
		n.metadata = raw
	}
	return n, nil
}

func (n content) empty() bool {
	return n.text == "" && isEmptyJSON(n.blocks) && isEmptyJSON(n.attachments)
}

func isEmptyJSON(raw []byte) bool { return len(raw) == 0 || string(raw) == "[]" || string(raw) == "{}" }

// checkMetadata: https://docs.slack.dev/messaging/message-metadata
func checkMetadata(raw []byte) error {
	var m map[string]json.RawMessage
	if err := json.Unmarshal(raw, &m); err != nil {
		return refuse("invalid_metadata_format")
	}
	if len(m) == 0 {
		return nil // taken as "no metadata", which removes it in an update
	}
	var kind string
	var payload map[string]any
	if json.Unmarshal(m["event_type"], &kind) != nil || kind == "" || json.Unmarshal(m["event_payload"], &payload) != nil {
		return refuse("invalid_metadata_schema")
	}
	if len(raw) > maxMetadata {
		return refuse("metadata_too_large")
	}
	return nil
}

func cut(s string, most int) string {
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	return string([]rune(s)[:most])
}

func (c *call) blockID() string { return c.w.newID("blk") }
