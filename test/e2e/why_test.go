//go:build e2e

package e2e_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"slices"
	"testing"

	"github.com/argo-why/argo-why/test/lab/scenarios"
)

// TestWhySeesTheCure: `bot why` names the cause, and after the fix that nothing is wrong. One scenario of each group.
func TestWhySeesTheCure(t *testing.T) {
	all, err := scenarios.Cured()
	if err != nil {
		t.Fatal(err)
	}
	examples := []string{"helm-nil", "admission-webhook", "presync-hook-failed", "scale-drift", "pod-waiting"}
	for _, s := range all {
		if !slices.Contains(examples, s.Name) {
			continue
		}
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			play(t, "run", s.Name)
			for _, app := range s.Apps {
				if got := why(t, app.Name); got.rule() != app.Rule {
					t.Errorf("%s: got %s (%s), want %s: %s", app.Name, got.rule(), got.Headline, app.Rule, app.Why)
				}
			}
			play(t, "fix", s.Name)
			for _, app := range s.Apps {
				if got := why(t, app.Name); got.Verdict != "healthy" || got.rule() != "" {
					t.Errorf("%s, after the fix: %s, %s (%s)", app.Name, got.Verdict, got.rule(), got.Headline)
				}
			}
		})
	}
}

// report is what a script reads of `bot why -o json`.
type report struct {
	Headline string `json:"headline"`
	Verdict  string `json:"verdict"`
	Findings []struct {
		Rule string `json:"rule"`
	} `json:"findings"`
}

func (r report) rule() string {
	if len(r.Findings) == 0 {
		return ""
	}
	return r.Findings[0].Rule
}

func why(t *testing.T, app string) report {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), command, "why", app, "--plaintext", "-o", "json")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("bot why %s: %v", app, err)
	}
	var r report
	if err := json.Unmarshal(out, &r); err != nil {
		t.Fatalf("bot why %s: %v\n%s", app, err, out)
	}
	return r
}
