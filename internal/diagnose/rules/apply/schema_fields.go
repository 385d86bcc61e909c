package apply

import (
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
)

// wrongField is a field that the API server does not accept.
type wrongField struct {
	path string
	// wrong continues the field: " is required". said is what the API server says beyond that, why what we say.
	wrong, said, why string
	// key is what two entries of a list have in common.
	key string
	// unknown: the API has no such field, so only what is around it can be explained.
	unknown bool
}

// notValid is what is wrong with a field of which only the API server's own words say more.
const notValid = " is not valid"

// step is what to do about the field.
func (w wrongField) step() string {
	switch {
	case w.unknown:
		return "Correct the name of this field, move it to where it belongs, or remove it in Git; then push"
	case w.wrong == " is required":
		return "Set this field in Git, then push"
	case message.HasAny(w.said, "not in the valid range"):
		return "Set a value within the range in Git, or remove the field so that the cluster chooses one; then push"
	case w.wrong == " is not allowed":
		return "Remove this field in Git, or what excludes it; then push"
	case message.HasAny(w.said, "must be of type string"):
		return quoteIt
	case strings.HasPrefix(w.wrong, " has a duplicate"), w.wrong == " is a duplicate":
		return "Remove or rename the duplicate in Git, then push"
	}
	return "Correct this field in Git, then push"
}

// The forms in which the API server and kubectl name fields, besides a validation error of the API server.
var (
	validation   = pattern.MustCompile(`ValidationError\([A-Za-z0-9]+\.?([^)]*)\): (unknown field|missing required field|invalid type for)[^"]*"([^"]+)"`)
	strictField  = pattern.MustCompile(`unknown field "([^"]+)"`)
	typedField   = pattern.MustCompile(`(?:^|[\s(:])\.([a-zA-Z][A-Za-z0-9_\-/]*(?:\.[A-Za-z0-9_\-/]+|\[[^\]]*\])*): (field not declared in schema|duplicate entries for key \[(.*?)\]|expected [^.;]*, got [^.;]*)`)
	quantityPath = pattern.MustCompile(`^\.?([a-z][A-Za-z0-9]*(?:\.[A-Za-z0-9_\-/]+|\[[^\]]*\])+): (quantities must match .*)`)
)

// wrongFields are all the fields that the text names.
func wrongFields(f *message.Failure) []wrongField {
	var out []wrongField
	for _, v := range f.InvalidFields() {
		v.Reason = notChecked.ReplaceAllString(v.Reason, "")
		w := wrongField{path: v.Field}
		w.said, w.wrong = wrongWith(v.Reason)
		if strings.Contains(v.Field, "volumeMounts") && strings.HasPrefix(v.Reason, "Not found") {
			w.why = "No volume of the pod has this name."
		}
		out = append(out, w)
	}
	for _, m := range validation.FindAllStringSubmatch(f.Text, -1) {
		w := wrongField{path: strings.TrimPrefix(m[1]+"."+m[3], "."), wrong: " is an unknown field", why: "The API has no such field there.", unknown: true}
		switch m[2] {
		case "missing required field":
			w.wrong, w.why, w.unknown = " is required", "", false
		case "invalid type for":
			w = wrongField{path: m[1], wrong: " has the wrong type"}
		}
		out = append(out, w)
	}
	if len(out) == 0 {
		for _, m := range strictField.FindAllStringSubmatch(f.Text, -1) {
			out = append(out, wrongField{path: m[1], wrong: " is an unknown field", why: "The API has no such field there.", unknown: true})
		}
	}
	for _, m := range typedField.FindAllStringSubmatch(f.Text, -1) {
		w := wrongField{path: m[1]}
		switch {
		case strings.HasPrefix(m[2], "field not"):
			w.wrong, w.why, w.unknown = " is an unknown field", "The API has no such field there.", true
		case m[3] != "":
			w.wrong, w.key, w.why = " has a duplicate entry", strings.ReplaceAll(m[3], `"`, ""), "Two entries have "+strings.NewReplacer(`"`, "", "=", " ", ",", " and ").Replace(m[3])+"."
		default:
			w.wrong, w.said = " has the wrong type", m[2]
		}
		out = append(out, w)
	}
	if m := quantityPath.FindStringSubmatch(f.Cause); m != nil && len(out) == 0 {
		out = append(out, wrongField{path: m[1], wrong: " is not a quantity", said: m[2]})
	}
	return out
}

// last is the field without what it is in: "pathType" of "spec.rules[0].http.paths[0].pathType". The name of a label or annotation
// stays whole.
func (w wrongField) last() string {
	for _, in := range []string{"annotations.", "labels."} {
		if _, name, ok := strings.Cut(w.path, in); ok {
			return name
		}
	}
	depth := 0
	for i := len(w.path) - 1; i >= 0; i-- {
		switch w.path[i] {
		case ']':
			depth++
		case '[':
			depth--
		case '.':
			if depth == 0 {
				return w.path[i+1:]
			}
		}
	}
	return w.path
}

// explainable is the path as kubectl explain takes it: without indexes, and nothing below labels and the like. Empty where it would
// print nothing that helps.
func (w wrongField) explainable() string {
	path := index.ReplaceAllString(w.path, "")
	if w.unknown {
		path = strings.TrimSuffix(strings.TrimSuffix(path, index.ReplaceAllString(w.last(), "")), ".")
	}
	if strings.HasPrefix(path, "metadata") || strings.Contains(path, "/") || strings.Contains(path, ".labels") {
		return ""
	}
	if before, _, ok := strings.Cut(path, schemaRoot); ok { // below it are keys of maps, which kubectl explain does not take either
		return before + schemaRoot
	}
	return path
}

// schemaRoot is the field of a CustomResourceDefinition below which fields have the names of those of the custom resource.
const schemaRoot = "openAPIV3Schema"

// index is the place in a list or a key of a map, which kubectl explain does not take.
var index = pattern.MustCompile(`\[[^\]]*\]`)

// notChecked is what the API server adds to a list of errors of a custom resource: that it stopped there.
var notChecked = pattern.MustCompile(`,? <nil>: Invalid value: "null": some validation rules were not checked.*$`)

// typeOnly is the value in an error of a CRD's rule, which is only its type; inBody repeats the field.
var (
	typeOnly = pattern.MustCompile(`^Invalid value: "(?:object|array|string|integer|number|boolean|null)": `)
	inBody   = pattern.MustCompile(`^((?:Invalid value: [^:]*: )?)[A-Za-z][A-Za-z0-9.\[\]]* in body (should|must)`)
)

// dump is a value that the API server prints as it keeps it in memory.
var dump = pattern.MustCompile(`^(?:&?[a-z]+\.[A-Z][A-Za-z]*|map\[string\]string)\{.*\}$`)

// wrongWith splits `Required value: pathType must be specified` into what is wrong with the field, for the title, and the rest.
func wrongWith(reason string) (rest, wrong string) {
	rest = inBody.ReplaceAllString(typeOnly.ReplaceAllString(statement.Clause(reason), ""), "${1}it $2")
	for _, c := range []struct{ begin, wrong string }{
		{"Required value", " is required"}, {"Forbidden", " is not allowed"}, {"Unsupported value", " is not supported"}, {"Duplicate value", " is a duplicate"}, {"Not found", " points to nothing"},
	} {
		if !strings.HasPrefix(reason, c.begin) {
			continue
		}
		value := strings.TrimLeft(strings.TrimPrefix(rest, c.begin), ": ")
		if c.begin == "Required value" || c.begin == "Forbidden" || c.begin == "Not found" || dump.MatchString(value) || value == "" {
			rest = value
		}
		if strings.HasSuffix(rest, " must be specified") || dump.MatchString(rest) { // the title says so
			rest = ""
		}
		return rest, c.wrong
	}
	return rest, notValid
}
