package scenarios_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/rules"
	"github.com/argo-why/argo-why/test/lab/scenarios"
)

func TestScenariosExpectRulesThatExist(t *testing.T) {
	all, err := scenarios.All()
	if err != nil {
		t.Fatal(err)
	}
	apps := 0
	for _, s := range all {
		for _, app := range s.Apps {
			apps++
			if app.Rule == "" && len(app.Verdict) == 0 || len(app.Sync) == 0 || app.Why == "" {
				t.Errorf("%s: say what is right about it: rule or verdict, sync, why", app.Name)
			}
			for _, id := range append(slices.Clone(app.Also), app.Rule) {
				if id != "" && !slices.ContainsFunc(rules.All(), func(r *diagnose.Rule) bool { return r.ID == id }) {
					t.Errorf("%s: there is no rule %s", app.Name, id)
				}
			}
		}
		if _, err := os.Stat(filepath.Join(s.Name, "run")); err != nil {
			t.Errorf("%s: %v", s.Name, err)
		}
	}
	if len(all) < 60 {
		t.Errorf("%d scenarios of %d applications, want at least 60", len(all), apps)
	}
}

func TestReadmeSaysWhatIsNotRun(t *testing.T) {
	notRun, err := scenarios.StepsNotRun()
	if err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile(filepath.Join("..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range notRun {
		row := "| `" + n.Step + "` | " + n.Reason + " |\n"
		if n.Scenario != "" {
			row = "| `" + n.Step + "` (" + n.Scenario + ") | " + n.Reason + " |\n"
		}
		if !strings.Contains(string(readme), row) {
			t.Errorf("the README lacks: %s", row)
		}
	}
}
