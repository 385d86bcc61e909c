package drift

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/argo-why/argo-why/internal/foreign"
	"github.com/argo-why/argo-why/internal/text"
)

// Compared by index, a container put in front makes every other one "changed". So before two lists are compared, they are rewritten
// as maps whose keys say which member is which:
//
//	containers: [{name: a}, {name: b}]   →   containers: {"␁{\"name\":\"a\"}": …, "␁{\"name\":\"b\"}": …}
//
// Lists that have no keys and cannot be matched member by member are compared as one value.

// mark begins the map key of what was a list's member; no field of an object begins with a control character.
const mark = "\x01"

// listKeys are what identifies the members of well-known lists, the more telling first. The API server's own keys, where
// managedFields show them, go before these.
var listKeys = [][]string{
	{"name"}, {nestedName}, {"containerPort", "protocol"}, {"port", "protocol"}, {"port"}, {"mountPath"}, {"devicePath"}, {"topologyKey", "whenUnsatisfiable"},
	{"ip"}, {"uid"}, {"id"}, {"key"}, {"secretKey"}, {"host"}, {"path"}, {"type"},
}

// nestedName is the key of members that are objects of their own, such as the volumeClaimTemplates of a StatefulSet.
const nestedName = "metadata.name"

// keyValue is what a member has for a key.
func keyValue(m map[string]any, key string) (any, bool) {
	if key == nestedName {
		metadata, _ := m["metadata"].(map[string]any)
		m, key = metadata, "name"
	}
	v, ok := m[key]
	return v, ok
}

func disjoint(a, b map[string]any) bool {
	for k := range a {
		if _, both := b[k]; both {
			return false
		}
	}
	return true
}

// keysOf are the fields that tell the members of two lists apart; nil when there are none.
func keysOf(a, b []any, known *shape) []string {
	for _, keys := range slices.Concat(known.listKeys(), listKeys) {
		if unique(a, keys) && unique(b, keys) {
			return keys
		}
	}
	return nil
}

func fieldNames(content string) []string {
	var m map[string]any
	if foreign.Field.JSON([]byte(content), &m) != nil {
		return nil
	}
	var out []string
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// unique reports whether each member is an object that has the keys, and no two have the same values. A protocol that is
// left out is TCP.
func unique(list []any, keys []string) bool {
	seen := map[string]bool{}
	for _, v := range list {
		m, ok := v.(map[string]any)
		if !ok {
			return false
		}
		for _, k := range keys {
			if _, has := keyValue(m, k); !has && k != "protocol" {
				return false
			}
		}
		name := memberKey(m, keys)
		if seen[name] {
			return false
		}
		seen[name] = true
	}
	return true
}

func memberKey(m map[string]any, keys []string) string {
	values := map[string]any{}
	for _, k := range keys {
		if v, ok := keyValue(m, k); ok {
			values[k] = v
		} else {
			values[k] = "TCP"
		}
	}
	return mark + jsonText(values)
}

func byKey(list []any, keys []string) map[string]any {
	out := make(map[string]any, len(list))
	for i, v := range list {
		if m, ok := v.(map[string]any); ok && keys != nil {
			out[memberKey(m, keys)] = v
			continue
		}
		out[mark+strconv.Itoa(i)] = v
	}
	return out
}

// key is the segment as a map key of the rewritten objects.
func (s Segment) key() string {
	switch {
	case !s.Member:
		return s.Field
	case s.Keys == nil:
		return mark + strconv.Itoa(s.Index)
	}
	return mark + jsonText(s.Keys)
}

// segment reads a map key back.
func segment(key string) Segment {
	content, member := strings.CutPrefix(key, mark)
	if !member {
		return Segment{Field: key}
	}
	if i, err := strconv.Atoi(content); err == nil {
		return Segment{Member: true, Index: i}
	}
	s := Segment{Member: true, Keys: map[string]any{}}
	_ = json.Unmarshal([]byte(content), &s.Keys) // written by memberKey
	return s
}

func objects(list []any) bool {
	return !slices.ContainsFunc(list, func(v any) bool { _, ok := v.(map[string]any); return !ok })
}

// permuted reports whether two lists have the same members in another order.
func permuted(a, b []any) bool {
	if len(a) != len(b) || len(a) < 2 {
		return false
	}
	count := map[string]int{}
	for i := range a {
		count[jsonText(a[i])]++
		count[jsonText(b[i])]--
	}
	for _, n := range count {
		if n != 0 {
			return false
		}
	}
	return true
}

// Show is a value for a person, on one line.
func Show(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case string:
		if v == "" {
			return `""`
		}
		return text.OneLine(v)
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case map[string]any, []any:
		return jsonText(v)
	}
	return fmt.Sprint(v)
}
