package operation

import (
	"fmt"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
)

var Retrying = &diagnose.Rule{
	ID:          "operation/retrying",
	ExplainedBy: everyFailure,
	Doc: diagnose.Doc{
		Title:    "Sync failed and is being retried",
		What:     "The sync failed, and Argo CD retries it with increasing back-off. Retries stay on the old revision: they do not pick up a fix that is pushed in the meantime.",
		Decisive: "The operation is running with a retry count, or says \"Retrying attempt #N\".",
		Example:  "one or more synchronization tasks completed unsuccessfully. Retrying attempt #2 at 10:28AM.",
		Fix:      "Fix the underlying cause. If the fix is a commit, terminate the operation and sync the new revision.",
	},
	Sync: advice.Blocked("the failed sync is still being retried"),
	Check: func(in *diagnose.In) diagnose.Outcome {
		op := in.App().CurrentOperation()
		if !op.Running() {
			return diagnose.Nothing
		}
		note := message.Parse(op.Message).Retry
		if op.RetryCount == 0 && note.Attempt == 0 {
			return diagnose.Nothing
		}
		fix, offer := advice.Terminate(in, "retries stay on the old revision; a new commit can be synced only after that")
		fix.Text = "If a newer commit contains the fix, terminate this operation, then sync"
		if op.Operation.Retry.Refresh {
			fix.Text = "If the fix should not wait for the next retry, terminate this operation, then sync"
			offer.Why = "the next retry may be minutes away"
		}
		return diagnose.Found(diagnose.Finding{
			Confidence: diagnose.Likely, Kind: diagnose.KindBookkeeping,
			Title:    fmt.Sprintf("Sync failed and is being retried (attempt %d)", max(op.RetryCount, int64(note.Attempt))+1),
			Why:      "Argo CD waits longer before each retry, until one succeeds or the retry limit is reached.",
			Evidence: []diagnose.Quote{{From: "operation", Text: op.Message}},
			Fix:      []diagnose.Fix{{Text: "Show the result of each resource", Command: diagnose.Shell("argocd app get %s --show-operation", advice.AppName(in))}, fix},
			Offers:   []diagnose.Action{offer},
		})
	},
}
