package clean

import (
	"context"
	"reflect"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/argo-why/argo-why/internal/evidence"
)

// word is a name, or another value that Kubernetes, Git and Helm take as one word, without line breaks and other control characters: a
// patch that is made of it keeps its lines, and nothing else that is printed begins a line with what somebody calls an object. The API
// server refuses such names, so nobody needs them as they are; a file that is handed over, or the status that the owner of an Application
// wrote into it, can have them.
func word(s string) (clean string, changed bool) {
	if !isOdd(s) {
		return s, false
	}
	if len(s) > longestWord {
		s = strings.ToValidUTF8(s[:longestWord], "") + "…"
	}
	return strings.Map(func(r rune) rune {
		if breaks(r) {
			return utf8.RuneError
		}
		return r
	}, s), true
}

// longestWord is more than a path or an expression has; a name has 253 bytes. What is longer would be in each sentence about it, and in the journal.
const longestWord = 8 << 10

// isOdd reports whether a word is none that anybody needs as it is.
func isOdd(s string) bool { return len(s) > longestWord+len("…") || strings.ContainsFunc(s, breaks) }

func breaks(r rune) bool { return unicode.IsControl(r) || r == '\u2028' || r == '\u2029' }

// isWord reports whether a field of our model has one word, beside names; texts are what the others have.
func isWord(field reflect.StructField) bool {
	switch field.Name {
	case "RepoURL", "Repo", "Path", "TargetRevision", "TargetBranch", "Chart", "Ref", "Server", "Address", "Username", "Reason", "Schedule", "Duration", "TimeZone",
		"Images", "Exclude", "Libs", "ValueFiles", "JSONPointers", "JQPathExpressions", "ManagedFieldsManagers", "SyncOptions", "SourceRepos", "Finalizers":
		return true
	}
	return isName(field)
}

// oneWord cleans such a field, or a list of them, after what cleans it of secrets.
func oneWord(before cleaner) cleaner {
	return func(ctx context.Context, v reflect.Value) (reflect.Value, bool) {
		v, changed := before(ctx, v)
		if v.Kind() == reflect.String {
			if s, odd := word(v.String()); odd {
				return reflect.ValueOf(s).Convert(v.Type()), true
			}
			return v, changed
		}
		list, ok := reflect.TypeAssert[[]string](v)
		if !ok || !slices.ContainsFunc(list, isOdd) {
			return v, changed
		}
		list = slices.Clone(list)
		for i := range list {
			list[i], _ = word(list[i])
		}
		return reflect.ValueOf(list), true
	}
}

// managed cleans the names of managed resources. Their states are searched for secrets when they are looked at.
func managed(_ context.Context, list []evidence.ResourceDiff) (clean []evidence.ResourceDiff, changed bool) {
	odd := func(d evidence.ResourceDiff) bool {
		return isOdd(d.Group) || isOdd(d.Kind) || isOdd(d.Namespace) || isOdd(d.Name)
	}
	if !slices.ContainsFunc(list, odd) {
		return list, false
	}
	list = slices.Clone(list)
	for i := range list {
		d := &list[i]
		for _, name := range []*string{&d.Group, &d.Kind, &d.Namespace, &d.Name} {
			*name, _ = word(*name)
		}
	}
	return list, true
}

// isWordOf reports whether a key of a Kubernetes object has one word.
func isWordOf(key string) bool {
	switch key {
	case "name", "kind", "apiVersion", "namespace", "image", "key", "path", "host", "type", "reason", "server", "memory", "cpu", "storage", "ephemeral-storage", "sizeLimit", "manager", "resource":
		return true
	}
	return strings.HasSuffix(key, "Name") || strings.HasSuffix(key, "Path")
}

// wordsOf cleans the names within an object, in place.
func wordsOf(key string, v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k, inner := range v {
			v[k] = wordsOf(k, inner)
		}
	case []any:
		for i, inner := range v {
			v[i] = wordsOf(key, inner)
		}
	case string:
		if isWordOf(key) {
			v, _ = word(v)
		}
		return v
	}
	return v
}

// oddWords reports whether [wordsOf] would change anything.
func oddWords(key string, v any) bool {
	switch v := v.(type) {
	case map[string]any:
		for k, inner := range v {
			if oddWords(k, inner) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(v, func(inner any) bool { return oddWords(key, inner) })
	case string:
		return isWordOf(key) && isOdd(v)
	}
	return false
}
