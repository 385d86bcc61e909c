package drift

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Path leads from the root of an object to one of its fields.
type Path []Segment

// Segment is one step: into a field of a map, or into the member of a list that its keys (or, without any, its index)
// name.
type Segment struct {
	Field string
	// Keys are the merge keys of a list's member, e.g. name=web or port=80 and protocol=TCP; nil in a map.
	Keys map[string]any
	// Index is the member's place where it has no keys; meaningful only if Member.
	Index  int
	Member bool
}

// String is the path as people write it: spec.template.spec.containers[name=web].image.
func (p Path) String() string {
	var b strings.Builder
	for i, s := range p {
		switch {
		case s.Member:
			b.WriteString("[" + s.member(", ", func(k string, v any) string { return fmt.Sprintf("%s=%v", k, v) }) + "]")
		case strings.ContainsAny(s.Field, "./[] "):
			fmt.Fprintf(&b, "[%s]", s.Field)
		case i > 0:
			b.WriteString("." + s.Field)
		default:
			b.WriteString(s.Field)
		}
	}
	return b.String()
}

// Short is the path without what every workload has in front: containers[name=web].image.
func (p Path) Short() string {
	if p.Under("spec", "template", "spec") && len(p) > 3 {
		return p[3:].String()
	}
	return p.String()
}

// Tail is the end of the path, in as many whole steps as fit in limit characters: clientConfig.caBundle. Where not even the last
// field fits, it is that field.
func (p Path) Tail(limit int) string {
	last := ""
	for i, s := range p {
		if s.Member {
			continue
		}
		if last = s.Field; i < len(p)-1 {
			last = p[i:].String()
		}
		if len(last) <= limit {
			return last
		}
	}
	return last
}

// member writes the keys in a fixed order, or the index.
func (s Segment) member(between string, one func(key string, value any) string) string {
	if s.Keys == nil {
		return strconv.Itoa(s.Index)
	}
	var out []string
	for _, k := range slices.Sorted(maps.Keys(s.Keys)) {
		out = append(out, one(k, s.Keys[k]))
	}
	return strings.Join(out, between)
}

// escaped is a key in a JSON pointer, in which a slash separates.
var escaped = strings.NewReplacer("~", "~0", "/", "~1")

// Pointer is the path as a JSON pointer (RFC 6901), for ignoreDifferences.jsonPointers. ok is false where the path leads
// through a list: a pointer knows only indices, which name another member once the list changes.
func (p Path) Pointer() (pointer string, ok bool) {
	for _, s := range p {
		if s.Member {
			return "", false
		}
		pointer += "/" + escaped.Replace(s.Field)
	}
	return pointer, true
}

// JQ is the path as a jq path expression, for ignoreDifferences.jqPathExpressions.
func (p Path) JQ() string {
	return p.jq(func(k string, v any, _ bool) string { return jqKey(k) + " == " + jsonText(v) })
}

// AnyJQ is the same for all members of a list whose names differ only in the part that was generated: the next one has another.
func (p Path) AnyJQ() string {
	return p.jq(func(k string, v any, alone bool) string {
		name, _ := v.(string)
		starts := jqKey(k) + " | startswith(" + jsonText(GeneratedFrom(name)) + ")"
		switch {
		case GeneratedFrom(name) == "":
		case alone:
			return starts
		default:
			return "(" + starts + ")"
		}
		return jqKey(k) + " == " + jsonText(v)
	})
}

func (p Path) jq(key func(k string, v any, alone bool) string) string {
	var b strings.Builder
	for i, s := range p {
		switch {
		case s.Member && s.Keys == nil:
			fmt.Fprintf(&b, "[%d]", s.Index)
		case s.Member:
			b.WriteString("[] | select(" + s.member(" and ", func(k string, v any) string { return key(k, v, len(s.Keys) == 1) }) + ")")
			if i < len(p)-1 {
				b.WriteString(" | ")
			}
		default:
			field := jqField(s.Field)
			if i > 0 && strings.HasPrefix(field, ".[") && p[i-1].Keys == nil {
				field = field[1:] // .metadata["a/b"], not .metadata.["a/b"], which older jq does not know
			}
			b.WriteString(field)
		}
	}
	return b.String()
}

// jqField is one step of jq: .name, or .["a/b"] where the name is no identifier.
func jqField(name string) string {
	plain := name != "" && strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == ""
	if plain && (name[0] < '0' || name[0] > '9') {
		return "." + name
	}
	return ".[" + jsonText(name) + "]"
}

// jqKey is the key of a list's member in jq.
func jqKey(key string) string {
	if key == nestedName {
		return "." + nestedName
	}
	return jqField(key)
}

func jsonText(v any) string {
	out, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(out)
}

// Schema is the path as kubectl explain takes it: the names of the fields. ok is false where one of them is no name of a schema but
// a key that people choose.
func (p Path) Schema() (path string, ok bool) {
	var names []string
	for _, s := range p {
		switch {
		case s.Member:
		case jqField(s.Field) != "."+s.Field:
			return "", false
		default:
			names = append(names, s.Field)
		}
	}
	return strings.Join(names, "."), len(names) > 0
}

// IsGenerated reports whether a member on the path has a name with a generated end.
func (p Path) IsGenerated() bool {
	return slices.ContainsFunc(p, func(s Segment) bool {
		for _, v := range s.Keys {
			if name, ok := v.(string); ok && GeneratedFrom(name) != "" {
				return true
			}
		}
		return false
	})
}

// ByIndex reports whether the path leads through a list whose members only their place tells apart.
func (p Path) ByIndex() bool {
	return slices.ContainsFunc(p, func(s Segment) bool { return s.Member && s.Keys == nil })
}

// Under reports whether the path begins with these fields, e.g. Under("spec", "template").
func (p Path) Under(fields ...string) bool {
	for i, f := range fields {
		if i >= len(p) || p[i].Member || p[i].Field != f {
			return false
		}
	}
	return true
}

// Has reports whether the path leads through a field of that name.
func (p Path) Has(field string) bool {
	return slices.ContainsFunc(p, func(s Segment) bool { return !s.Member && s.Field == field })
}

// Name is what the value at the path is called: its field, or of a pair of a name and a value, the name. Of
// env[name=DB_PASSWORD].value it is DB_PASSWORD.
func (p Path) Name() string {
	last := p.Last()
	if last != "value" && last != "" {
		return last
	}
	for _, s := range slices.Backward(p) {
		if name, ok := s.Keys["name"].(string); ok {
			return name
		}
	}
	return last
}

// Last is the name of the field at the end, or "" at a list's member.
func (p Path) Last() string {
	if len(p) == 0 {
		return ""
	}
	return p[len(p)-1].Field
}
