package blockkit

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"unicode/utf8"
)

// report collects what is wrong, in Slack's words: "must be less than 3001 characters [json-pointer:/blocks/0/text/text]".
type report struct {
	problems []string
	blockIDs map[string]bool
}

func (r *report) add(at, format string, args ...any) {
	r.problems = append(r.problems, fmt.Sprintf(format, args...)+" [json-pointer:"+at+"]")
}

// A shape is what the value at one place of the JSON must look like.
type shape func(r *report, at string, v any)

type fields map[string]shape

// object is strict: as in Slack's own schema, a field that is not known is refused
// (https://github.com/slack-go/slack/pull/1452 quotes the answer to an `emoji` in a mrkdwn text).
func object(known fields, required ...string) shape {
	return func(r *report, at string, v any) {
		o, ok := v.(map[string]any)
		if !ok {
			r.add(at, "must be a valid object")
			return
		}
		for _, name := range required {
			if _, there := o[name]; !there {
				r.add(at, "missing required field: %s", name)
			}
		}
		for _, name := range slices.Sorted(maps.Keys(o)) {
			check, ok := known[name]
			if !ok {
				r.add(at, "invalid additional property: %s", name)
				continue
			}
			check(r, at+"/"+name, o[name])
		}
	}
}

// oneOf picks the shape by the field `type`. Where several are allowed Slack says first that the whole matches none of
// them, and then what is wrong inside (https://github.com/metabase/metabase/issues/74943).
func oneOf(kinds map[string]shape) shape {
	check := byType(kinds)
	if len(kinds) == 1 {
		return check
	}
	return func(r *report, at string, v any) {
		inside := &report{blockIDs: r.blockIDs}
		check(inside, at, v)
		if len(inside.problems) > 0 {
			r.add(at, "failed to match all allowed schemas")
			r.problems = append(r.problems, inside.problems...)
		}
	}
}

func byType(kinds map[string]shape) shape {
	return func(r *report, at string, v any) {
		o, ok := v.(map[string]any)
		if !ok {
			r.add(at, "must be a valid object")
			return
		}
		kind, ok := o["type"].(string)
		if !ok {
			r.add(at, "missing required field: type")
			return
		}
		check, ok := kinds[kind]
		if !ok {
			r.add(at+"/type", "unsupported type: %s", kind)
			return
		}
		check(r, at, v)
	}
}

func list(least, most int, item shape) shape {
	return func(r *report, at string, v any) {
		items, ok := v.([]any)
		if !ok {
			r.add(at, "must be an array")
			return
		}
		if len(items) < least {
			r.add(at, "no fewer than %d items allowed", least)
		}
		if len(items) > most {
			r.add(at, "no more than %d items allowed", most)
		}
		for i, each := range items {
			item(r, at+"/"+strconv.Itoa(i), each)
		}
	}
}

// text is a JSON string of least to most characters.
func text(least, most int) shape {
	return func(r *report, at string, v any) {
		s, ok := v.(string)
		if !ok {
			r.add(at, "must be a string")
			return
		}
		n := utf8.RuneCountInString(s)
		if n < least {
			r.add(at, "must be more than %d characters", least-1)
		}
		if n > most {
			r.add(at, "must be less than %d characters", most+1)
		}
	}
}

func enum(allowed ...string) shape {
	return func(r *report, at string, v any) {
		if s, ok := v.(string); !ok || !slices.Contains(allowed, s) {
			r.add(at, "must be a valid enum value")
		}
	}
}

func boolean(r *report, at string, v any) {
	if _, ok := v.(bool); !ok {
		r.add(at, "must be a boolean")
	}
}

func number(r *report, at string, v any) {
	if _, ok := v.(json.Number); !ok {
		r.add(at, "must be a number")
	}
}

func anything(*report, string, any) {}

// with adds to a set of fields.
func (f fields) with(more fields) fields {
	all := maps.Clone(f)
	maps.Copy(all, more)
	return all
}
