package operation

import (
	"cmp"
	"fmt"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/text"
)

var Retrying = &diagnose.Rule{
	ID:          "operation/retrying",
	ExplainedBy: everythingBefore,
	Doc: diagnose.Doc{
		Title:    "Argo CD is trying a failed sync again",
		What:     "The sync failed, and Argo CD retries it with growing pauses. Retries stay on the old revision: a fix that is pushed meanwhile is not picked up by them.",
		Decisive: "The operation is running with a retry count, or says \"Retrying attempt #N\".",
		Example:  "one or more synchronization tasks completed unsuccessfully. Retrying attempt #2 at 10:28AM.",
		Fix:      "Repair the underlying cause. If the fix is a commit, terminate the operation so that the new revision is synced.",
	},
	Sync: advice.Blocked("the operation that is being retried is still running"),
	Check: func(in *diagnose.In) diagnose.Outcome {
		op := in.App().CurrentOperation()
		if !op.Running() {
			return diagnose.Nothing
		}
		note := message.Parse(op.Message).Retry
		if op.RetryCount == 0 && note.Attempt == 0 {
			return diagnose.Nothing
		}
		fix, offer := advice.Terminate(in, "retries stay on the old revision; terminating lets a new commit be synced")
		return diagnose.Found(diagnose.Finding{
			Confidence: diagnose.Likely, Kind: diagnose.KindBookkeeping,
			Title:    fmt.Sprintf("the sync failed and is being retried (attempt %d)", max(op.RetryCount, int64(note.Attempt))+1),
			Why:      fmt.Sprintf("Argo CD retries %s after a failure. A commit pushed since is not picked up by the retries.", cmp.Or(text.Revision(op.Revision()), "the same revision")),
			Evidence: []diagnose.Quote{{From: "operation", Text: op.Message}},
			Fix:      []diagnose.Fix{fix},
			Offers:   []diagnose.Action{offer},
		})
	},
}
