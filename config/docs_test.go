package config_test

import (
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"

	"github.com/argo-why/argo-why/config"
)

// TestPageShowsWhatIsTaken: the file that the page begins with is right, and so is what it says to add.
func TestPageShowsWhatIsTaken(t *testing.T) {
	var shortest string
	for i, block := range strings.Split(string(readFile(t, "../docs/configuration.md")), "```yaml\n") {
		text, _, _ := strings.Cut(block, "```")
		switch {
		case i == 0 || strings.HasPrefix(text, "# argocd-cm"):
		case shortest == "":
			shortest = text
			parse(t, text)
		default:
			two := strings.Replace(shortest, "argocd:\n", "argocd:\n  - {name: staging, server: b, token: {env: B}}\n", 1)
			if _, err := config.Parse([]byte(two + text)); err != nil {
				t.Errorf("%v in\n%s", err, text)
			}
		}
	}
	if shortest == "" {
		t.Error("the page shows no file")
	}
}

// TestWhatTheChartWritesIsTaken: Helm writes the values anew, as YAML of its own.
func TestWhatTheChartWritesIsTaken(t *testing.T) {
	files, err := filepath.Glob("../test/chart/testdata/rendered/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, file := range append(files, "../deploy/install.yaml") {
		for _, document := range strings.Split(string(readFile(t, file)), "\n---\n") {
			var o struct {
				Kind string
				Data map[string]string
			}
			if err := yaml.Unmarshal([]byte(document), &o); err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			if text, ok := o.Data["config.yaml"]; ok && o.Kind == "ConfigMap" {
				found++
				parse(t, text)
			}
		}
	}
	if found < 5 {
		t.Errorf("%d configurations found", found)
	}
}
