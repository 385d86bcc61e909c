package scenarios_test

import (
	"os"
	"path/filepath"
	"slices"
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
		scripts := []string{"run", "fix"}
		if len(s.Apps) == 1 && s.Apps[0].Rule == "" { // nothing to cure
			scripts = scripts[:1]
		}
		for _, script := range scripts {
			if _, err := os.Stat(filepath.Join(s.Name, script)); err != nil {
				t.Errorf("%s: %v", s.Name, err)
			}
		}
	}
	if apps < 24 {
		t.Errorf("%d applications, want at least 24", apps)
	}
}
