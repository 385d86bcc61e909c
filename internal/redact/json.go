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
//   - every value under data, stringData and binaryData of an object whose kind is Secret;
//   - the value of an entry {"name": "DB_PASSWORD", "value": "x"} and of a key whose name says that it is a secret;
//   - what [String] finds in any other string.
//
// Strings that hold a JSON document themselves, such as liveState and the last applied configuration, are treated the
// same way, at any depth, and stay strings. Keys and numbers are kept as they are. The result is compact, its keys are
// sorted, and redacting it again changes nothing. An error means that raw is not exactly one JSON document; nothing is
// returned then.
func JSON(raw []byte) ([]byte, error) {
	document, err := decode(raw)
	if err != nil {
		return nil, fmt.Errorf("redact JSON: %w", err)
	}
	clean, _ := walk(document, false)
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

// walk redacts v in place where it can, and says whether anything changed. In a Secret, or in a document that
// describes one without saying its kind, inSecret is true.
func walk(v any, inSecret bool) (clean any, changed bool) {
	switch v := v.(type) {
	case map[string]any:
		return v, walkObject(v, inSecret)
	case []any:
		return v, walkArray(v, inSecret)
	case string:
		clean := text(v, inSecret)
		return clean, clean != v
	}
	return v, false
}

func walkObject(o map[string]any, inSecret bool) bool {
	inSecret = inSecret && o["kind"] == nil || isSecret(o)
	// Containers' environment, and parameters of Helm charts and plugins.
	name, _ := o["name"].(string)
	changed := false
	for key, value := range o {
		var clean any
		var differs bool
		switch s, isString := value.(string); {
		case inSecret && (key == "data" || key == "stringData" || key == "binaryData"):
			clean, differs = blank(value)
		case isString && (namesSecret(key, s) || key == "value" && namesSecret(name, s)):
			clean, differs = Replacement, s != Replacement
		case isNumber(value) && isPasswordName(key):
			clean, differs = Replacement, true
		default:
			clean, differs = walk(value, inSecret)
		}
		if differs {
			o[key], changed = clean, true
		}
	}
	return changed
}

// walkArray also redacts the argument after a flag: ["--password", "x"].
func walkArray(list []any, inSecret bool) bool {
	changed := false
	for i, value := range list {
		clean, differs := walk(value, inSecret)
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

// isSecret tells a Secret by its kind or, in a patch, by the last applied configuration in it.
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
// mask, see isMask.
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
		if isMask(v) {
			return v, false
		}
	}
	return Replacement, v != Replacement
}

// isMask tells what Argo CD shows for a value of a Secret: eight or more pluses, one more where the live and the wanted
// value differ. That difference is the only sign of the drift, so it must survive.
func isMask(s string) bool { return len(s) >= 8 && strings.Trim(s, "+") == "" }

// text redacts a string, as a document if it holds one. A document without secrets is returned as it is, so that its
// spaces and the order of its keys are kept.
func text(s string, inSecret bool) string {
	trimmed := strings.TrimSpace(s)
	if trimmed == "" || !slices.Contains([]byte("{["), trimmed[0]) {
		return String(s)
	}
	v, err := decode([]byte(trimmed))
	if err != nil {
		return String(s)
	}
	clean, changed := walk(v, inSecret)
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
