package chart_test

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestEveryValueIsExplainedAndUsed: what the schema takes is in values.yaml with its default, and a template asks for it.
func TestEveryValueIsExplainedAndUsed(t *testing.T) {
	type object struct {
		Properties map[string]object
	}
	var schema object
	if err := json.Unmarshal([]byte(read(t, schemaFile)), &schema); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(path + "/templates/*")
	if err != nil {
		t.Fatal(err)
	}
	var templates strings.Builder
	for _, file := range files {
		templates.WriteString(read(t, file))
	}
	values, seen := load(t).Values, 0
	var look func(above []string, o object)
	look = func(above []string, o object) {
		for name, below := range o.Properties {
			key := slices.Concat(above, []string{name})
			if name == "global" && len(above) == 0 {
				continue
			}
			seen++
			if !has(values, key) {
				t.Errorf("values.yaml does not explain %s", strings.Join(key, "."))
			}
			if !strings.Contains(templates.String(), "."+name) {
				t.Errorf("no template uses %s", strings.Join(key, "."))
			}
			look(key, below)
		}
	}
	look(nil, schema)
	if seen < 50 {
		t.Errorf("%d values found", seen)
	}
}
