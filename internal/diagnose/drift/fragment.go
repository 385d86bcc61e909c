package drift

import (
	"maps"
	"slices"
)

// Fragment is the part of a manifest that contains only these fields, with the live or the desired values: what
// to write into Git. A list has only the members that differ, with their keys.
func Fragment(fields []Field, live bool) map[string]any {
	root := map[string]any{}
	for _, f := range fields {
		value, there := f.Desired, f.InDesired
		if live {
			value, there = f.Live, f.InLive
		}
		if there && len(f.Path) > 0 {
			put(root, f.Path, written(value))
		}
	}
	listed, _ := lists(root).(map[string]any)
	return listed
}

// written is a value without what only the API server writes.
func written(v any) any {
	m, ok := v.(map[string]any)
	if !ok {
		return v
	}
	out := map[string]any{}
	for k, child := range m {
		if child != nil && k != "creationTimestamp" {
			out[k] = written(child)
		}
	}
	return out
}

// put sets a value in nested maps; members of lists are kept under their keys until all are there.
func put(at map[string]any, p Path, value any) {
	for i, s := range p {
		key := s.key()
		if i == len(p)-1 {
			at[key] = value
			return
		}
		next, ok := at[key].(map[string]any)
		if !ok {
			next = map[string]any{}
			at[key] = next
		}
		at = next
	}
}

// lists makes lists of the maps whose keys are members.
func lists(v any) any {
	m, ok := v.(map[string]any)
	if !ok {
		return v
	}
	out := map[string]any{}
	var members []any
	for _, k := range slices.Sorted(maps.Keys(m)) {
		s := segment(k)
		child := lists(m[k])
		if !s.Member {
			out[k] = child
			continue
		}
		if c, ok := child.(map[string]any); ok {
			for key, value := range s.Keys {
				setKey(c, key, value)
			}
		}
		members = append(members, child)
	}
	if members != nil {
		return members
	}
	return out
}

// setKey gives a member the key that tells it apart.
func setKey(member map[string]any, key string, value any) {
	if key != nestedName {
		member[key] = value
		return
	}
	metadata, ok := member["metadata"].(map[string]any)
	if !ok {
		metadata = map[string]any{}
		member["metadata"] = metadata
	}
	metadata["name"] = value
}
