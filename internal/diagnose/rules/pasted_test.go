package rules_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
)

// named are the keys of the evidence whose values Kubernetes, Argo CD or a program takes as one word: whoever makes an object, or saves a case,
// chooses them.
var named = []string{
	"name", "kind", "group", "namespace", "version", "apiVersion", "image", "container", "node", "nodeName", "involvedName", "uid", "claimName", "secretName",
	"serviceAccountName", "storageClassName", "ingressClassName", "controllerNamespace", "project", "server", "repoURL", "path", "chart", "targetRevision",
	"releaseName", "ref", "valueFiles", "branch", "targetBranch", "username", "value", "pod", "key", "manager", "hook", "hookType", "resource", "type",
	"memory", "cpu", "ephemeral-storage", "storage", "sizeLimit",
}

// TestPatchesKeepTheirLines: nothing that names something adds a line to a patch that is to be pasted.
func TestPatchesKeepTheirLines(t *testing.T) {
	e := engine(t)
	reached, third := 0, 0 // all of them take a minute, and few rules have a single case
	for _, r := range recordedCases(t) {
		if !patched(diagnosed(t, e, r.c)) {
			continue
		}
		if third++; third%3 != 0 {
			continue
		}
		for _, key := range named {
			c, changed := with(t, r.c, key, func(s string) string { return s + "\nMARK: 1" })
			if !changed {
				continue
			}
			for _, f := range diagnosed(t, e, c).Findings {
				for _, fix := range f.Fix {
					if strings.Contains(fix.Patch, "MARK") {
						reached++
					}
					for line := range strings.Lines(fix.Patch) {
						if strings.HasPrefix(strings.TrimLeft(line, " \t-"), "MARK") {
							t.Errorf("%s: %s: %s adds a line to this patch:\n%s", r.name, f.Rule, key, fix.Patch)
						}
					}
				}
			}
		}
	}
	if reached < 100 {
		t.Errorf("only %d patches had the text: the test does not reach them", reached)
	}
}

func patched(r *diagnose.Report) bool {
	return slices.ContainsFunc(r.Findings, func(f diagnose.Finding) bool {
		return slices.ContainsFunc(f.Fix, func(fix diagnose.Fix) bool { return fix.Patch != "" })
	})
}

// TestNobodyIsAllowedAPattern: an Application that calls its repository, namespace or project "*" is refused by Argo CD, and the step that allows
// it would allow everything.
func TestNobodyIsAllowedAPattern(t *testing.T) {
	e := engine(t)
	withheld := 0
	for _, r := range recordedCases(t) {
		if r.c.Application == nil || !strings.Contains(r.name, "spec/") && !strings.Contains(r.name, "operation/") {
			continue
		}
		for _, evil := range []string{"*", "https://**", "[a-z]*"} {
			c := *r.c
			app := *r.c.Application
			app.Spec.Destination.Namespace, app.Metadata.Name = evil, evil
			if app.Spec.Source != nil {
				source := *app.Spec.Source
				for i := range app.Status.Conditions {
					app.Status.Conditions = slices.Clone(app.Status.Conditions)
					app.Status.Conditions[i].Message = strings.ReplaceAll(app.Status.Conditions[i].Message, source.RepoURL, evil)
				}
				source.RepoURL = evil
				app.Spec.Source = &source
			}
			c.Application = &app
			for _, f := range diagnosed(t, e, &c).Findings {
				for _, fix := range f.Fix {
					if strings.Contains(fix.Text, "as a pattern") {
						withheld++
					}
					if strings.HasPrefix(fix.Command, "argocd proj add-") && strings.Contains(fix.Command, "'"+evil+"'") || strings.HasPrefix(fix.Patch, "p, ") && strings.Contains(fix.Patch, evil) {
						t.Errorf("%s: %s allows all of it: %s%s", r.name, f.Rule, fix.Command, fix.Patch)
					}
				}
			}
		}
	}
	if withheld < 20 {
		t.Errorf("only %d commands were withheld: the test does not reach them", withheld)
	}
}

// with is the case with what f makes of each text under a key.
func with(t *testing.T, c *evidence.Case, key string, f func(string) string) (out *evidence.Case, changed bool) {
	t.Helper()
	encoded, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(encoded, []byte(`"`+key+`":`)) {
		return nil, false
	}
	var tree any
	decoder := json.NewDecoder(bytes.NewReader(encoded))
	decoder.UseNumber()
	if err := decoder.Decode(&tree); err != nil {
		t.Fatal(err)
	}
	var walk func(any, bool) any
	walk = func(v any, under bool) any {
		switch v := v.(type) {
		case map[string]any:
			for k, inner := range v {
				v[k] = walk(inner, k == key)
			}
		case []any:
			for i, inner := range v {
				v[i] = walk(inner, under)
			}
		case string:
			if under && v != "" {
				changed = true
				return f(v)
			}
		}
		return v
	}
	if encoded, err = json.Marshal(walk(tree, false)); err != nil {
		t.Fatal(err)
	}
	out = &evidence.Case{}
	if err := json.Unmarshal(encoded, out); err != nil {
		return nil, false
	}
	return out, changed
}
