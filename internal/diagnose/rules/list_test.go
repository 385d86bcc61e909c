package rules_test

import (
	"cmp"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/rules"
	"github.com/argo-why/argo-why/internal/diagnose/rules/hooks"
)

// TestEveryClassHasARule: the recorded cases are filed under the id that is right for them. An id that is there no longer
// breaks users who match on it.
func TestEveryClassHasARule(t *testing.T) {
	have := map[string]bool{}
	for _, r := range rules.All() {
		have[r.ID] = true
	}
	folders, err := filepath.Glob(filepath.Join("testdata", "cases", "*", "*"))
	if err != nil || len(folders) < 100 {
		t.Fatalf("found %d classes of recorded cases (%v): some are missing", len(folders), err)
	}
	for _, folder := range folders {
		id := path.Join(filepath.Base(filepath.Dir(folder)), filepath.Base(folder))
		if !have[id] && diagnose.Group(id) != "control" {
			t.Errorf("no rule for %s", id)
		}
	}
}

func TestTheListIsValid(t *testing.T) {
	if err := diagnose.Validate(rules.All()); err != nil {
		t.Error(err)
	}
}

// TestTheListIsInOrder: the list reads as a table of contents, group after group in the order of causes.
func TestTheListIsInOrder(t *testing.T) {
	order := map[string]int{"render": 0, "spec": 1, "compare": 2, "apply": 3, "operation": 4, "hook": 5, "wave": 6, "drift": 7, "health": 8}
	last := 0
	for _, r := range rules.All() {
		if n := order[r.Group()]; n < last {
			t.Errorf("%s stands after a rule of a later group", r.ID)
		} else {
			last = n
		}
	}
}

// noCase are rules without a recorded case, each with the reason.
var noCase = map[string]string{
	hooks.WaveInProgress.ID: "nothing is wrong: the controls of a sync under way hold it",
}

func TestEveryRuleHasCases(t *testing.T) {
	for _, r := range rules.All() {
		files, err := filepath.Glob(filepath.Join("testdata", "cases", filepath.FromSlash(r.ID), "*.json"))
		if err != nil || len(files) == 0 && noCase[r.ID] == "" {
			t.Errorf("%s has no case in testdata/cases/%s", r.ID, r.ID)
		}
	}
}

// folder is where the rules of a group are, if not in a folder of the group's name.
var folder = map[string]string{"hook": "hooks", "wave": "hooks", "drift": "outofsync"}

func TestEachRuleIsInAFileOfItsName(t *testing.T) {
	for _, r := range rules.All() {
		group, name, _ := strings.Cut(strings.ReplaceAll(r.ID, "-", "_"), "/")
		if group == "wave" { // beside those of hooks
			name = group + "_" + name
		}
		file := filepath.Join(cmp.Or(folder[group], group), name+".go")
		if _, err := os.Stat(file); err != nil {
			t.Errorf("%s is not in %s", r.ID, file)
		}
	}
}
