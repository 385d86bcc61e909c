package chart_test

import (
	"encoding/json"
	"strings"
	"testing"
)

const schemaFile = path + "/values.schema.json"

// TestSchemaOfTheConfigurationIsFresh: the values may contain what the bot takes, and nothing else. Helm follows no reference to another file, so
// the bot's schema is repeated in the chart's.
func TestSchemaOfTheConfigurationIsFresh(t *testing.T) {
	var values map[string]any
	if err := json.Unmarshal([]byte(read(t, schemaFile)), &values); err != nil {
		t.Fatal(err)
	}
	// Drafts before 2019 have definitions; Helm before 3.18 knows no other.
	var config map[string]any
	if err := json.Unmarshal([]byte(strings.ReplaceAll(read(t, "../../config/schema.json"), "#/$defs/", "#/definitions/")), &config); err != nil {
		t.Fatal(err)
	}
	definitions, ok := config["$defs"].(map[string]any)
	if !ok {
		t.Fatal("config/schema.json has no definitions")
	}
	delete(config, "$defs")
	delete(config, "$schema")
	definitions["Config"] = config
	values["definitions"] = definitions
	want, err := json.MarshalIndent(values, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	isFresh(t, schemaFile, string(want)+"\n")
}
