package evidence

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"time"

	"sigs.k8s.io/yaml"
)

// MaxCaseBytes is the largest input that is decoded. The biggest real applications (2,000 resources with both states)
// stay far below; more is a mistake, and decoding it would take gigabytes.
const MaxCaseBytes = 128 << 20

// DecodeCases reads one or several cases from JSON or YAML text: case files, and Applications as `kubectl get
// application -o yaml|json` or `argocd app get -o json` print them, single or in a List. now becomes the clock of those
// that carry none.
func DecodeCases(text []byte, now time.Time) ([]*Case, error) {
	if len(text) > MaxCaseBytes {
		return nil, fmt.Errorf("is larger than %d MiB: give one application at a time", MaxCaseBytes>>20)
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
		return nil, errors.New("holds no application: expected a case file or an Argo CD Application")
	}
	return cases, nil
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
	var out []json.RawMessage
	for d := json.NewDecoder(bytes.NewReader(text)); ; {
		var doc json.RawMessage
		err := d.Decode(&doc)
		switch {
		case errors.Is(err, io.EOF):
			return out, nil
		case errors.Is(err, io.ErrUnexpectedEOF):
			return nil, errors.New("is cut off: the JSON ends in the middle; save it again")
		case err != nil:
			return nil, fmt.Errorf("is not valid JSON: %w", err)
		}
		out = append(out, doc)
	}
}

var documentMark = regexp.MustCompile(`(?m)^---([ \t].*)?\r?$`)

func yamlDocuments(text []byte) ([]json.RawMessage, error) {
	var out []json.RawMessage
	for _, doc := range documentMark.Split(string(text), -1) {
		if strings.TrimSpace(doc) == "" {
			continue
		}
		j, err := yaml.YAMLToJSON([]byte(doc))
		if err != nil {
			return nil, fmt.Errorf("is neither JSON nor YAML: %s", firstLine(err.Error()))
		}
		if string(j) != "null" { // only comments
			out = append(out, j)
		}
	}
	return out, nil
}

// shape is what tells the accepted kinds of document apart.
type shape struct {
	Case       string            `json:"case"`
	APIVersion string            `json:"apiVersion"`
	Kind       string            `json:"kind"`
	Items      []json.RawMessage `json:"items"`
	Spec       json.RawMessage   `json:"spec"`
	Metadata   json.RawMessage   `json:"metadata"`
}

func decodeDocument(doc json.RawMessage, now time.Time) ([]*Case, error) {
	var s shape
	if err := json.Unmarshal(doc, &s); err != nil {
		return nil, fmt.Errorf("is not a case file or an Argo CD Application: %s", jsonProblem(err))
	}
	switch {
	case s.Case == CaseVersion:
		c := &Case{Document: doc}
		if err := json.Unmarshal(doc, c); err != nil {
			return nil, fmt.Errorf("is a damaged case file: %s", jsonProblem(err))
		}
		if c.Now.IsZero() {
			c.Now = Time{now}
		}
		return []*Case{c}, nil
	case s.Case != "":
		return nil, fmt.Errorf("is a case file of format %q, this program reads %q", s.Case, CaseVersion)
	case s.Kind == "List" || s.Kind == "ApplicationList":
		return decodeList(s.Items, now)
	case s.Kind == "Application" && !strings.HasPrefix(s.APIVersion, "argoproj.io/"):
		return nil, fmt.Errorf("is an Application of %q, not of argoproj.io", s.APIVersion)
	case s.Kind == "Application" || s.Kind == "" && s.Spec != nil && s.Metadata != nil:
		app := &Application{}
		if err := json.Unmarshal(doc, app); err != nil {
			return nil, fmt.Errorf("is a damaged Application: %s", jsonProblem(err))
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
			return nil, fmt.Errorf("item %d of the list %w", i+1, err)
		}
		out = append(out, more...)
	}
	return out, nil
}

// jsonProblem says which field is wrong, in words without Go types.
func jsonProblem(err error) string {
	var mismatch *json.UnmarshalTypeError
	if errors.As(err, &mismatch) {
		if mismatch.Field == "" {
			return "it is " + withArticle(mismatch.Value)
		}
		return fmt.Sprintf("%s is %s", mismatch.Field, withArticle(mismatch.Value))
	}
	return firstLine(err.Error())
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
