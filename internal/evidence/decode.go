package evidence

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/argo-why/argo-why/internal/foreign"
)

// MaxCaseBytes is the largest input that is decoded; more is a mistake, and decoding it would take gigabytes.
const MaxCaseBytes = foreign.FileBytes

// DecodeCases reads one or several cases from JSON or YAML text: case files, and Applications as `kubectl get
// application -o yaml|json` or `argocd app get -o json` print them, single or in a List. now becomes the clock of those
// that have none.
func DecodeCases(text []byte, now time.Time) ([]*Case, error) {
	if len(text) > MaxCaseBytes {
		return nil, fmt.Errorf("is larger than %d MiB, the limit; give one application at a time", MaxCaseBytes>>20)
	}
	docs, err := documents(text)
	if err != nil {
		return nil, err
	}
	var cases []*Case
	for _, doc := range docs {
		more, err := decodeDocument(doc, now)
		if err != nil {
			return nil, err
		}
		cases = append(cases, more...)
	}
	if len(cases) == 0 {
		return nil, errors.New("contains no application: expected a case file or an Argo CD Application")
	}
	return cases, nil
}

// tooLarge says what to do about a text that is not decoded.
func tooLarge(err error) error {
	return fmt.Errorf("is %w; no application is: give one alone", err)
}

// documents splits the text into JSON documents.
func documents(text []byte) ([]json.RawMessage, error) {
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")) // a byte order mark, from Windows editors
	trimmed := bytes.TrimSpace(text)
	if len(trimmed) == 0 {
		return nil, errors.New("is empty: expected a case file or an Argo CD Application")
	}
	if trimmed[0] == '{' || trimmed[0] == '[' {
		return jsonDocuments(trimmed)
	}
	return yamlDocuments(text)
}

func jsonDocuments(text []byte) ([]json.RawMessage, error) {
	docs, err := foreign.File.Documents(text)
	switch {
	case foreign.IsTooLarge(err):
		return nil, tooLarge(err)
	case errors.Is(err, io.ErrUnexpectedEOF):
		return nil, errors.New("is cut off: the JSON ends in the middle; save it again")
	case err != nil:
		return nil, notJSON(text, err)
	}
	return docs, nil
}

var documentMark = regexp.MustCompile(`(?m)^---([ \t].*)?\r?$`)

func yamlDocuments(text []byte) ([]json.RawMessage, error) {
	var out []json.RawMessage
	start := 0
	for _, mark := range append(documentMark.FindAllIndex(text, -1), []int{len(text), len(text)}) {
		doc, before := text[start:mark[0]], bytes.Count(text[:start], []byte("\n"))
		start = mark[1]
		if len(bytes.TrimSpace(doc)) == 0 {
			continue
		}
		j, err := foreign.File.FromYAML(doc)
		if err != nil {
			return nil, notYAML(err, before)
		}
		if string(j) != "null" { // only comments
			out = append(out, j)
		}
	}
	return out, nil
}

// notJSON says on which line JSON text is not valid.
func notJSON(text []byte, err error) error {
	said := firstLine(err.Error())
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok && syntax.Offset <= int64(len(text)) {
		return fmt.Errorf("is not valid JSON: line %d: %s", 1+bytes.Count(text[:syntax.Offset], []byte("\n")), said)
	}
	return fmt.Errorf("is not valid JSON: %s", said)
}

// yamlLine is where the library says that an error is, within its document.
var yamlLine = regexp.MustCompile(`line (\d+): `)

// notYAML says on which line YAML text is not valid; before are the lines in front of the document.
func notYAML(err error, before int) error {
	if foreign.IsTooLarge(err) {
		return tooLarge(err)
	}
	said := strings.TrimPrefix(firstLine(err.Error()), "yaml: ")
	line := 1 // the library leaves out the first
	if at := yamlLine.FindStringSubmatch(said); at != nil {
		line, _ = strconv.Atoi(at[1])
		said = yamlLine.ReplaceAllString(said, "")
	}
	if strings.Contains(said, "aliasing") { // of the document as a whole
		return fmt.Errorf("is not valid YAML: %s", said)
	}
	return fmt.Errorf("is not valid YAML: line %d: %s", line+before, said)
}

// shape is what distinguishes the accepted kinds of document.
type shape struct {
	Case       string            `json:"case"`
	APIVersion string            `json:"apiVersion"`
	Kind       string            `json:"kind"`
	Items      []json.RawMessage `json:"items"`
	Spec       part              `json:"spec"`
	Metadata   part              `json:"metadata"`
	Status     part              `json:"status"`
}

// part is whether a part of a document is there.
type part bool

// UnmarshalJSON does not keep the part, which can be large.
func (p *part) UnmarshalJSON(text []byte) error {
	*p = string(text) != "null"
	return nil
}

// missing are the parts that a whole Application has and this one lacks.
func (s shape) missing() string {
	var parts []string
	for _, part := range []struct {
		name string
		is   part
	}{{"metadata", s.Metadata}, {"spec", s.Spec}, {"status", s.Status}} {
		if !part.is {
			parts = append(parts, part.name)
		}
	}
	return strings.Join(parts, ", ")
}

func decodeDocument(doc json.RawMessage, now time.Time) ([]*Case, error) {
	var s shape
	if err := foreign.File.JSON(doc, &s); err != nil {
		return nil, fmt.Errorf("is not a case file or an Argo CD Application: %s", jsonProblem(err))
	}
	switch {
	case s.Case == CaseVersion:
		c := &Case{Document: doc}
		if err := foreign.File.JSON(doc, c); err != nil {
			return nil, fmt.Errorf("is a damaged case file: %s", jsonProblem(err))
		}
		if c.Now.IsZero() {
			c.Now = Time{now}
		}
		return []*Case{c}, nil
	case s.Case != "":
		return nil, fmt.Errorf("is a case file of format %q, and this version of the bot reads %q; save the case again, or use another version", s.Case, CaseVersion)
	case s.Kind == "List" || s.Kind == "ApplicationList":
		return decodeList(s.Items, now)
	case s.Kind == "Application" && s.APIVersion == "":
		return nil, errors.New("is an Application without apiVersion, not a complete Argo CD Application (argoproj.io/v1alpha1)")
	case s.Kind == "Application" && !strings.HasPrefix(s.APIVersion, "argoproj.io/"):
		return nil, fmt.Errorf("is an Application of apiVersion %q, not an Argo CD Application (argoproj.io/v1alpha1)", s.APIVersion)
	case s.Kind == "Application" || s.Kind == "" && bool(s.Spec && s.Metadata):
		app := &Application{}
		if err := foreign.File.JSON(doc, app); err != nil {
			return nil, fmt.Errorf("is a damaged Application: %s", jsonProblem(err))
		}
		if missing := s.missing(); missing != "" {
			return nil, fmt.Errorf("is only part of an Application: no %s", missing)
		}
		return []*Case{{Version: CaseVersion, Now: Time{now}, Application: app, Document: doc}}, nil
	case s.Kind != "":
		return nil, fmt.Errorf("is %s, not an Argo CD Application or a case file", withArticle(s.Kind))
	}
	return nil, errors.New("is not a case file or an Argo CD Application: it has neither \"case\" nor \"kind\"")
}

func decodeList(items []json.RawMessage, now time.Time) ([]*Case, error) {
	var out []*Case
	for i, item := range items {
		more, err := decodeDocument(item, now)
		if err != nil {
			return nil, fmt.Errorf("contains a list, and its item %d %w", i+1, err)
		}
		out = append(out, more...)
	}
	return out, nil
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
