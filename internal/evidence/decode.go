package evidence

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/argo-why/argo-why/internal/foreign"
)

const notOurs = "is not a case file or an Argo CD Application: "

// shape is what distinguishes the kinds of document. Whatever does not fit is as if it were not there.
type shape struct {
	Case       lax[string]   `json:"case"`
	APIVersion lax[string]   `json:"apiVersion"`
	Kind       lax[string]   `json:"kind"`
	Metadata   lax[Metadata] `json:"metadata"`
	Spec       lax[struct {
		// What only projects and ApplicationSets have: the argocd command leaves out the kind.
		SourceRepos  part `json:"sourceRepos"`
		Destinations part `json:"destinations"`
		Generators   part `json:"generators"`
	}] `json:"spec"`
	Status lax[struct {
		Conditions []struct{ Type, Status, Message string } `json:"conditions"`
	}] `json:"status"`
	Items key `json:"items"`

	// Of a change: its type, and either an object (Kubernetes) or an application (Argo CD, in a result).
	Type        lax[string] `json:"type"`
	Object      part        `json:"object"`
	Application part        `json:"application"`
	Result      part        `json:"result"`

	// Of a refusal.
	Message lax[string] `json:"message"`
	Error   part        `json:"error"`
}

// part is whether a part of a document is there. It does not keep the part, which can be large.
type part bool

// UnmarshalJSON implements json.Unmarshaler.
func (p *part) UnmarshalJSON(text []byte) error {
	*p = string(text) != "null"
	return nil
}

// key is whether a document has a key. The list of nobody's applications is null.
type key bool

// UnmarshalJSON implements json.Unmarshaler.
func (k *key) UnmarshalJSON([]byte) error { *k = true; return nil }

// lax is a part that may be of another type than expected.
type lax[T any] struct {
	is    part
	value T
}

// UnmarshalJSON implements json.Unmarshaler.
func (l *lax[T]) UnmarshalJSON(text []byte) error {
	l.is = string(text) != "null"
	if foreign.Skim(text, &l.value) != nil {
		var none T
		l.value = none
	}
	return nil
}

// kind is what kind of object it is, where the document or the list around it says so, or its fields do.
func (s *shape) kind(list string) string {
	spec := s.Spec.value
	switch {
	case s.Kind.value != "":
		return s.Kind.value
	case list != "":
		return list
	case bool(spec.Generators):
		return "ApplicationSet"
	case bool(spec.SourceRepos || spec.Destinations):
		return "AppProject"
	case bool(s.Spec.is && s.Metadata.is):
		return "Application"
	}
	return ""
}

// missing are the parts that a whole Application has and this one lacks.
func (s *shape) missing() string {
	var parts []string
	for _, part := range []struct {
		name string
		is   part
	}{{"metadata", s.Metadata.is}, {"spec", s.Spec.is}, {"status", s.Status.is}} {
		if !part.is {
			parts = append(parts, part.name)
		}
	}
	return strings.Join(parts, ", ")
}

// live reports whether the object is from a cluster. In Git nobody has created it.
func (s *shape) live() bool {
	m := &s.Metadata.value
	return m.UID != "" || !m.CreationTimestamp.IsZero()
}

// jsonProblem says which field is wrong and what was expected, without Go types.
func jsonProblem(err error) string {
	var mismatch *json.UnmarshalTypeError
	if errors.As(err, &mismatch) {
		if mismatch.Field == "" {
			return "it is " + kindOfValue(mismatch.Value)
		}
		return fmt.Sprintf("%s is %s, and should be %s", mismatch.Field, kindOfValue(mismatch.Value), kindOfType(mismatch.Type))
	}
	return firstLine(err.Error())
}

// kindOfValue is a kind of JSON value in words.
func kindOfValue(kind string) string {
	switch {
	case kind == "array":
		return "a list"
	case kind == "string":
		return "text"
	case kind == "bool":
		return "true or false"
	case strings.HasPrefix(kind, "number"):
		return "a number"
	}
	return withArticle(kind)
}

// kindOfType is the kind of JSON value that a type is decoded from.
func kindOfType(t reflect.Type) string {
	switch t.Kind() { //nolint:exhaustive // the rest are numbers
	case reflect.Slice, reflect.Array:
		return "a list"
	case reflect.String:
		return "text"
	case reflect.Bool:
		return "true or false"
	case reflect.Struct, reflect.Map, reflect.Pointer:
		return "an object"
	}
	return "a number"
}

func withArticle(noun string) string {
	if noun != "" && strings.ContainsRune("AEIOUaeiou", rune(noun[0])) {
		return "an " + noun
	}
	return "a " + noun
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}
