package diagnose_test

import (
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
)

func diagnoseWith(t *testing.T, rules ...*diagnose.Rule) *diagnose.Report {
	t.Helper()
	rep, err := engineOf(t, rules...).Diagnose(t.Context(), (&evidence.Case{Application: &evidence.Application{}}).Source(), time.Unix(0, 0))
	if err != nil {
		t.Fatal(err)
	}
	return rep
}

// TestAFindingHasTheIDOfItsRule: or of the rule that it says, and never one that a check makes up.
func TestAFindingHasTheIDOfItsRule(t *testing.T) {
	other := rule("operation/other", func(*diagnose.In) diagnose.Outcome { return diagnose.Nothing })
	for _, c := range []struct {
		finding diagnose.Finding
		want    string
	}{
		{diagnose.Finding{Title: "x"}, "operation/denied"},
		{diagnose.Finding{Title: "x", Variant: "login"}, "operation/denied/login"},
		{diagnose.Finding{Title: "x"}.ReportedAs(other), "operation/other"},
		{diagnose.Finding{Title: "x", Rule: "operation/made-up"}, "operation/denied"},
	} {
		rep := diagnoseWith(t, rule("operation/denied", func(*diagnose.In) diagnose.Outcome { return diagnose.Found(c.finding) }), other)
		if len(rep.Findings) != 1 || rep.Findings[0].Rule != c.want {
			t.Errorf("got %+v, want %s", rep.Findings, c.want)
		}
	}
}

// TestWhatIsUnderWayIsSaidWhereNothingElseIs: whichever rule finds it.
func TestWhatIsUnderWayIsSaidWhereNothingElseIs(t *testing.T) {
	running := rule("wave/running", func(*diagnose.In) diagnose.Outcome {
		return diagnose.Found(diagnose.Finding{Title: "a sync is running", Role: diagnose.RoleNote, Kind: diagnose.KindUnderWay})
	})
	failed := rule("hook/failed", func(*diagnose.In) diagnose.Outcome { return diagnose.Found(diagnose.Finding{Title: "a hook failed"}) })
	if rep := diagnoseWith(t, running); len(rep.Findings) != 1 || rep.Findings[0].Rule != "wave/running" {
		t.Errorf("alone: got %+v", rep.Findings)
	}
	if rep := diagnoseWith(t, running, failed); len(rep.Findings) != 1 || rep.Findings[0].Rule != "hook/failed" {
		t.Errorf("beside a failure: got %+v", rep.Findings)
	}
}
