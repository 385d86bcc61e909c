package drift

import (
	"maps"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/evidence"
)

// Lookup walks an object as it is, lists and all.
func Lookup(o evidence.Object, p Path) (any, bool) { return Lookups(o)(p) }

// Lookups is Lookup for many fields of one object.
func Lookups(o evidence.Object) func(Path) (any, bool) {
	f := finder{object: o}
	return f.find
}

// finder looks up many fields of one object. It reads the keys of a list's members once: each of thousands may be looked for.
type finder struct {
	object evidence.Object
	lists  map[keyedList]map[string]any
}

// keyedList is a list, by the place of its first member, and the names of the keys that tell its members apart.
type keyedList struct {
	first *any
	keys  string
}

func (f *finder) find(p Path) (any, bool) {
	var at any = map[string]any(f.object)
	for _, s := range p {
		switch x := at.(type) {
		case map[string]any:
			v, ok := x[s.Field]
			if !ok || s.Member {
				return nil, false
			}
			at = v
		case []any:
			v, ok := f.pick(x, s)
			if !ok {
				return nil, false
			}
			at = v
		default:
			return nil, false
		}
	}
	return at, f.object != nil
}

func (f *finder) pick(list []any, s Segment) (any, bool) {
	if s.Keys == nil {
		if s.Member && s.Index < len(list) {
			return list[s.Index], true
		}
		return nil, false
	}
	if len(list) == 0 {
		return nil, false
	}
	keys := slices.Sorted(maps.Keys(s.Keys))
	of := keyedList{&list[0], strings.Join(keys, "\x00")}
	members, ok := f.lists[of]
	if !ok {
		members = map[string]any{}
		for _, v := range list {
			m, ok := v.(map[string]any)
			if !ok {
				continue
			}
			if key := memberKey(m, keys); members[key] == nil { // of two with the same keys, the first
				members[key] = m
			}
		}
		if f.lists == nil {
			f.lists = map[keyedList]map[string]any{}
		}
		f.lists[of] = members
	}
	v, ok := members[mark+jsonText(s.Keys)]
	return v, ok
}
