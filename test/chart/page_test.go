package chart_test

import (
	"reflect"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// TestThePageShowsWhatIsTested: the values that people begin with are those of deploy/install.yaml and of `argo-why init`, and every other value that the page names is one.
func TestThePageShowsWhatIsTested(t *testing.T) {
	page := read(t, "../../docs/install.md")
	_, block, _ := strings.Cut(page, "```yaml\n# values.yaml\n")
	block, _, ok := strings.Cut(block, "```")
	var shown, tested map[string]any
	if !ok || yaml.UnmarshalStrict([]byte(block), &shown) != nil || yaml.UnmarshalStrict([]byte(valuesOf(t)["minimal"]), &tested) != nil {
		t.Fatal("docs/install.md shows no values")
	}
	if !reflect.DeepEqual(shown, tested) {
		t.Errorf("docs/install.md shows\n%v\ntestdata/values/minimal.yaml has\n%v", shown, tested)
	}
	var written map[string]any
	if err := yaml.UnmarshalStrict([]byte(valuesOf(t)["init-usual"]), &written); err != nil || !reflect.DeepEqual(shown, written) {
		t.Errorf("docs/install.md shows\n%v\nargo-why init writes\n%v (%v)", shown, written, err)
	}
	if _, _, err := render(t, block+"\npodSecurityContext: {runAsUser: null, runAsGroup: null, fsGroup: null}\n"); err != nil || !strings.Contains(page, "`podSecurityContext: {runAsUser: null, runAsGroup: null, fsGroup: null}`") {
		t.Errorf("OpenShift: %v", err)
	}
	values := load(t).Values
	for _, part := range strings.Split(page, "`") {
		switch name, _, _ := strings.Cut(part, ":"); {
		case strings.ContainsAny(name, " /=\n"), strings.HasPrefix(name, "config."), strings.HasPrefix(name, "argocd[]"), !strings.Contains(name, "."):
		case values[strings.Split(name, ".")[0]] != nil && !has(values, strings.Split(name, ".")):
			t.Errorf("docs/install.md names %s, which is not a value", name)
		}
	}
}

// has reports whether values have a key, and what it contains.
func has(values map[string]any, keys []string) bool {
	value, ok := values[keys[0]]
	if !ok || len(keys) == 1 {
		return ok
	}
	below, ok := value.(map[string]any)
	return ok && has(below, keys[1:])
}
