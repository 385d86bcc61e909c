package operation

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/evidence"
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
		if rendersNow(in, op) {
			now := text.Revision(in.App().Status.Sync.Revision)
			out.Title = fmt.Sprintf("The failed sync could not render %s; %s renders", cmp.Or(text.Revision(op.Revision()), "its revision"), cmp.Or(now, "Git"))
			out.Short = "The failed sync could not render; Git renders now"
			out.Why = fmt.Sprintf("All %d attempts failed before anything was applied.", op.RetryCount+1)
			out.Fix = []diagnose.Fix{
				{Text: "Show what a sync would change", Command: diagnose.Shell("argocd app diff %s", advice.AppName(in))},
				advice.ThenSync(in),
			}
			out.Sync = diagnose.Advice{Verdict: diagnose.SyncUnknown, Why: "the manifests render now, but what they would change was not examined"}
		}
		return diagnose.Found(out)
	},
}

// rendersNow reports whether the operation failed for want of manifests that Argo CD has by now.
func rendersNow(in *diagnose.In, op *evidence.OperationState) bool {
	st := in.App().Status
	if st.Sync.Status == "" || st.Sync.Status == "Unknown" || message.Parse(op.Message).Stage != message.StageRender {
		return false
	}
	return !slices.ContainsFunc(in.Statements(), func(s diagnose.Statement) bool { return s.Failure.Stage == message.StageRender })
}
