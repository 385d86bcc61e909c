package blockkit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"unicode/utf8"
)

// A Problem of the whole list has a code of its own; all others are invalid_blocks.
const (
	codeInvalid = "invalid_blocks"
	codeFormat  = "invalid_blocks_format"
	codeTooLong = "msg_blocks_too_long"
)

// Refusal is Slack's answer to a payload it does not take.
type Refusal struct {
	Code     string   // invalid_blocks, invalid_attachments, invalid_arguments …
	Problems []string // each ends in [json-pointer:/blocks/0/…]
}

func (r *Refusal) Error() string {
	return fmt.Sprintf("%s %q", r.Code, r.Problems)
}

// Message checks the blocks of a message. The bytes are a JSON list.
func Message(raw []byte) error {
	v, err := decode(raw)
	if err != nil {
		return &Refusal{Code: codeFormat}
	}
	if _, isList := v.([]any); !isList {
		return &Refusal{Code: codeFormat}
	}
	r := &report{blockIDs: map[string]bool{}}
	messageList(r, "/blocks", v)
	if len(r.problems) > 0 {
		return &Refusal{Code: codeInvalid, Problems: r.problems}
	}
	// All markdown blocks of a message share one allowance:
	// https://docs.slack.dev/reference/block-kit/blocks/markdown-block
	if markdownLength(v) > maxMarkdown {
		return &Refusal{Code: codeTooLong}
	}
	return nil
}

// Attachments checks the secondary attachments of a message, and the blocks within them.
func Attachments(raw []byte) error {
	v, err := decode(raw)
	if err != nil {
		return &Refusal{Code: "invalid_attachments"}
	}
	items, isList := v.([]any)
	if !isList {
		return &Refusal{Code: "invalid_attachments"}
	}
	if len(items) > MaxAttachments {
		return &Refusal{Code: "too_many_attachments"}
	}
	r := &report{blockIDs: map[string]bool{}}
	for i, each := range items {
		attachment(r, "/attachments/"+strconv.Itoa(i), each)
	}
	if len(r.problems) > 0 {
		return &Refusal{Code: "invalid_attachments", Problems: r.problems}
	}
	return nil
}

// https://docs.slack.dev/legacy/legacy-messaging/legacy-secondary-message-attachments: the old fields beside blocks are
// taken and not checked further.
func attachment(r *report, at string, v any) {
	o, ok := v.(map[string]any)
	if !ok {
		r.add(at, "must be a valid object")
		return
	}
	if len(o) == 0 {
		r.add(at, "missing required field: text")
	}
	if blocks, there := o["blocks"]; there {
		messageList(r, at+"/blocks", blocks)
	}
}

// View checks a modal or a home tab. Slack calls what is wrong with a view invalid_arguments.
func View(raw []byte) error {
	v, err := decode(raw)
	if err != nil {
		return &Refusal{Code: "invalid_arguments", Problems: []string{"failed to match all allowed schemas [json-pointer:/view]"}}
	}
	r := &report{blockIDs: map[string]bool{}}
	view(r, "/view", v)
	if len(r.problems) > 0 {
		return &Refusal{Code: "invalid_arguments", Problems: r.problems}
	}
	return nil
}

var (
	messageList = blockList(MaxMessageBlocks, messageBlocks)
	viewList    = blockList(MaxViewBlocks, viewBlocks)
)

var viewFields = fields{
	"type": typeName, "blocks": viewList, "private_metadata": text(0, maxPrivateMetadata),
	"callback_id": text(0, maxCallbackID), "external_id": text(0, maxExternalID),
}

var view = func() shape {
	check := oneOf(map[string]shape{
		"modal": object(viewFields.with(fields{
			"title": plain(maxViewTitle), "close": plain(maxViewTitle), "submit": plain(maxViewTitle),
			"clear_on_close": boolean, "notify_on_close": boolean, "submit_disabled": boolean,
		}), "type", "title", "blocks"),
		"home": object(viewFields, "type", "blocks"),
	})
	return func(r *report, at string, v any) {
		check(r, at, v)
		if o, ok := v.(map[string]any); ok && o["submit"] == nil && hasInput(o["blocks"]) {
			r.add(at, "missing required field: submit")
		}
	}
}()

func hasInput(blocks any) bool {
	items, ok := blocks.([]any)
	if !ok {
		return false
	}
	for _, each := range items {
		if o, ok := each.(map[string]any); ok && o["type"] == "input" {
			return true
		}
	}
	return false
}

func blockList(most int, kinds map[string]shape) shape {
	check := byType(kinds)
	return list(0, most, func(r *report, at string, v any) {
		check(r, at, v)
		o, ok := v.(map[string]any)
		if !ok {
			return
		}
		name, ok := o["block_id"].(string)
		if !ok {
			return
		}
		if r.blockIDs[name] {
			r.add(at+"/block_id", "`block_id` %q already exists", name)
		}
		r.blockIDs[name] = true
	})
}

func markdownLength(v any) int {
	items, ok := v.([]any)
	if !ok {
		return 0
	}
	n := 0
	for _, each := range items {
		o, ok := each.(map[string]any)
		if !ok || o["type"] != "markdown" {
			continue
		}
		if s, ok := o["text"].(string); ok {
			n += utf8.RuneCountInString(s)
		}
	}
	return n
}

func decode(raw []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, fmt.Errorf("decode JSON: %w", err)
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, fmt.Errorf("decode JSON: more than one value")
	}
	return v, nil
}
