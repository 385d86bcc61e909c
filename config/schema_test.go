package config_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/invopop/jsonschema"
	validator "github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v4"

	"github.com/argo-why/argo-why/config"
)

var update = flag.Bool("update", false, "rewrite schema.json and what testdata/bad wants")

const schemaFile = "schema.json"

func TestSchemaIsFresh(t *testing.T) {
	want := generate(t)
	if *update {
		if err := os.WriteFile(schemaFile, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(schemaFile)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s is not what the types say (%v): run go generate ./config", schemaFile, err)
	}
}

func TestExampleFitsTheSchema(t *testing.T) {
	if err := schema(t).Validate(plainYAML(t, readFile(t, "example.yaml"))); err != nil {
		t.Error(err)
	}
}

func TestSchemaRefusesWhatTheBotRefuses(t *testing.T) {
	s := schema(t)
	for name, text := range map[string]string{
		"an unknown key":       strings.Replace(minimal, "slack:", "slak: {}\nslack:", 1),
		"a literal secret":     strings.Replace(minimal, "{env: BOT}", "xoxb-1", 1),
		"a secret twice":       strings.Replace(minimal, "{env: BOT}", "{env: BOT, file: f}", 1),
		"a missing key":        strings.Replace(minimal, "  channel: alerts\n", "", 1),
		"a duration in words":  minimal + "incidents: {holdFor: soon}\n",
		"a duration of a rule": minimal + "incidents: {openAfterByRule: {drift/*: soon}}\n",
		"an unknown level":     minimal + "log: {level: loud}\n",
		"an unknown action":    minimal + "actions: [{actions: [restart]}]\n",
		"no action":            minimal + "actions: [{users: [U0001]}]\n",
		"no team":              strings.Replace(minimal, "T012345", "acme", 1),
	} {
		if s.Validate(plainYAML(t, []byte(text))) == nil {
			t.Errorf("the schema takes %s", name)
		}
		if _, err := config.Parse([]byte(text)); err == nil {
			t.Errorf("Parse takes %s", name)
		}
	}
	if err := s.Validate(plainYAML(t, []byte(minimal))); err != nil {
		t.Errorf("the schema refuses a good file: %v", err)
	}
}

// generate makes the schema out of the types and their comments.
func generate(t *testing.T) []byte {
	t.Helper()
	r := &jsonschema.Reflector{
		FieldNameTag:               "yaml",
		RequiredFromJSONSchemaTags: true,
		ExpandedStruct:             true,
		Anonymous:                  true,
		Mapper:                     ownForm,
		CommentMap:                 map[string]string{},
	}
	if err := r.AddGoComments("github.com/argo-why/argo-why/config", "."); err != nil {
		t.Fatal(err)
	}
	for name, text := range r.CommentMap {
		r.CommentMap[name] = strings.Join(strings.Fields(text), " ") // an editor wraps the lines itself
	}
	s := r.Reflect(&config.Config{})
	s.Title = "Configuration of argo-why"
	raw, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return append(raw, '\n')
}

// ownForm is the schema of the types that do not look in the file as they do in Go.
func ownForm(t reflect.Type) *jsonschema.Schema {
	switch t {
	case reflect.TypeFor[time.Duration]():
		return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{
			{Type: "string", Pattern: `^([0-9]+(\.[0-9]+)?(ms|s|m|h))+$`},
			{Const: 0},
		}}
	case reflect.TypeFor[config.Secret]():
		place := func(name, pattern, description string) *jsonschema.Schema {
			properties := jsonschema.NewProperties()
			properties.Set(name, &jsonschema.Schema{Type: "string", Pattern: pattern, Description: description})
			return &jsonschema.Schema{Type: "object", Properties: properties, Required: []string{name}, AdditionalProperties: jsonschema.FalseSchema}
		}
		return &jsonschema.Schema{OneOf: []*jsonschema.Schema{
			place("env", "^[A-Za-z_][A-Za-z0-9_]*$", "The name of an environment variable."),
			place("file", ".", "A path. The file is read when the bot starts."),
		}}
	}
	return nil
}

func schema(t *testing.T) *validator.Schema {
	t.Helper()
	doc, err := validator.UnmarshalJSON(bytes.NewReader(readFile(t, schemaFile)))
	if err != nil {
		t.Fatal(err)
	}
	c := validator.NewCompiler()
	if err := c.AddResource(schemaFile, doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// plainYAML is a file as an editor hands it to a validator.
func plainYAML(t *testing.T, raw []byte) any {
	t.Helper()
	var v any
	if err := yaml.Unmarshal(raw, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

func readFile(t *testing.T, name string) []byte {
	t.Helper()
	raw, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}
