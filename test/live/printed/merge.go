package printed

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"
)

// Merge writes lines into an object as a person does who is told to merge them: a map key by key; a list entry by entry, where an
// entry that has the name (or the key) of one that is there goes into that, and any other is added. A list of words, such as a
// command, is replaced; sync options are added.
func Merge(into, from map[string]any) {
	for k, v := range from {
		switch v := v.(type) {
		case map[string]any:
			if m, ok := into[k].(map[string]any); ok {
				Merge(m, v)
				continue
			}
		case []any:
			if list, ok := into[k].([]any); ok && (k == "syncOptions" || !words(v)) {
				into[k] = mergeList(list, v)
				continue
			}
		}
		if k == syncOptions || k == compareOptions {
			v = joinOptions(into[k], v)
		}
		into[k] = v
	}
}

// Annotations that hold a list, separated by commas.
const (
	syncOptions    = "argocd.argoproj.io/sync-options"
	compareOptions = "argocd.argoproj.io/compare-options"
)

func joinOptions(old, v any) any {
	a, ok1 := old.(string)
	b, ok2 := v.(string)
	if !ok1 || !ok2 || a == "" || strings.Contains(a, b) {
		return v
	}
	return a + "," + b
}

func words(list []any) bool {
	return !slices.ContainsFunc(list, func(v any) bool { _, ok := v.(string); return !ok })
}

func mergeList(into, from []any) []any {
	for n, v := range from {
		i := slices.IndexFunc(into, func(w any) bool { return same(w, v) })
		if i < 0 && nameless(v) && n < len(into) { // the entry at this place
			i = n
		}
		a, isMap := v.(map[string]any)
		switch {
		case i < 0:
			into = append(into, v)
		case isMap:
			if b, ok := into[i].(map[string]any); ok {
				Merge(b, a)
			}
		}
	}
	return into
}

func nameless(v any) bool {
	m, ok := v.(map[string]any)
	if !ok {
		return false
	}
	for _, key := range identity {
		if _, ok := m[key]; ok {
			return false
		}
	}
	return m["jsonPointers"] == nil && m["jqPathExpressions"] == nil && m["managedFieldsManagers"] == nil
}

// identity are the keys that name an entry of a list.
var identity = []string{"name", "key", "port", "containerPort", "ip", "topologyKey", "host", "type"}

func same(a, b any) bool {
	m, ok1 := a.(map[string]any)
	n, ok2 := b.(map[string]any)
	if !ok1 || !ok2 {
		return a == b
	}
	if m["jsonPointers"] != nil || n["jsonPointers"] != nil || m["jqPathExpressions"] != nil || n["jqPathExpressions"] != nil {
		return false // a rule of its own
	}
	for _, key := range identity {
		if m[key] != nil || n[key] != nil {
			return m[key] == n[key]
		}
	}
	return false
}

// MergeFile merges lines into the manifest of a resource in a file of one or more. It reports false where the file does not
// have it, or is not plain YAML: the template of a chart.
func MergeFile(file []byte, on Resource, from map[string]any) ([]byte, bool, error) {
	var out bytes.Buffer
	found := false
	for i, text := range separator.Split(string(file), -1) {
		var o map[string]any
		if err := yaml.Unmarshal([]byte(text), &o); err != nil {
			return nil, false, nil //nolint:nilerr // not YAML: it is not there
		}
		if i > 0 {
			out.WriteString("---\n")
		}
		meta, _ := o["metadata"].(map[string]any)
		if o["kind"] != on.Kind || meta["name"] != on.Name {
			out.WriteString(text)
			continue
		}
		found = true
		var copied map[string]any // each manifest has lists of its own
		if err := reparse(from, &copied); err != nil {
			return nil, false, err
		}
		Merge(o, copied)
		merged, err := yaml.Marshal(o)
		if err != nil {
			return nil, false, fmt.Errorf("write %s/%s: %w", on.Kind, on.Name, err)
		}
		out.Write(merged)
	}
	return out.Bytes(), found, nil
}

func reparse(from map[string]any, to *map[string]any) error {
	text, err := yaml.Marshal(from)
	if err != nil {
		return fmt.Errorf("write YAML: %w", err)
	}
	if err := yaml.Unmarshal(text, to); err != nil {
		return fmt.Errorf("read YAML: %w", err)
	}
	return nil
}
