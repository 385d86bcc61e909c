package supplychain_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"
)

// pinned is an action at a commit, with its version for people and Dependabot: a tag can be moved to other code.
var pinned = regexp.MustCompile(`uses: [\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$`)

// TestActionsArePinned: no workflow runs code of others that can change without a commit here.
func TestActionsArePinned(t *testing.T) {
	for name, text := range workflows(t) {
		for number, line := range strings.Split(text, "\n") {
			if strings.Contains(line, "uses:") && !pinned.MatchString(line) {
				t.Errorf("%s:%d: %s: pin it to a commit, with its version in a comment", name, number+1, strings.TrimSpace(line))
			}
		}
	}
}

// TestWorkflowsMayOnlyRead: what a job writes it asks for itself.
func TestWorkflowsMayOnlyRead(t *testing.T) {
	for name, text := range workflows(t) {
		var w struct {
			Permissions map[string]string
			Jobs        map[string]struct {
				Steps []struct {
					Uses string
					With map[string]any
				}
			}
		}
		if err := yaml.Unmarshal([]byte(text), &w); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if len(w.Permissions) != 1 || w.Permissions["contents"] != "read" {
			t.Errorf("%s: its jobs may %v, unless they say otherwise; want contents: read alone", name, w.Permissions)
		}
		for job, j := range w.Jobs {
			for _, step := range j.Steps {
				if strings.HasPrefix(step.Uses, "actions/checkout@") && step.With["persist-credentials"] != false {
					t.Errorf("%s: job %s leaves its token in the checkout: set persist-credentials: false", name, job)
				}
			}
		}
	}
}

func workflows(t *testing.T) map[string]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, ".github", "workflows", "*"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no workflows: %v", err)
	}
	all := map[string]string{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all[filepath.Base(file)] = string(text)
	}
	return all
}
