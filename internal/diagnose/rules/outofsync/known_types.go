package outofsync

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/drift"
	"github.com/argo-why/argo-why/internal/evidence"
)

// Argo CD reads a field that argocd-cm gives a type into that type and writes it again before it compares (its knownTypesNormalizer). What
// the type does not know is lost, and with it every later difference there. So a type is named only for single values, and for maps of
// quantities, which keep all that is in them.

// knownField is an entry of knownTypeFields. Its path walks into the members of lists by itself.
type knownField struct{ path, typeName string }

// knownTypes is the step that makes Argo CD compare the fields by what they mean; ok is false where it knows no type for one of them.
func (g *explained) knownTypes(text string) (step diagnose.Fix, ok bool) {
	byKey := map[string][]knownField{}
	var keys []string
	for _, r := range g.resources {
		// Of a Rollout, Argo CD knows the type of the pod template as long as nothing else is configured for it.
		if evidence.BuiltIn(r.Ref.Group) || r.Ref.Group == "argoproj.io" && r.Ref.Kind == "Rollout" {
			return step, false
		}
		key := r.Ref.Group + "_" + r.Ref.Kind
		for _, f := range g.fieldsOf(r) {
			known, ok := knownFieldOf(r, &f)
			switch {
			case !ok:
				return step, false
			case byKey[key] == nil:
				keys = append(keys, key)
			case slices.Contains(byKey[key], known):
				continue
			}
			byKey[key] = append(byKey[key], known)
		}
	}
	var values []advice.Value
	for _, key := range keys {
		var b strings.Builder
		for _, k := range byKey[key] {
			fmt.Fprintf(&b, "- field: %s\n  type: %s\n", k.path, k.typeName)
		}
		values = append(values, advice.Value{Of: advice.Config("resource.customizations.knownTypeFields." + key), Is: b.String()})
	}
	return advice.SetAll(g.in, text, values), true
}

// knownFieldOf is the entry for a field; ok is false where no type of Argo CD makes both values the same, or its path cannot be written.
func knownFieldOf(r *resource, f *drift.Field) (k knownField, ok bool) {
	parent := f.Path[:len(f.Path)-1]
	switch {
	case sameDurations(f):
		k.path, ok = walkedPath(f.Path)
		k.typeName = "meta/v1/Duration"
	case !sameQuantities(f):
	case (parent.Last() == "limits" || parent.Last() == "requests") && holdsQuantities(r, parent):
		k.path, ok = walkedPath(parent)
		k.typeName = "core/v1/ResourceList"
	default:
		k.path, ok = walkedPath(f.Path)
		k.typeName = "core/Quantity"
	}
	return k, ok
}

// walkedPath is a path as knownTypeFields has it: the names of the fields, joined by dots. ok is false where one has a dot itself, or where
// Argo CD does not come through: a list in a list, or values that are members of a list themselves.
func walkedPath(p drift.Path) (path string, ok bool) {
	var names []string
	for i, s := range p {
		switch {
		case s.Member && (i == len(p)-1 || p[i+1].Member):
			return "", false
		case s.Member:
		case s.Field == "" || strings.ContainsAny(s.Field, ". \t\n:#\"'{}[]&*!|>%@`"):
			return "", false
		default:
			names = append(names, s.Field)
		}
	}
	return strings.Join(names, "."), len(names) > 0
}

// sameQuantities reports whether Kubernetes writes the two quantities in the same way. It does not where one has a binary unit and the other
// none: 1Gi and 1073741824.
func sameQuantities(f *drift.Field) bool {
	a, okA := drift.Quantity(f.Live)
	b, okB := drift.Quantity(f.Desired)
	return okA && okB && a == b
}

// sameDurations: Argo CD reads durations from texts alone.
func sameDurations(f *drift.Field) bool {
	x, okX := f.Live.(string)
	y, okY := f.Desired.(string)
	if !okX || !okY {
		return false
	}
	a, errA := time.ParseDuration(x)
	b, errB := time.ParseDuration(y)
	return errA == nil && errB == nil && a == b
}

// maxQuantities is far more than a container has limits: each of them asks about all.
const maxQuantities = 50

// holdsQuantities reports whether both states have nothing but quantities there: with anything else Argo CD could not compare the resource
// at all.
func holdsQuantities(r *resource, p drift.Path) bool {
	for _, state := range []evidence.Object{r.Live, r.Target} {
		v, _ := drift.Lookup(state, p)
		values, _ := v.(map[string]any)
		if len(values) == 0 || len(values) > maxQuantities {
			return false
		}
		for _, x := range values {
			if _, ok := drift.Quantity(x); !ok {
				return false
			}
		}
	}
	return true
}
