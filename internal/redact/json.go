package redact

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/foreign"
	"github.com/argo-why/argo-why/internal/redact/secretname"
)

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
	document, err := foreign.File.Value(raw)
	if err != nil {
		return nil, fmt.Errorf("redact JSON: %w", err)
	}
	w := walker{context.Background()}
	clean, _ := w.walk(document, outside)
	out, err := encode(clean)
	if err != nil {
		return nil, fmt.Errorf("redact JSON: %w", err)
	}
	return out, nil
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
	// generator is within the secretGenerator of a kustomization.
	generator
)

// walker goes through a document until its context is done; what it has not come to by then is not shown.
type walker struct {
	ctx context.Context //nolint:containedctx // a walker lives as long as the call that has the context
}

// walk redacts v in place where it can, and says whether anything changed.
func (w walker) walk(v any, in place) (clean any, changed bool) {
	switch v := v.(type) {
	case map[string]any:
		return v, w.walkObject(v, in)
	case []any:
		return v, w.walkArray(v, in)
	case string:
		clean := w.text(v, in)
		return clean, clean != v
	}
	return v, false
}

func (w walker) walkObject(o map[string]any, in place) bool {
	in = placeOf(o, in)
	name := nameOf(o)
	changed := false
	for key, value := range o {
		var clean any
		var differs bool
		s, isString := value.(string)
		isValue := name != "" && (strings.EqualFold(key, "value") || key == "string")
		switch {
		case in == secret && (key == "data" || key == "binaryData"), key == "stringData":
			clean, differs = blank(value)
		case isValue && setsData(o, value, in):
			clean, differs = blank(value)
		case in == maker && (key == "template" || key == "secretTemplates"):
			clean, differs = w.walk(value, secret)
		case in == generator && key == "literals":
			clean, differs = w.literals(value)
		case key == "secretGenerator":
			clean, differs = w.walk(value, generator)
		case isString && (Named(key, s) || isValue && Named(name, s)):
			clean, differs = Replacement, s != Replacement
		case isString && isValue && strings.EqualFold(name, "authorization") && !strings.Contains(s, " "): // a header, with a token alone
			clean, differs = Replacement, !secretname.Placeholder(s) && s != Replacement
		case isString && o["kty"] != nil && privateMembers[key]:
			clean, differs = Replacement, s != Replacement
		case isNumber(value) && (namesNumber(key) || isValue && namesNumber(name)):
			clean, differs = Replacement, true
		case !isString && (key == "array" || key == "map" || isValue) && holdsSecrets(name):
			clean, differs = w.blankStrings(name, value, in)
		case !isString && holdsSecrets(key):
			clean, differs = w.blankStrings(key, value, in)
		default:
			clean, differs = w.walk(value, in)
		}
		if differs {
			o[key], changed = clean, true
		}
	}
	return changed
}

// privateMembers are those of a JSON Web Key that are not to be known. The public ones are n, e, x and y.
var privateMembers = map[string]bool{"d": true, "p": true, "q": true, "dp": true, "dq": true, "qi": true, "k": true}

// nameOf is the name of a pair of a name and a value: of containers' environment, of parameters of Helm charts and plugins,
// of an operation of a JSON patch, whose path ends with it.
func nameOf(o map[string]any) string {
	for _, key := range []string{"name", "Name", "key", "Key", "path"} {
		if name, ok := o[key].(string); ok && name != "" {
			return name
		}
	}
	return ""
}

// setsData reports whether o is an operation of a JSON patch that sets the data of a Secret: as far as one can tell, of a Secret.
func setsData(o map[string]any, value any, in place) bool {
	path, _ := o["path"].(string)
	field, key, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	encoded, isString := value.(string)
	switch {
	case field == "stringData":
		return true
	case field == "data" || field == "binaryData":
		return in == secret || key != "" && isString && isEncoded(encoded)
	}
	return false
}

// literals redacts the values of a kustomize generator's literals: "user=x".
func (w walker) literals(v any) (clean any, changed bool) {
	list, ok := v.([]any)
	if !ok {
		return w.walk(v, outside)
	}
	for i := range list {
		s, _ := list[i].(string)
		name, value, found := strings.Cut(s, "=")
		if found && value != Replacement && !secretname.Placeholder(value) {
			list[i], changed = name+"="+Replacement, true
		}
	}
	return list, changed
}

// placeOf says where o leads.
func placeOf(o map[string]any, in place) place {
	kind, hasKind := o["kind"].(string)
	switch {
	case isSecret(o), kind == "SecretList":
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
func (w walker) blankStrings(name string, v any, in place) (clean any, changed bool) {
	switch v := v.(type) {
	case []any:
		changed := false
		for i, value := range v {
			c, differs := w.walk(value, in)
			if s, ok := value.(string); ok && Named(name, s) {
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
				return w.walk(v, in)
			}
		}
		changed := false
		for key, value := range v {
			c, differs := w.walk(value, in)
			if s, ok := value.(string); ok && (Named(name, s) && !refersTo(key) || Named(key, s)) {
				c, differs = Replacement, s != Replacement
			}
			if differs {
				v[key], changed = c, true
			}
		}
		return v, changed
	}
	return w.walk(v, in)
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

// text redacts a string, as a document if it contains one. A document without secrets is returned as it is, so that its
// spaces and the order of its keys are kept.
func (w walker) text(s string, in place) string {
	if len(s) > longest || w.ctx.Err() != nil {
		return NotShown
	}
	trimmed := strings.TrimSpace(s)
	if trimmed == "" || !slices.Contains([]byte("{["), trimmed[0]) {
		return StringContext(w.ctx, s)
	}
	v, err := foreign.File.Value([]byte(trimmed))
	switch {
	case foreign.IsTooLarge(err):
		return Replacement // it could be a Secret, whose values have no form that String knows
	case err != nil:
		return StringContext(w.ctx, s)
	}
	clean, changed := w.walk(v, in)
	if !changed {
		return StringContext(w.ctx, s)
	}
	out, err := encode(clean)
	if err != nil {
		return StringContext(w.ctx, s)
	}
	// As a text once more: a key of a web token and the arguments of a command are told by what is beside them.
	return StringContext(w.ctx, s[:strings.Index(s, trimmed)]+string(out)+s[strings.Index(s, trimmed)+len(trimmed):])
}
