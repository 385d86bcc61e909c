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
	ExplainedBy: everythingBefore,
	Doc: diagnose.Doc{
		Title:    "All retries of the sync failed",
		What:     "Argo CD tried the sync again as often as its retry limit says, always with the same revision, and gave up. The underlying error is the cause.",
		Decisive: "The operation failed and was retried (\"retried N times\").",
		Example:  "one or more synchronization tasks completed unsuccessfully (retried 5 times).",
		Fix:      "Repair the underlying cause, push if it is in Git, then sync the new revision.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/user-guide/auto_sync/#automatic-retry-with-a-limit"},
	},
	Sync: advice.Pointless("the same revision failed every time"),
	Check: func(in *diagnose.In) diagnose.Outcome {
		op := in.App().CurrentOperation()
		if !op.Failed() || op.RetryCount == 0 {
			return diagnose.Nothing
		}
		return diagnose.Found(diagnose.Finding{
			Confidence: diagnose.Likely, Kind: diagnose.KindBookkeeping,
			Title:    fmt.Sprintf("the sync failed and so did %d retries", op.RetryCount),
			Why:      fmt.Sprintf("Argo CD tried %s %d times and gave up. What the resources say about it is in the evidence, if anything.", cmp.Or(text.Revision(op.Revision()), "the revision"), op.RetryCount+1),
			Evidence: []diagnose.Quote{{From: "operation", Text: op.Message}},
			Fix:      []diagnose.Fix{{Text: "See what each resource says", Command: diagnose.Shell("argocd app get %s --show-operation", advice.AppName(in))}},
		})
	},
}
