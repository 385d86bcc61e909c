package diagnose_test

import (
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
)

// TestNothingIsConcludedFromAComparisonBeforeTheSync: seconds after a sync the operation is new, and all else in the status is old.
func TestNothingIsConcludedFromAComparisonBeforeTheSync(t *testing.T) {
	at := func(seconds int64) evidence.Time { return evidence.Time{Time: time.Unix(seconds, 0)} }
	for name, c := range map[string]struct {
		phase         string
		compared, now int64
		want          diagnose.Verdict
		movedOff      bool
	}{
		"succeeded, not compared since":   {phase: evidence.OperationSucceeded, compared: 90, now: 103, want: diagnose.VerdictProgressing},
		"succeeded, compared as it ended": {phase: evidence.OperationSucceeded, compared: 100, now: 103, want: diagnose.VerdictDrifted, movedOff: true},
		"succeeded, compared since":       {phase: evidence.OperationSucceeded, compared: 101, now: 103, want: diagnose.VerdictDrifted, movedOff: true},
		"succeeded, never compared since": {phase: evidence.OperationSucceeded, compared: 90, now: 3600, want: diagnose.VerdictDrifted},
		"failed, not compared since":      {phase: evidence.OperationFailed, compared: 90, now: 103, want: diagnose.VerdictFailing},
		"failed, compared since":          {phase: evidence.OperationFailed, compared: 101, now: 103, want: diagnose.VerdictFailing, movedOff: true},
		"runs, compared before":           {phase: evidence.OperationRunning, compared: 90, now: 103, want: diagnose.VerdictProgressing},
		"runs, compared meanwhile":        {phase: evidence.OperationRunning, compared: 97, now: 103, want: diagnose.VerdictProgressing, movedOff: true},
	} {
		subject := app("OutOfSync", "Healthy").Application
		subject.Status.Sync.Revision, subject.Status.ReconciledAt = "bb498fd", at(c.compared)
		subject.Status.OperationState = &evidence.OperationState{
			Phase: c.phase, StartedAt: at(95), FinishedAt: at(100), SyncResult: &evidence.SyncResult{Revision: "3f2a91c"},
		}
		if c.phase == evidence.OperationRunning {
			subject.Status.OperationState.FinishedAt = evidence.Time{}
		}
		e, err := diagnose.New(nil)
		if err != nil {
			t.Fatal(err)
		}
		r, err := e.Diagnose(t.Context(), (&evidence.Case{Application: subject}).Source(), time.Unix(c.now, 0))
		if err != nil {
			t.Fatal(err)
		}
		if r.Verdict != c.want || subject.MovedOn() != c.movedOff {
			t.Errorf("%s: %s (%s), moved on %t", name, r.Verdict, r.Headline, subject.MovedOn())
		}
	}
}
