package operation

import (
	"cmp"
	"fmt"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/text"
)

var AutosyncGaveUp = &diagnose.Rule{
	ID:          "operation/autosync-gave-up",
	ExplainedBy: append(diagnose.SymptomOf(RetryExhausted, syncWindow), everyFailure...),
	Doc: diagnose.Doc{
		Title:    "Auto-sync will not retry this commit",
		What:     "After a failed automated sync, Argo CD does not try the same commit with the same parameters again. The application stays out of sync until there is a new commit or a manual sync, even if the cause is gone.",
		Decisive: "Auto-sync is on, the application is out of sync, and its last operation was automated and failed on the revision that Git still has.",
		Example:  "Skipping auto-sync: failed previous sync attempt to 61a00d817d8764538f76acc1e8f216b120689701",
		Fix:      "Fix the underlying cause, then push a commit or sync manually.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/user-guide/auto_sync/#automated-sync-semantics"},
	},
	Sync: advice.Pointless("this commit has already failed, and nothing shows that the cause is gone"),
	Check: func(in *diagnose.In) diagnose.Outcome {
		op := in.App().CurrentOperation()
		if !op.Failed() || !in.App().AutoSync() || !op.Operation.ByAutoSync() || in.App().Status.Sync.Status != "OutOfSync" || in.App().MovedOn() {
			return diagnose.Nothing
		}
		fix := []diagnose.Fix{advice.Sync(in, "When the cause is fixed, sync manually or push a commit")}
		if op.RetryCount == 0 { // else operation/retry-exhausted has this step
			fix = append([]diagnose.Fix{{Text: "Show the result of each resource", Command: diagnose.Shell("argocd app get %s --show-operation", advice.AppName(in))}}, fix...)
		}
		return diagnose.Found(diagnose.Finding{
			Confidence: diagnose.Likely, Kind: diagnose.KindBookkeeping,
			Title:    fmt.Sprintf("Auto-sync failed on %s and will not retry it", cmp.Or(text.Revision(op.Revision()), "this commit")),
			Why:      text.Paragraph(underlying(op.Message), "Argo CD never repeats a failed automated sync of the same commit, even if the cause is gone."),
			Evidence: []diagnose.Quote{{From: "operation", Text: op.Message}},
			Fix:      fix,
		})
	},
}

// retried is what Argo CD adds to the message of an operation that it repeated.
var retried = pattern.MustCompile(`\s*\(retried \d+ times\)\.?$`)

// underlying is how the sync failed, in Argo CD's words; empty where it has none.
func underlying(message string) string {
	if message = retried.ReplaceAllString(text.OneLine(message), ""); message == "" {
		return ""
	}
	return "The sync failed with: " + text.Sentence(message)
}
