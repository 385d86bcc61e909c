package redact

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// lastApplied is the annotation in which kubectl keeps the whole object, a Secret's data included.
const lastApplied = "kubectl.kubernetes.io/last-applied-configuration"

// JSON returns the JSON document raw with every secret in it replaced by [Replacement]:
//
//   - every value under data, stringData and binaryData of an object whose kind is Secret, of the template of a Secret in
//     an object whose kind ends like that, such as ExternalSecret, and under stringData anywhere;
//   - the value of an entry {"name": "DB_PASSWORD", "value": "x"} and of a key whose name says that it is a secret, also
//     where it is a list;
//   - what [String] finds in any other string.
//
// Strings that contain a JSON document, such as liveState and the last applied configuration, are treated the
// same way, at any depth, and stay strings. Keys and numbers are kept as they are. The result is compact, its keys are
// sorted, and redacting it again changes nothing. An error means that raw is not exactly one JSON document; nothing is
// returned then.
func JSON(raw []byte) ([]byte, error) {
	document, err := decode(raw)
	if err != nil {
		return nil, fmt.Errorf("redact JSON: %w", err)
	}
	clean, _ := walk(document, outside)
	out, err := encode(clean)
	if err != nil {
		return nil, fmt.Errorf("redact JSON: %w", err)
	}
	return out, nil
}

func decode(raw []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("text after the document")
	}
	return v, nil
}

func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// place says where in a document we are.
type place int

const (
	outside place = iota
	// maker is within an object whose template is a Secret.
	maker
	// secret is within a Secret, or in a document that describes one without saying its kind.
	secret
)

// walk redacts v in place where it can, and says whether anything changed.
func walk(v any, in place) (clean any, changed bool) {
	switch v := v.(type) {
	case map[string]any:
		return v, walkObject(v, in)
	case []any:
		return v, walkArray(v, in)
	case string:
		clean := text(v, in)
		return clean, clean != v
	}
	return v, false
}

func walkObject(o map[string]any, in place) bool {
	in = placeOf(o, in)
	// Containers' environment, and parameters of Helm charts and plugins.
	name, _ := o["name"].(string)
	if key, ok := o["key"].(string); ok && name == "" {
		name = key
	}
	changed := false
	for key, value := range o {
		var clean any
		var differs bool
		switch s, isString := value.(string); {
		case in == secret && (key == "data" || key == "binaryData"), key == "stringData":
			clean, differs = blank(value)
		case isString && (namesSecret(key, s) || key == "value" && namesSecret(name, s)):
			clean, differs = Replacement, s != Replacement
		case isNumber(value) && (isPasswordName(key) || key == "value" && isPasswordName(name)):
			clean, differs = Replacement, true
		case in == maker && key == "template":
			clean, differs = walk(value, secret)
		case !isString && (holdsSecrets(key) || (key == "array" || key == "map") && holdsSecrets(name)):
			clean, differs = blankStrings(value, in)
		default:
			clean, differs = walk(value, in)
		}
		if differs {
			o[key], changed = clean, true
		}
	}
	return changed
}

// placeOf says where o leads.
func placeOf(o map[string]any, in place) place {
	kind, hasKind := o["kind"].(string)
	switch {
	case isSecret(o):
		return secret
	case strings.HasSuffix(kind, "Secret"):
		return maker
	case hasKind:
		return outside
	}
	return in
}

// blankStrings redacts the strings directly in a list or a map that has the name of secrets. What describes them, such as
// a reference or a schema, is an object and walked like any other.
func blankStrings(v any, in place) (clean any, changed bool) {
	switch v := v.(type) {
	case []any:
		changed := false
		for i, value := range v {
			c, differs := walk(value, in)
			if s, ok := value.(string); ok && !names().placeholder.MatchString(s) {
				c, differs = Replacement, s != Replacement
			}
			if differs {
				v[i], changed = c, true
			}
		}
		return v, changed
	case map[string]any:
		for _, key := range []string{"name", "key", "secretName", "secretKeyRef", "secretRef", "valueFrom", "type", "description", "$ref"} {
			if _, described := v[key]; described {
				return walk(v, in)
			}
		}
		changed := false
		for key, value := range v {
			c, differs := walk(value, in)
			if s, ok := value.(string); ok && !names().placeholder.MatchString(s) && !refersTo(key) {
				c, differs = Replacement, s != Replacement
			}
			if differs {
				v[key], changed = c, true
			}
		}
		return v, changed
	}
	return walk(v, in)
}

// refersTo recognises a key that says where a secret is.
func refersTo(key string) bool {
	key = strings.ToLower(key)
	for _, end := range []string{"name", "ref", "key", "namespace", "path", "file", "url", "kind", "version", "property", "secret"} {
		if strings.HasSuffix(key, end) {
			return true
		}
	}
	return false
}

// walkArray also redacts the argument after a flag: ["--password", "x"].
func walkArray(list []any, in place) bool {
	changed := false
	for i, value := range list {
		clean, differs := walk(value, in)
		if s, ok := value.(string); ok && i > 0 {
			if flag, ok := list[i-1].(string); ok && strings.HasPrefix(flag, "-") && namesSecret(strings.TrimLeft(flag, "-"), s) {
				clean, differs = Replacement, s != Replacement
			}
		}
		if differs {
			list[i], changed = clean, true
		}
	}
	return changed
}

// isSecret recognises a Secret by its kind or, in a patch, by the last applied configuration in it.
func isSecret(o map[string]any) bool {
	if o["kind"] == "Secret" {
		return true
	}
	metadata, _ := o["metadata"].(map[string]any)
	annotations, _ := metadata["annotations"].(map[string]any)
	applied, _ := annotations[lastApplied].(string)
	if applied == "" {
		return false
	}
	v, err := decode([]byte(applied))
	if err != nil {
		return false
	}
	inner, _ := v.(map[string]any)
	return inner["kind"] == "Secret"
}

// blank replaces every value in v and keeps the keys. A null stays: it says that there is no value. So does Argo CD's own
// mask, see isMask, and a template.
func blank(v any) (clean any, changed bool) {
	switch v := v.(type) {
	case nil:
		return v, false
	case map[string]any:
		for key, value := range v {
			c, differs := blank(value)
			v[key], changed = c, changed || differs
		}
		return v, changed
	case []any:
		for i, value := range v {
			c, differs := blank(value)
			v[i], changed = c, changed || differs
		}
		return v, changed
	case string:
		if isMask(v) || strings.HasPrefix(v, "{{") && strings.HasSuffix(v, "}}") && strings.Count(v, "{{") == 1 {
			return v, false
		}
	}
	return Replacement, v != Replacement
}

// isMask recognises what Argo CD shows for a value of a Secret: eight or more pluses, one more where the live and the wanted
// value differ. That difference is the only sign of the drift, so it must survive.
func isMask(s string) bool { return len(s) >= 8 && strings.Trim(s, "+") == "" }

// text redacts a string, as a document if it contains one. A document without secrets is returned as it is, so that its
// spaces and the order of its keys are kept.
func text(s string, in place) string {
	trimmed := strings.TrimSpace(s)
	if trimmed == "" || !slices.Contains([]byte("{["), trimmed[0]) {
		return String(s)
	}
	v, err := decode([]byte(trimmed))
	if err != nil {
		return String(s)
	}
	clean, changed := walk(v, in)
	if !changed {
		return s
	}
	out, err := encode(clean)
	if err != nil {
		return String(s)
	}
	return s[:strings.Index(s, trimmed)] + string(out) + s[strings.Index(s, trimmed)+len(trimmed):]
}

func isNumber(v any) bool {
	_, ok := v.(json.Number)
	return ok
}
