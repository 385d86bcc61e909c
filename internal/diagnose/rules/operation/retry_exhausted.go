package operation

import (
	"cmp"
	"fmt"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/text"
)

var RetryExhausted = &diagnose.Rule{
	ID:          "operation/retry-exhausted",
	ExplainedBy: everyFailure,
	Doc: diagnose.Doc{
		Title:    "All retries of the sync failed",
		What:     "Argo CD retried the sync up to its retry limit, always with the same revision, and gave up. The underlying error is the cause.",
		Decisive: "The operation failed and was retried (\"retried N times\").",
		Example:  "one or more synchronization tasks completed unsuccessfully (retried 5 times).",
		Fix:      "Fix the underlying cause, push if the fix is in Git, then sync the new revision.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/user-guide/auto_sync/#automatic-retry-with-a-limit"},
	},
	Sync: advice.Pointless("this revision failed every time"),
	Check: func(in *diagnose.In) diagnose.Outcome {
		op := in.App().CurrentOperation()
		if !op.Failed() || op.RetryCount == 0 {
			return diagnose.Nothing
		}
		out := diagnose.Finding{
			Confidence: diagnose.Likely, Kind: diagnose.KindBookkeeping,
			Title:    "Sync failed, and so did " + text.Count(int(op.RetryCount), "retry", "retries"),
			Why:      fmt.Sprintf("All %d attempts used %s: retries do not pick up newer commits.", op.RetryCount+1, cmp.Or(text.Revision(op.Revision()), "the same revision")),
			Evidence: []diagnose.Quote{{From: "operation", Text: op.Message}},
			Fix:      []diagnose.Fix{{Text: "Show the result of each resource", Command: diagnose.Shell("argocd app get %s --show-operation", advice.AppName(in))}, advice.Sync(in, "When the cause is fixed, sync")},
		}
		if op.Operation.Retry.Refresh {
			out.Why = fmt.Sprintf("All %d attempts failed, the last with %s.", op.RetryCount+1, cmp.Or(text.Revision(op.Revision()), "the newest revision"))
		}
		return diagnose.Found(out)
	},
}
