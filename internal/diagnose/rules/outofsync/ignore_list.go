package outofsync

import (
	"fmt"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/drift"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/evidence"
)

// repairedEntries are the application's entries, those that miss a field corrected: whatever else they cover stays covered. Each step that
// prints the list prints this one, so that none puts a fault back.
func (d *picture) repairedEntries(in *diagnose.In) []evidence.IgnoredDifference {
	out, _ := diagnose.Once(in, "entries of ignoreDifferences, corrected", func() ([]evidence.IgnoredDifference, bool) {
		return d.repair(in), !in.Waiting()
	})
	return slices.Clip(out)
}

func (d *picture) repair(in *diagnose.In) []evidence.IgnoredDifference {
	given := in.App().Spec.IgnoreDifferences
	if len(given) == 0 {
		return nil
	}
	repairs := make([]repair, len(given))
	for i, e := range given {
		e.Group = withoutVersion(e.Group)
		repairs[i].given = e
	}
	var added []evidence.IgnoredDifference
	for _, r := range d.resources {
		var vain []drift.Field
		for _, f := range r.Fields {
			if !isMeantToBeIgnored(in, d, r, &f) {
				continue
			}
			i, _ := missedEntry(in, r, &f)
			if ignoresInVain(r, given[i], &f) != "" {
				vain = append(vain, f)
				continue
			}
			repairs[i].add(r, &f)
		}
		if len(vain) > 0 {
			added = append(added, forAll(in, byPath(r, vain)))
		}
	}
	var out []evidence.IgnoredDifference
	for i := range repairs {
		out = append(out, repairs[i].entries(in)...)
	}
	return withEntries(nil, append(out, added...)...)
}

// withEntries are a list of entries and those of more that it does not have yet.
func withEntries(list []evidence.IgnoredDifference, more ...evidence.IgnoredDifference) []evidence.IgnoredDifference {
	has := map[string]bool{}
	for _, e := range list {
		has[fmt.Sprintf("%#v", e)] = true
	}
	for _, e := range more {
		if key := fmt.Sprintf("%#v", e); !has[key] {
			has[key] = true
			list = append(list, e)
		}
	}
	return list
}

// repair is an entry of the application and what it has to become: an entry for each resource that it was meant for and misses. Two
// resources never change the same entry one after the other, where the second would take it away from the first.
type repair struct {
	given evidence.IgnoredDifference
	into  []evidence.IgnoredDifference
}

func (p *repair) add(r *resource, f *drift.Field) {
	moved := moveTo(p.given, r.Ref)
	for i := range p.into {
		if samePlace(p.into[i], moved) {
			p.into[i] = repaired(p.into[i], f)
			return
		}
	}
	p.into = append(p.into, repaired(moved, f))
}

// entries are what to write instead of the entry. It stays beside them where it is also for a resource that the application has.
func (p *repair) entries(in *diagnose.In) []evidence.IgnoredDifference {
	stays := !slices.ContainsFunc(p.into, func(e evidence.IgnoredDifference) bool { return samePlace(e, p.given) }) &&
		slices.ContainsFunc(in.App().Status.Resources, func(s evidence.ResourceStatus) bool {
			return matchesGlob(p.given.Group, s.Group) && matchesGlob(p.given.Kind, s.Kind) && matchesPlace(s.Ref(), p.given)
		})
	if len(p.into) == 0 || stays {
		return append([]evidence.IgnoredDifference{p.given}, p.into...)
	}
	return p.into
}

func samePlace(a, b evidence.IgnoredDifference) bool {
	return a.Group == b.Group && a.Kind == b.Kind && a.Name == b.Name && a.Namespace == b.Namespace
}

// moveTo is an entry that finds the resource: what it says of group, kind, name and namespace is the resource's.
func moveTo(e evidence.IgnoredDifference, ref evidence.Ref) evidence.IgnoredDifference {
	if !matchesGlob(e.Group, ref.Group) {
		e.Group = ref.Group
	}
	if !matchesGlob(e.Kind, ref.Kind) {
		e.Kind = ref.Kind
	}
	if e.Name != "" {
		e.Name = ref.Name
	}
	if e.Namespace != "" {
		e.Namespace = ref.Namespace
	}
	return e
}

// repaired is an entry that finds its resource and matches the field; all else that it matches stays.
func repaired(e evidence.IgnoredDifference, f *drift.Field) evidence.IgnoredDifference {
	if !aimsAt(e, f) {
		o, _ := foreignWriter(f)
		if e.Name != "" { // none of those that it names writes to this resource
			e.ManagedFieldsManagers = nil
		}
		e.ManagedFieldsManagers = withString(e.ManagedFieldsManagers, o.Manager)
		return e
	}
	wrong, fault := wrongPointer(e, f)
	if fault == "" {
		return e
	}
	right, simple := f.Path.Pointer()
	if matchesNothing(wrong, right) {
		e.JSONPointers = slices.DeleteFunc(slices.Clone(e.JSONPointers), func(p string) bool { return p == wrong })
	}
	if simple {
		e.JSONPointers = withString(e.JSONPointers, right)
	} else {
		e.JQPathExpressions = withString(e.JQPathExpressions, f.Path.JQ())
	}
	return e
}

// withString is a copy of a list that has one more string, where it did not have it.
func withString(list []string, more string) []string {
	if slices.Contains(list, more) {
		return list
	}
	return append(slices.Clone(list), more)
}

var index = pattern.MustCompile(`/\d+(/|$)`)

// wrongPointer is the JSON pointer of an entry that was meant for a field, and what is wrong with it; "" where nothing can be seen.
func wrongPointer(e evidence.IgnoredDifference, f *drift.Field) (pointer, fault string) {
	right, simple := f.Path.Pointer()
	for _, p := range e.JSONPointers {
		if simple && p == right || p != "" && strings.HasPrefix(right, p+"/") {
			return "", ""
		}
	}
	for _, p := range e.JSONPointers {
		switch {
		case !aimsAt(evidence.IgnoredDifference{JSONPointers: []string{p}}, f):
		case p != "" && p[0] != '/':
			return p, fmt.Sprintf("JSON pointer %q does not begin with a slash", p)
		case simple && unescaped(right) == p:
			return p, fmt.Sprintf("the slash in the key is not escaped as ~1 in JSON pointer %q", p)
		case !simple && index.MatchString(p):
			return p, fmt.Sprintf("JSON pointer %q addresses list members by index", p)
		case !simple:
			return p, fmt.Sprintf("JSON pointer %q points to another place", p)
		}
	}
	return "", ""
}

// matchesNothing reports whether a pointer that is wrong for a field can be no other field's either.
func matchesNothing(wrong, right string) bool { return wrong[0] != '/' || unescaped(right) == wrong }

func unescaped(pointer string) string {
	return strings.NewReplacer("~1", "/", "~0", "~").Replace(pointer)
}

// withoutVersion is the group of what people take for one: an apiVersion, whose version no group has.
func withoutVersion(group string) string {
	name, isVersion, _ := strings.Cut(group, "/")
	switch {
	case version.MatchString(group):
		return ""
	case version.MatchString(isVersion):
		return name
	}
	return group
}

var version = pattern.MustCompile(`^v[0-9]+((alpha|beta)[0-9]+)?$`)
