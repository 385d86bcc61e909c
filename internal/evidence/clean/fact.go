package clean

import (
	"context"
	"encoding/json"
	"reflect"
	"sync"
	"time"

	"github.com/argo-why/argo-why/internal/evidence"
)

// Fact returns a fact without the secrets in its texts. It goes through every text of every type of evidence by
// reflection, so a field that is added later cannot be forgotten. Only names keep what looks like a secret, see [isName], and the
// states of managed resources, which are compared first: see [States]. A text that was not searched when the context is done is replaced by
// [redact.NotShown].
func Fact[T any](ctx context.Context, fact T) T {
	v, changed := cleanerOf(reflect.TypeFor[T]())(ctx, reflect.ValueOf(&fact).Elem())
	if !changed {
		return fact
	}
	clean, _ := reflect.TypeAssert[T](v)
	return clean
}

// isName reports whether a field is a name or a word from a fixed list, by which objects are looked up and told apart. Neither
// is free text: the API server checks what it is made of.
func isName(field reflect.StructField) bool {
	if field.Type.Kind() != reflect.String && field.Type != reflect.TypeFor[[]string]() {
		return false
	}
	switch field.Name {
	case "APIVersion", "Group", "Version", "Kind", "Namespace", "Name", "UID", "Pod", "Container", "Project", "ControllerNamespace",
		"Revision", "Revisions", "DrySHA", "HydratedSHA",
		"Status", "Phase", "HookType", "HookPhase", "SyncPhase", "SourceType", "SourceTypes", "Type":
		return true
	}
	return false
}

// cleaner cleans values of one type. changed is false if the value is returned as it is.
type cleaner func(context.Context, reflect.Value) (clean reflect.Value, changed bool)

// cleaners are made once per type.
var cleaners sync.Map

func cleanerOf(t reflect.Type) cleaner {
	if c, ok := cleaners.Load(t); ok {
		c, _ := c.(cleaner)
		return c
	}
	c := newCleaner(t)
	cleaners.Store(t, c)
	return c
}

func asIs(_ context.Context, v reflect.Value) (reflect.Value, bool) { return v, false }

func newCleaner(t reflect.Type) cleaner {
	switch t {
	case reflect.TypeFor[time.Time](), reflect.TypeFor[evidence.ResourceDiff]():
		return asIs
	case reflect.TypeFor[evidence.Object]():
		return one(Object)
	case reflect.TypeFor[json.RawMessage]():
		return one(document)
	case reflect.TypeFor[map[string]string]():
		return one(entries)
	}
	switch t.Kind() { //nolint:exhaustive // the rest has no texts
	case reflect.String:
		return text
	case reflect.Pointer:
		return pointer(t)
	case reflect.Slice:
		return slice(t)
	case reflect.Struct:
		return structure(t)
	case reflect.Interface, reflect.Map, reflect.Array:
		panic("clean: no evidence has a " + t.String()) // a test goes through all types of evidence
	}
	return asIs
}

// one makes a cleaner of a function that says whether it changed its value.
func one[T any](clean func(context.Context, T) (T, bool)) cleaner {
	return func(ctx context.Context, v reflect.Value) (reflect.Value, bool) {
		value, _ := reflect.TypeAssert[T](v)
		out, changed := clean(ctx, value)
		if !changed {
			return v, false
		}
		return reflect.ValueOf(out), true
	}
}

func text(ctx context.Context, v reflect.Value) (reflect.Value, bool) {
	s, changed := Text(ctx, v.String())
	if !changed {
		return v, false
	}
	return reflect.ValueOf(s).Convert(v.Type()), true
}

func pointer(t reflect.Type) cleaner {
	// The type of an element is looked up when it is needed: types may contain themselves.
	element := sync.OnceValue(func() cleaner { return cleanerOf(t.Elem()) })
	return func(ctx context.Context, v reflect.Value) (reflect.Value, bool) {
		if v.IsNil() {
			return v, false
		}
		clean, changed := element()(ctx, v.Elem())
		if !changed {
			return v, false
		}
		out := reflect.New(t.Elem())
		out.Elem().Set(clean)
		return out, true
	}
}

func slice(t reflect.Type) cleaner {
	element := sync.OnceValue(func() cleaner { return cleanerOf(t.Elem()) })
	if t.Elem() == reflect.TypeFor[evidence.ResourceDiff]() {
		return one(managed) // an application can have thousands
	}
	return func(ctx context.Context, v reflect.Value) (reflect.Value, bool) {
		clean, out := element(), reflect.Value{}
		for i := range v.Len() {
			c, changed := clean(ctx, v.Index(i))
			if !changed {
				continue
			}
			if !out.IsValid() {
				out = reflect.MakeSlice(t, v.Len(), v.Len())
				reflect.Copy(out, v)
			}
			out.Index(i).Set(c)
		}
		if !out.IsValid() {
			return v, false
		}
		return out, true
	}
}

// structure cleans the fields of a struct that have texts. A copy has the exported fields only: what else there is, such as
// the index of a tree, is of the original.
func structure(t reflect.Type) cleaner {
	type field struct {
		index int
		clean cleaner
	}
	fields := sync.OnceValue(func() []field {
		var out []field
		for i := range t.NumField() {
			f := t.Field(i)
			switch {
			case !f.IsExported() || !hasText(f.Type):
			case isName(f):
				out = append(out, field{i, oneWord(asIs)})
			case isWord(f):
				out = append(out, field{i, oneWord(cleanerOf(f.Type))})
			default:
				out = append(out, field{i, cleanerOf(f.Type)})
			}
		}
		return out
	})
	called := valueOfName(t)
	return func(ctx context.Context, v reflect.Value) (reflect.Value, bool) {
		var out reflect.Value
		for _, f := range fields() {
			c, changed := f.clean(ctx, v.Field(f.index))
			if f.index == called.value {
				c, changed = called.clean(ctx, v)
			}
			if !changed {
				continue
			}
			if !out.IsValid() {
				out = exported(v)
			}
			out.Field(f.index).Set(c)
		}
		if !out.IsValid() {
			return v, false
		}
		return out, true
	}
}

// exported is a copy of the exported fields of a struct.
func exported(v reflect.Value) reflect.Value {
	out := reflect.New(v.Type()).Elem()
	for i := range v.NumField() {
		if v.Type().Field(i).IsExported() {
			out.Field(i).Set(v.Field(i))
		}
	}
	return out
}

// hasText reports whether a value of the type can have a text.
func hasText(t reflect.Type) bool {
	switch t.Kind() { //nolint:exhaustive // the rest has none
	case reflect.Bool, reflect.Int, reflect.Int64, reflect.Float64:
		return false
	case reflect.Pointer, reflect.Slice:
		return t == reflect.TypeFor[json.RawMessage]() || hasText(t.Elem())
	case reflect.Struct:
		return t != reflect.TypeFor[time.Time]() && t != reflect.TypeFor[evidence.Time]()
	}
	return t.Kind() != reflect.Uint8
}

// pair are the fields Name and Value of a struct, such as a parameter: the name says whether the value is a secret.
type pair struct{ name, value int }

// valueOfName finds the pair of a type; value is -1 where there is none.
func valueOfName(t reflect.Type) pair {
	name, hasName := t.FieldByName("Name")
	value, hasValue := t.FieldByName("Value")
	if !hasName || !hasValue || name.Type.Kind() != reflect.String || value.Type.Kind() != reflect.String {
		return pair{-1, -1}
	}
	return pair{name.Index[0], value.Index[0]}
}

func (p pair) clean(ctx context.Context, v reflect.Value) (reflect.Value, bool) {
	s, changed := Named(ctx, v.Field(p.name).String(), v.Field(p.value).String())
	return reflect.ValueOf(s), changed
}
