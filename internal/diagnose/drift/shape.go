package drift

import (
	"maps"
	"slices"
	"strings"
)

// shape is what the managedFields of all managers have at one place, as far as it tells how lists are keyed. The members of a list
// have the same shape, so all of them are one: a list of thousands is then walked in time that grows with its length.
type shape struct {
	fields map[string]*shape
	member *shape
	// keys are the fields that tell the members of the list here apart, each set of them once. A schema has one set; each of them is tried with all
	// members.
	keys [][]string
}

func shapeOf(managers []manager) *shape {
	s := &shape{}
	for _, m := range managers {
		s.include(m.fields)
	}
	return s
}

// include adds the fields of one manager, or of one member.
func (s *shape) include(fields map[string]any) {
	for _, k := range slices.Sorted(maps.Keys(fields)) {
		content, isMember := strings.CutPrefix(k, ownedMember)
		if isMember {
			s.includeKeys(fieldNames(content))
		}
		below, ok := fields[k].(map[string]any)
		if !ok {
			continue
		}
		if isMember {
			if s.member == nil {
				s.member = &shape{}
			}
			s.member.include(below)
		} else if name, ok := strings.CutPrefix(k, "f:"); ok {
			if s.fields == nil {
				s.fields = map[string]*shape{}
			}
			if s.fields[name] == nil {
				s.fields[name] = &shape{}
			}
			s.fields[name].include(below)
		}
	}
}

func (s *shape) includeKeys(keys []string) {
	if keys != nil && len(s.keys) < mostKeys && !slices.ContainsFunc(s.keys, func(have []string) bool { return slices.Equal(have, keys) }) {
		s.keys = append(s.keys, keys)
	}
}

const mostKeys = 8

// below is one step down, nil where no manager knows of anything there.
func (s *shape) below(key string) *shape {
	switch {
	case s == nil:
		return nil
	case strings.HasPrefix(key, mark):
		return s.member
	}
	return s.fields[key]
}

func (s *shape) listKeys() [][]string {
	if s == nil {
		return nil
	}
	return s.keys
}
