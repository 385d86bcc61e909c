package compare

import (
	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
)

var NotCompared = &diagnose.Rule{
	ID:          "compare/not-compared",
	ExplainedBy: diagnose.SymptomOf(diagnose.GroupSpec, SkipReconcile, RefreshPending),
	Doc: diagnose.Doc{
		Title:    "Application is not compared",
		What:     "Argo CD compares an application again after each sync. It has not for ten minutes after a sync: the application controller is down, stuck or overloaded, it does not watch this application's namespace, or no shard manages the cluster. All that Argo CD shows of the application is from before.",
		Decisive: "The last comparison (reconciledAt) is not after the end of the last sync, which succeeded at least ten minutes ago.",
		Example:  "reconciledAt: 2026-11-21T15:06:50Z, while operationState.finishedAt is 2026-11-21T15:06:58Z and it is 15:47",
		Fix:      "Get the application controller running for this application.",
	},
	Sync: advice.Pointless(diagnose.StaysPending + untilActive),
	Check: func(in *diagnose.In) diagnose.Outcome {
		app := in.App()
		op := app.Status.OperationState
		if _, overdue := in.Uncompared(); !overdue || op == nil || app.Requested() != nil || !app.Metadata.DeletionTimestamp.IsZero() {
			return diagnose.Nothing
		}
		f := diagnose.Finding{
			Confidence: diagnose.Certain, OutsideGit: true, Unattended: untilActive,
			Title:    "Not compared since its last sync",
			Evidence: []diagnose.Quote{{From: "application", Text: "status.reconciledAt is " + stamp(app.Status.ReconciledAt) + "; status.operationState.finishedAt is " + stamp(op.FinishedAt)}},
		}
		f.Why, f.Fix = advice.Inactive(in)
		if app.Metadata.Namespace == "" || app.Metadata.Namespace == advice.ArgoNamespace(in) {
			f.Shared = "application controller"
		}
		return diagnose.Found(f)
	},
}
