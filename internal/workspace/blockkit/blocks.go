package blockkit

import (
	"maps"
	"strconv"
)

var blockFields = fields{"type": typeName, "block_id": text(1, maxBlockID)}

func block(more fields, required ...string) shape {
	check := object(blockFields.with(more), append([]string{"type"}, required...)...)
	return func(r *report, at string, v any) {
		check(r, at, v)
		uniqueActions(r, at, v)
	}
}

var common = map[string]shape{
	"section": section,
	"header":  block(fields{"text": plain(maxHeader), "level": number}, "text"),
	"divider": block(nil),
	"context": block(fields{"elements": list(1, maxContext, oneOf(map[string]shape{
		"image": imageElement, "plain_text": plainFields(maxText), "mrkdwn": mrkdwnFields(maxText),
	}))}, "elements"),
	"actions": block(fields{"elements": list(1, maxActions, oneOf(interactive))}, "elements"),
	"image": block(fields{
		"image_url": url, "alt_text": text(0, maxAlt), "title": plain(maxImageTitle), "slack_file": anything,
	}, "alt_text"),
	"rich_text": block(fields{"elements": list(0, 1000, oneOf(richText))}, "elements"),
	"input":     input,
	"video": block(fields{
		"alt_text": text(0, maxAlt), "title": plain(200), "thumbnail_url": url, "video_url": url, "author_name": text(0, 50),
		"description": plain(200), "provider_icon_url": url, "provider_name": text(0, 50), "title_url": url,
	}, "alt_text", "title", "thumbnail_url", "video_url"),
}

// Blocks that only a message has.
var messageBlocks = joined(common, map[string]shape{
	"markdown": block(fields{"text": text(1, maxMarkdown)}, "text"),
	"table":    block(fields{"rows": list(1, maxTableRows, list(1, maxTableColumns, oneOf(cells))), "column_settings": list(0, maxTableColumns, columnSetting)}, "rows"),
})

var viewBlocks = common

var section = func() shape {
	check := block(fields{
		"text": anyText(maxText), "fields": list(1, maxFields, anyText(maxField)), "expand": boolean,
		"accessory": oneOf(joined(interactive, multi, map[string]shape{"image": imageElement})),
	})
	return func(r *report, at string, v any) {
		if o, ok := v.(map[string]any); ok && o["text"] == nil && o["fields"] == nil {
			r.add(at, "missing required field: text")
		}
		check(r, at, v)
	}
}()

var input = block(fields{
	"label": plain(maxLabel), "hint": plain(maxLabel), "optional": boolean, "dispatch_action": boolean,
	"element": oneOf(joined(interactive, multi, map[string]shape{
		"plain_text_input": object(acting.with(fields{
			"placeholder": plain(maxPlaceholder), "initial_value": text(0, maxText), "multiline": boolean,
			"min_length": number, "max_length": number, "dispatch_action_config": anything,
		}), "type"),
		"number_input": anything, "email_text_input": anything, "url_text_input": anything, "rich_text_input": anything, "file_input": anything,
	})),
}, "label", "element")

var columnSetting = object(fields{"align": enum("left", "center", "right"), "is_wrapped": boolean})

var cells = map[string]shape{
	"raw_text":  object(fields{"type": typeName, "text": text(1, maxText)}, "type", "text"),
	"rich_text": block(fields{"elements": list(0, 1000, oneOf(richText))}, "elements"),
}

var style = object(fields{"bold": boolean, "italic": boolean, "strike": boolean, "code": boolean, "underline": boolean, "highlight": boolean, "client_highlight": boolean, "unlink": boolean})

// https://docs.slack.dev/reference/block-kit/blocks/rich-text-block
var inline = map[string]shape{
	"text":      object(fields{"type": typeName, "text": text(1, maxText), "style": style}, "type", "text"),
	"link":      object(fields{"type": typeName, "url": url, "text": text(0, maxText), "unsafe": boolean, "style": style}, "type", "url"),
	"emoji":     object(fields{"type": typeName, "name": id, "unicode": anything, "style": style, "skin_tone": number}, "type", "name"),
	"user":      object(fields{"type": typeName, "user_id": id, "style": style}, "type", "user_id"),
	"usergroup": object(fields{"type": typeName, "usergroup_id": id, "style": style}, "type", "usergroup_id"),
	"channel":   object(fields{"type": typeName, "channel_id": id, "style": style}, "type", "channel_id"),
	"broadcast": object(fields{"type": typeName, "range": enum("here", "channel", "everyone"), "style": style}, "type", "range"),
	"date":      object(fields{"type": typeName, "timestamp": number, "format": id, "url": url, "fallback": anything, "style": style}, "type", "timestamp", "format"),
	"color":     object(fields{"type": typeName, "value": id}, "type", "value"),
}

var richSection = object(fields{"type": typeName, "elements": list(0, 1000, oneOf(inline))}, "type", "elements")

var richText = map[string]shape{
	"rich_text_section": richSection,
	"rich_text_preformatted": object(fields{
		"type": typeName, "elements": list(0, 1000, oneOf(inline)), "border": number, "language": anything,
	}, "type", "elements"),
	"rich_text_quote": object(fields{"type": typeName, "elements": list(0, 1000, oneOf(inline)), "border": number}, "type", "elements"),
	"rich_text_list": object(fields{
		"type": typeName, "style": enum("bullet", "ordered"), "indent": number, "offset": number, "border": number,
		"elements": list(0, 1000, richSection),
	}, "type", "style", "elements"),
}

func joined(sets ...map[string]shape) map[string]shape {
	all := map[string]shape{}
	for _, set := range sets {
		maps.Copy(all, set)
	}
	return all
}

// uniqueActions: an action_id names one element of its block.
func uniqueActions(r *report, at string, v any) {
	o, ok := v.(map[string]any)
	if !ok {
		return
	}
	elements, ok := o["elements"].([]any)
	if !ok {
		return
	}
	seen := map[string]bool{}
	for i, each := range elements {
		element, ok := each.(map[string]any)
		if !ok {
			continue
		}
		name, ok := element["action_id"].(string)
		if ok && seen[name] {
			r.add(at+"/elements/"+strconv.Itoa(i)+"/action_id", "`action_id` %q already exists", name)
		}
		seen[name] = true
	}
}
