package blockkit

var (
	id       = text(1, maxActionID)
	typeName = text(1, 255)
	url      = text(1, maxURL)
)

// plain and mrkdwn differ in more than the type: `emoji` belongs to one, `verbatim` to the other.
func plain(most int) shape {
	return oneOf(map[string]shape{"plain_text": plainFields(most)})
}

func anyText(most int) shape {
	return oneOf(map[string]shape{"plain_text": plainFields(most), "mrkdwn": mrkdwnFields(most)})
}

func plainFields(most int) shape {
	return object(fields{"type": typeName, "text": text(1, most), "emoji": boolean}, "type", "text")
}

func mrkdwnFields(most int) shape {
	return object(fields{"type": typeName, "text": text(1, most), "verbatim": boolean}, "type", "text")
}

var confirm = object(fields{
	"title":   plain(maxConfirmTitle),
	"text":    anyText(maxConfirmText),
	"confirm": plain(maxConfirmButton),
	"deny":    plain(maxConfirmButton),
	"style":   enum("primary", "danger"),
}, "title", "text", "confirm", "deny")

var optionFields = fields{
	"text":        plain(maxOptionText),
	"value":       text(1, maxOptionValue),
	"description": plain(maxOptionText),
}

var (
	option         = object(optionFields, "text", "value")
	overflowOption = object(optionFields.with(fields{"url": url}), "text", "value")
	choiceOption   = object(optionFields.with(fields{"text": anyText(maxOptionText), "description": anyText(maxOptionText)}),
		"text", "value")
	optionGroup = object(fields{"label": plain(maxGroupLabel), "options": list(1, maxOptions, option)}, "label", "options")
)

// What every element that can be acted on has.
var acting = fields{"type": typeName, "action_id": id, "confirm": confirm, "focus_on_load": boolean}

func selectOf(more fields) shape {
	return object(acting.with(fields{"placeholder": plain(maxPlaceholder)}).with(more), "type")
}

var imageElement = object(fields{
	"type": typeName, "image_url": url, "alt_text": text(0, maxAlt), "slack_file": anything,
}, "type", "alt_text")

var button = object(acting.with(fields{
	"text": plain(maxButtonText), "value": text(0, maxButtonValue), "url": url,
	"style": enum("primary", "danger"), "accessibility_label": text(0, maxButtonText),
}), "type", "text")

var staticSelect = selectOf(fields{
	"options": list(1, maxOptions, option), "option_groups": list(1, maxGroups, optionGroup), "initial_option": option,
})

var multiSelect = selectOf(fields{
	"options": list(1, maxOptions, option), "option_groups": list(1, maxGroups, optionGroup),
	"initial_options": list(1, maxOptions, option), "max_selected_items": number,
})

func choices(initial string, item shape) shape {
	return object(acting.with(fields{"options": list(1, maxRadios, choiceOption), initial: item}), "type", "options")
}

// Elements that stand in actions blocks and, as accessory, in sections.
var interactive = map[string]shape{
	"button":        button,
	"static_select": withOptions(staticSelect),
	"overflow": object(acting.with(fields{"options": list(1, maxOverflow, overflowOption)}),
		"type", "options"),
	"radio_buttons":        choices("initial_option", choiceOption),
	"checkboxes":           choices("initial_options", list(1, maxRadios, choiceOption)),
	"users_select":         selectOf(fields{"initial_user": id}),
	"conversations_select": selectOf(conversationFields),
	"channels_select":      selectOf(fields{"initial_channel": id, "response_url_enabled": boolean}),
	"external_select":      selectOf(fields{"initial_option": option, "min_query_length": number}),
	"datepicker":           selectOf(fields{"initial_date": text(10, 10)}),
	"timepicker":           selectOf(fields{"initial_time": text(5, 5), "timezone": anything}),
	"datetimepicker":       object(acting.with(fields{"initial_date_time": number}), "type"),
	"workflow_button":      anything,
}

var conversationFields = fields{
	"initial_conversation": id, "default_to_current_conversation": boolean, "response_url_enabled": boolean, "filter": anything,
}

var multi = map[string]shape{
	"multi_static_select": withOptions(multiSelect),
	"multi_users_select":  selectOf(fields{"initial_users": anything, "max_selected_items": number}),
	"multi_conversations_select": selectOf(fields{
		"initial_conversations": anything, "max_selected_items": number, "default_to_current_conversation": boolean, "filter": anything,
	}),
	"multi_channels_select": selectOf(fields{"initial_channels": anything, "max_selected_items": number}),
	"multi_external_select": selectOf(fields{
		"initial_options": list(1, maxOptions, option), "max_selected_items": number, "min_query_length": number,
	}),
}

// withOptions asks for one of the two lists, which a list of required fields cannot say.
func withOptions(check shape) shape {
	return func(r *report, at string, v any) {
		if o, ok := v.(map[string]any); ok {
			_, flat := o["options"]
			_, grouped := o["option_groups"]
			if !flat && !grouped {
				r.add(at, "missing required field: options")
			}
			if flat && grouped {
				r.add(at, "only one of options and option_groups allowed")
			}
		}
		check(r, at, v)
	}
}
