package incident

import (
	"slices"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
)

// hookGone is the report of a hook that failed once its Job was deleted.
func hookGone(s Seen) Seen {
	r := *s.Report
	f := r.Findings[0]
	f.Confidence, f.Title, f.Why, f.Evidence = diagnose.Likely, "hook failed", "It is no longer in the cluster, so there is no log to read.", nil
	f.Fix = []diagnose.Fix{{Text: "Look for the log of Job/migrate in your log store"}, {Text: "When the cause is fixed, sync"}}
	r.Headline, r.Findings, r.Actions = "pay: hook failed", []diagnose.Finding{f}, nil
	return Seen{App: s.App, Report: &r}
}

// hookFailedAt is the report of a hook that failed in an operation that ended then.
func hookFailedAt(at time.Time) Seen {
	s := fails("pay", hookFailed, refused)
	s.Report.Context.Phase, s.Report.Context.Since = "Failed", at
	s.Report.Actions = []diagnose.Action{{ID: diagnose.ActionDeleteHookJob}}
	s.Report.Findings[0].Fix = []diagnose.Fix{
		{Text: "Allow traffic to 10.0.1.45:5432"}, {Text: "Read the log", Command: "kubectl logs pod/migrate-x7k2p"}, {Text: "When the cause is fixed, sync", Command: "argocd app sync migrate"},
	}
	return s
}

func TestWhatIsKnownOfAFailedOperationStaysWhenItsJobIsDeleted(t *testing.T) {
	s := newStory(t)
	seen := hookFailedAt(morning.Add(-10 * time.Minute))
	s.see(0, seen, Opened)
	s.told()
	if out := s.see(time.Minute, hookGone(seen), Nothing); len(out.Touched) != 1 {
		t.Error("the root message is not updated")
	}
	i := s.store.Of(named("pay"))
	f := i.Report.Root()
	if i.Report.Headline != seen.Report.Headline || f.Why != refused || len(f.Evidence) != 1 || f.Confidence != diagnose.Certain {
		t.Errorf("%s: %+v", i.Report.Headline, f)
	}
	if len(i.Report.Actions) != 0 {
		t.Errorf("actions %v: the Job is gone", i.Report.Actions)
	}
	var steps []string
	for _, fix := range f.Fix {
		steps = append(steps, fix.Text)
	}
	if !slices.Equal(steps, []string{"Allow traffic to 10.0.1.45:5432", "When the cause is fixed, sync"}) {
		t.Errorf("steps %q", steps)
	}
}

func TestAnotherAttemptIsNewEvidence(t *testing.T) {
	s := newStory(t)
	s.see(0, hookFailedAt(morning.Add(-10*time.Minute)), Opened)
	again := hookGone(hookFailedAt(morning.Add(time.Minute)))
	s.see(2*time.Minute, again, EvidenceChanged)
	if f := s.store.Of(named("pay")).Report.Root(); f.Title != "hook failed" {
		t.Errorf("it shows %q of an operation that is no longer the last", f.Title)
	}
}
