package rules_test

import (
	"strings"
	"testing"
)

// TestNoRuleTakesADryRunForASync: of every recorded failed sync, what it would say if that had been a dry run.
func TestNoRuleTakesADryRunForASync(t *testing.T) {
	e := engine(t)
	n := 0
	for _, r := range recordedCases(t) {
		s, err := r.c.Source().Subject(t.Context())
		if err != nil || s.Application == nil || !s.Application.Status.OperationState.Failed() || s.Application.Status.OperationState.Operation.Sync == nil {
			continue
		}
		n++
		// The case and its source share the application.
		s.Application.Status.OperationState.Operation.Sync.DryRun = true
		rep := diagnosed(t, e, r.c)
		if rep.Context.Phase != "" || !rep.Context.DryRun {
			t.Errorf("%s: %+v", r.name, rep.Context)
		}
		if len(rep.Effects) == 0 || !strings.Contains(strings.Join(rep.Effects, " "), "The last operation was a dry run") {
			t.Errorf("%s: nobody is told that it was a dry run: %q", r.name, rep.Effects)
		}
		for _, f := range rep.Findings {
			for _, q := range f.Evidence {
				if q.From == "operation" || strings.HasPrefix(q.From, "sync result of ") {
					t.Errorf("%s: %s rests on what the dry run said: %s", r.name, f.Rule, q.Text)
				}
			}
		}
	}
	if n < 50 {
		t.Errorf("only %d cases have a failed sync", n)
	}
}
