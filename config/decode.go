package config

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v4"

	"github.com/argo-why/argo-why/internal/near"
	"github.com/argo-why/argo-why/internal/text"
)

// decoder fills a Config from the nodes of a file. The library's own decoder stops at some errors, calls fields by their Go types
// and quotes values, one of which may be a token; here each problem has its path, and a value is quoted only if it cannot be a
// secret.
type decoder struct{ *findings }

// value writes a node into v. A null was left empty: the default stays.
func (d decoder) value(n *yaml.Node, v reflect.Value, path string) {
	if _, known := d.lines[path]; !known {
		d.lines[path] = n.Line
	}
	switch {
	case n.Kind == yaml.AliasNode || n.Anchor != "":
		d.note(path, n.Line, "anchors and aliases are not supported: write the value out")
		return
	case n.ShortTag() == "!!null":
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		d.object(n, v, path)
	case reflect.Map:
		d.dictionary(n, v, path)
	case reflect.Slice:
		d.list(n, v, path)
	default:
		d.scalar(n, v, path)
	}
}

// object takes a mapping with known keys.
func (d decoder) object(n *yaml.Node, v reflect.Value, path string) {
	if n.Kind != yaml.MappingNode {
		if v.Type() == reflect.TypeFor[Secret]() {
			d.note(path, n.Line, "a secret must not be in this file: write {env: NAME} or {file: PATH}, and revoke the secret if it is a real one")
			return
		}
		d.note(path, n.Line, "expected keys with values, such as %s: …", fields(v.Type())[0])
		return
	}
	for key, value := range d.entries(n, path) {
		name := key.Value
		i := slices.Index(fields(v.Type()), name)
		if i < 0 {
			d.note(join(path, name), key.Line, "unknown key: %s", meant(name, fields(v.Type())))
			d.misspelt[join(path, near.Nearest(name, fields(v.Type())))] = true
			continue
		}
		d.lines[join(path, name)] = key.Line
		d.value(value, v.Field(i), join(path, name))
	}
}

// dictionary takes a mapping with any keys; entries of v that the file does not have stay.
func (d decoder) dictionary(n *yaml.Node, v reflect.Value, path string) {
	if n.Kind != yaml.MappingNode {
		d.note(path, n.Line, "expected keys with values")
		return
	}
	for key, value := range d.entries(n, path) {
		entry := reflect.New(v.Type().Elem()).Elem()
		at := join(path, key.Value)
		d.lines[at] = key.Line
		d.value(value, entry, at)
		v.SetMapIndex(reflect.ValueOf(key.Value), entry)
	}
}

// entries are the keys of a mapping with their values; keys that occur twice or are not text are reported and left out.
func (d decoder) entries(n *yaml.Node, path string) func(yield func(key, value *yaml.Node) bool) {
	return func(yield func(key, value *yaml.Node) bool) {
		first := map[string]int{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			key, value := n.Content[i], n.Content[i+1]
			if key.Kind != yaml.ScalarNode || key.ShortTag() == "!!merge" {
				d.note(path, key.Line, "expected a name as key: merges and nested keys are not supported")
				continue
			}
			if line, twice := first[key.Value]; twice {
				d.note(join(path, key.Value), key.Line, "this key is already on line %d: remove one of the two", line)
				continue
			}
			first[key.Value] = key.Line
			if !yield(key, value) {
				return
			}
		}
	}
}

func (d decoder) list(n *yaml.Node, v reflect.Value, path string) {
	if n.Kind != yaml.SequenceNode {
		d.note(path, n.Line, "expected a list: start each entry with a dash")
		return
	}
	v.Set(reflect.MakeSlice(v.Type(), len(n.Content), len(n.Content)))
	for i, entry := range n.Content {
		d.value(entry, v.Index(i), fmt.Sprintf("%s[%d]", path, i))
	}
}

// scalar takes single values.
func (d decoder) scalar(n *yaml.Node, v reflect.Value, path string) {
	complain := func(expected string) { d.note(path, n.Line, "%.40q is not %s", n.Value, expected) }
	if n.Kind != yaml.ScalarNode {
		d.note(path, n.Line, "expected a single value")
		return
	}
	switch v.Interface().(type) {
	case time.Duration:
		t, err := time.ParseDuration(n.Value)
		if err != nil {
			complain("a duration: write one such as 30s, 15m, 4h or 1h30m (a day is 24h)")
			return
		}
		v.SetInt(int64(t))
	case int:
		i, err := strconv.Atoi(n.Value)
		if err != nil {
			complain("a whole number")
			return
		}
		v.SetInt(int64(i))
	case bool:
		if n.ShortTag() != "!!bool" {
			d.note(path, n.Line, "expected true or false without quotes, found %.40q", n.Value)
			return
		}
		v.SetBool(strings.EqualFold(n.Value, "true"))
	default:
		if n.ShortTag() != "!!str" {
			d.note(path, n.Line, "expected text: put the value in quotes")
			return
		}
		v.SetString(n.Value)
	}
}

// fields are the keys of a type, in the order of its fields.
func fields(t reflect.Type) []string {
	names := make([]string, t.NumField())
	for i := range names {
		names[i] = t.Field(i).Tag.Get("yaml")
	}
	return names
}

// meant suggests the known name that was probably meant, else lists all.
func meant(name string, known []string) string {
	if k := near.Nearest(name, known); k != "" {
		return "did you mean " + k + "?"
	}
	return "use " + text.Or(known)
}

// plain is a key that needs no quotes in a path.
var plain = regexp.MustCompile(`^[A-Za-z0-9_-]{1,40}$`)

func join(path, name string) string {
	switch {
	case !plain.MatchString(name):
		return fmt.Sprintf("%s[%.40q]", path, name)
	case path == "":
		return name
	}
	return path + "." + name
}
