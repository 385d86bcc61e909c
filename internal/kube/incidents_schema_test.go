package kube

import (
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"sigs.k8s.io/yaml"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/incident"
)

// definition is the part of an OpenAPI schema that the definition uses.
type definition struct {
	Type        string                `json:"type"`
	Format      string                `json:"format"`
	Description string                `json:"description"`
	Enum        []string              `json:"enum"`
	Properties  map[string]definition `json:"properties"`
	Items       *definition           `json:"items"`
	Open        bool                  `json:"x-kubernetes-preserve-unknown-fields"`
}

// schemaOf is that of the only version of a file in deploy/crd.
func schemaOf(t *testing.T, file string) definition {
	t.Helper()
	text, err := os.ReadFile("../../deploy/crd/" + file)
	if err != nil {
		t.Fatal(err)
	}
	var crd struct {
		Spec struct {
			Versions []struct {
				Name   string
				Schema struct{ OpenAPIV3Schema definition }
			}
		}
	}
	if err := yaml.Unmarshal(text, &crd); err != nil {
		t.Fatal(err)
	}
	if len(crd.Spec.Versions) != 1 || crd.Spec.Versions[0].Name != group.Version {
		t.Fatalf("versions %+v", crd.Spec.Versions)
	}
	return crd.Spec.Versions[0].Schema.OpenAPIV3Schema
}

// TestTheDefinitionKnowsEveryField: what it does not know, the API server would refuse, and every incident with it.
func TestTheDefinitionKnowsEveryField(t *testing.T) {
	s := schemaOf(t, "incidents.yaml").Properties["status"]
	agree(t, "status", s, reflect.TypeFor[status]())
	phases := []string{string(incident.Pending), string(incident.Open), string(incident.Recovered), string(incident.Joined), string(incident.Watching), string(incident.HandedOver)}
	if got := s.Properties["phase"].Enum; !slices.Equal(got, phases) {
		t.Errorf("phases %v, want %v", got, phases)
	}
}

func TestTheDefinitionKnowsWhatAPartContains(t *testing.T) {
	s := schemaOf(t, "incidentmembers.yaml")
	for _, name := range []string{"apiVersion", "kind", "metadata"} {
		delete(s.Properties, name)
	}
	agree(t, "part", s, reflect.TypeFor[struct {
		Count  int64  `json:"count"`
		Packed []byte `json:"packed"`
	}]())
}

// agree fails where the schema and the type differ, to either side.
func agree(t *testing.T, path string, s definition, typ reflect.Type) {
	t.Helper()
	want := definition{Format: s.Format}
	switch {
	case typ == reflect.TypeFor[time.Time]():
		want.Type, want.Format = "string", "date-time"
	case typ == reflect.TypeFor[[]byte]():
		want.Type, want.Format = "string", "byte"
	case typ.Kind() == reflect.String:
		want.Type, want.Format = "string", ""
	case typ.Kind() == reflect.Bool:
		want.Type, want.Format = "boolean", ""
	case typ.Kind() == reflect.Int, typ.Kind() == reflect.Int64:
		want.Type, want.Format = "integer", "int64"
	case typ.Kind() == reflect.Slice:
		want.Type = "array"
		if s.Items == nil {
			t.Errorf("%s: the definition does not say of what it is a list", path)
			return
		}
		agree(t, path+"[]", *s.Items, typ.Elem())
	case typ.Kind() == reflect.Struct && !s.Open:
		want.Type = "object"
		agreeFields(t, path, s, typ)
	case typ.Kind() == reflect.Pointer && s.Open && slices.Contains([]string{"status.report", "status.outbox[].action", "status.digest"}, path):
		want.Type = "object"
	case typ.Kind() == reflect.Pointer && typ.Elem().Kind() == reflect.Struct && !s.Open:
		want.Type = "object"
		agreeFields(t, path, s, typ.Elem())
	default:
		t.Errorf("%s: a %s in the definition, a %s in Go", path, s.Type, typ)
		return
	}
	if s.Type != want.Type || s.Format != want.Format {
		t.Errorf("%s: %s %s in the definition, %s %s in Go", path, s.Type, s.Format, want.Type, want.Format)
	}
}

// ownNotes are the fields of a record that an incident never holds: see [incident.Snapshot].
var ownNotes = []string{"notes", "lastNote", "holder", "lease"}

func agreeFields(t *testing.T, path string, s definition, typ reflect.Type) {
	t.Helper()
	known := map[string]bool{}
	snapshot := typ == reflect.TypeFor[action.Record]() && strings.HasPrefix(path, "status.actions")
	for _, field := range reflect.VisibleFields(typ) {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name == "-" || name == "" && field.Anonymous || known[name] {
			continue
		}
		known[name] = true
		if snapshot && slices.Contains(ownNotes, name) {
			continue
		}
		property, ok := s.Properties[name]
		if !ok {
			t.Errorf("%s.%s is not in deploy/crd", path, name)
			continue
		}
		if property.Description == "" && property.Type != "object" {
			t.Errorf("%s.%s has no description", path, name)
		}
		agree(t, path+"."+name, property, field.Type)
	}
	for name := range s.Properties {
		if !known[name] || snapshot && slices.Contains(ownNotes, name) {
			t.Errorf("%s.%s is in deploy/crd only", path, name)
		}
	}
}
