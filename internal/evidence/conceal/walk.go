package conceal

import (
	"cmp"
	"context"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/redact/effort"
)

// texts is a fact whose texts name no application that the reader may not see. What has none to replace is returned as it is.
func texts[T any](ctx context.Context, s *Source, fact T) T {
	v, changed := s.walk(reflect.ValueOf(&fact).Elem(), effort.New(ctx, mostSteps))
	if !changed {
		return fact
	}
	out, _ := reflect.TypeAssert[T](v)
	return out
}

// walk goes through every text of a value, of whatever type, so that a field which is added later cannot be forgotten. It copies what it
// changes.
func (s *Source) walk(v reflect.Value, m *effort.Meter) (reflect.Value, bool) {
	switch v.Kind() { //nolint:exhaustive // the rest has no texts
	case reflect.String:
		if t := s.text(v.String(), m); t != v.String() {
			return reflect.ValueOf(t).Convert(v.Type()), true
		}
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return v, false
		}
		in, changed := s.walk(v.Elem(), m)
		if !changed {
			return v, false
		}
		if v.Kind() == reflect.Interface {
			return in, true
		}
		out := reflect.New(v.Type().Elem())
		out.Elem().Set(in)
		return out, true
	case reflect.Slice:
		return s.slice(v, m)
	case reflect.Map:
		return s.mapping(v, v.Type().Elem().Kind() == reflect.String, m)
	case reflect.Struct:
		return s.structure(v, m)
	}
	return v, false
}

func (s *Source) slice(v reflect.Value, m *effort.Meter) (reflect.Value, bool) {
	if v.Type().Elem().Kind() == reflect.Uint8 { // a document
		if t := s.text(string(v.Bytes()), m); t != string(v.Bytes()) {
			return reflect.ValueOf([]byte(t)).Convert(v.Type()), true
		}
		return v, false
	}
	var out reflect.Value
	for i := range v.Len() {
		e, changed := s.walk(v.Index(i), m)
		if !changed {
			continue
		}
		if !out.IsValid() {
			out = reflect.MakeSlice(v.Type(), v.Len(), v.Len())
			reflect.Copy(out, v)
		}
		out.Index(i).Set(e)
	}
	if !out.IsValid() {
		return v, false
	}
	return out, true
}

// mapping goes through labels, annotations and whole objects. The label that says whose an object is has a name alone. free: people choose
// the keys.
func (s *Source) mapping(v reflect.Value, free bool, m *effort.Meter) (reflect.Value, bool) {
	var out reflect.Value
	keys := v.MapKeys()
	slices.SortFunc(keys, func(a, b reflect.Value) int { return cmp.Compare(a.String(), b.String()) }) // two may become one
	for _, key := range keys {
		if k := key.String(); k == "image" || k == "imageID" { // what a container is made of is no application
			continue
		}
		e, changed := s.walkBelow(key, v.MapIndex(key), m)
		if content, isText := v.MapIndex(key).Interface().(string); isText && strings.HasSuffix(key.String(), "/instance") {
			if standIn, hidden := s.word(strings.Replace(content, "_", "/", 1), false); hidden {
				e, changed = reflect.ValueOf(standIn), true
			}
		}
		shown := key
		// The field of an object may be called like an application.
		if k := key.String(); key.Kind() == reflect.String && (free || strings.ContainsAny(k, "-/.")) {
			if is := s.text(k, m); is != k {
				shown, changed = reflect.ValueOf(is).Convert(key.Type()), true
			}
		}
		if !changed {
			continue
		}
		if !out.IsValid() {
			out = reflect.MakeMapWithSize(v.Type(), v.Len())
			for old := v.MapRange(); old.Next(); {
				out.SetMapIndex(old.Key(), old.Value())
			}
		}
		out.SetMapIndex(key, reflect.Value{})
		out.SetMapIndex(shown, e)
	}
	if !out.IsValid() {
		return v, false
	}
	return out, true
}

// freeKeys are the fields of an object whose keys people choose.
var freeKeys = []string{"annotations", "binaryData", "data", "labels", "matchLabels", "nodeSelector", "parameters", "selector", "stringData", "values", "valuesObject"}

// walkBelow is walk for what is behind a key.
func (s *Source) walkBelow(key, v reflect.Value, m *effort.Meter) (reflect.Value, bool) {
	in := v
	for in.Kind() == reflect.Interface {
		in = in.Elem()
	}
	if in.Kind() == reflect.Map && slices.Contains(freeKeys, key.String()) {
		return s.mapping(in, true, m)
	}
	return s.walk(v, m)
}

// structure copies the exported fields of a struct only: what else there is, such as the index of a tree, is of the original.
func (s *Source) structure(v reflect.Value, m *effort.Meter) (reflect.Value, bool) {
	if v.Type() == reflect.TypeFor[time.Time]() || v.Type() == reflect.TypeFor[evidence.Time]() {
		return v, false
	}
	var out reflect.Value
	for i := range v.NumField() {
		if f := v.Type().Field(i); !f.IsExported() || isName(f) {
			continue
		}
		e, changed := s.walk(v.Field(i), m)
		if !changed {
			continue
		}
		if !out.IsValid() {
			out = reflect.New(v.Type()).Elem()
			for n := range v.NumField() {
				if v.Type().Field(n).IsExported() {
					out.Field(n).Set(v.Field(n))
				}
			}
		}
		out.Field(i).Set(e)
	}
	if !out.IsValid() {
		return v, false
	}
	return out, true
}

// isName reports whether a field is a name by which objects are looked up: those of applications were replaced before.
func isName(f reflect.StructField) bool {
	switch f.Name {
	case "Group", "Version", "Kind", "Namespace", "Name", "UID", "Pod", "Container", "Project", "ControllerNamespace":
		return f.Type.Kind() == reflect.String
	}
	return false
}
