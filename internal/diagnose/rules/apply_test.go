package rules_test

import (
	"strings"
	"testing"
)

// TestDenialsSayWhatToChange: a denial names the policy, quotes its reason alone, and says which values comply where that is known.
func TestDenialsSayWhatToChange(t *testing.T) {
	e := engine(t)
	want := map[string]struct{ title, says, fix string }{
		"a285.json": {"Deployment/inflate was denied by policy require-labels", "The label `app.kubernetes.io/name` is required", "Change the manifest"},
		"a191.json": {"Deployment: its pods were denied by a policy", "container <streamdal-console> has no resource limits", "Change the manifest"},
		"a419.json": {"Job/wait-for-crds: its pods were denied by Pod Security", "unrestricted capabilities, runAsNonRoot != true, seccompProfile", "securityContext.allowPrivilegeEscalation=false"},
	}
	seen := 0
	for _, r := range recordedCases(t) {
		w, ok := want[strings.TrimPrefix(r.name, "apply/admission-denied/")]
		if !ok {
			continue
		}
		seen++
		f := first(t, diagnosed(t, e, r.c))
		if f.Title != w.title || !strings.Contains(f.Says.Text, w.says) || !strings.Contains(f.Fix[0].Text, w.fix) {
			t.Errorf("%s: %s\n%s\n%s", r.name, f.Title, f.Says.Text, f.Fix[0].Text)
		}
	}
	if seen != len(want) {
		t.Errorf("%d of %d cases found", seen, len(want))
	}
}
