package operation

import (
	"fmt"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
)

var RollbackBlocked = &diagnose.Rule{
	ID: "operation/rollback-blocked",
	Doc: diagnose.Doc{
		Title:    "Rollback is refused",
		What:     "Argo CD refuses a rollback while auto-sync is on, because auto-sync would immediately undo it. It also refuses a rollback to a deployment that is no longer in the history.",
		Decisive: "Argo CD answers \"rollback cannot be initiated when auto-sync is enabled\".",
		Example:  "rpc error: code = FailedPrecondition desc = rollback cannot be initiated when auto-sync is enabled",
		Fix:      "Revert the commit in Git, or turn auto-sync off first.",
	},
	Sync: advice.Blocked("a rollback is not possible while auto-sync is on"),
	Check: statement.Each(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		if !s.Failure.Has("rollback cannot be", "cannot rollback", "unable to rollback", "cannot roll back", "does not have deployment with id") {
			return diagnose.Finding{}, false
		}
		if s.Failure.Has("does not have deployment") {
			return diagnose.Finding{
				Kind: diagnose.KindForbidden, Confidence: diagnose.Certain,
				Title: "Rollback target is not in the history",
				Why:   "Argo CD keeps only the latest deployments (spec.revisionHistoryLimit).",
				Says:  diagnose.Said{Who: "Argo CD says", Text: s.Failure.Core()},
				Fix:   []diagnose.Fix{{Text: "List the deployments it can roll back to", Command: diagnose.Shell("argocd app history %s", advice.AppName(in))}},
				Sync:  advice.Blocked("the requested deployment is not in the history"),
			}, true
		}
		stopgap := "As a stopgap, turn auto-sync off and roll back"
		if set := advice.Generator(in); set != "" {
			stopgap += fmt.Sprintf(" (ApplicationSet %s turns it on again unless its template is changed as well)", set)
		}
		return diagnose.Finding{
			Kind: diagnose.KindForbidden, Confidence: diagnose.Certain,
			Title: "Rollback is refused because auto-sync is on",
			Why:   "Auto-sync would immediately undo it.",
			Fix: []diagnose.Fix{
				{Text: "Revert the commit in Git: auto-sync then deploys the old state"},
				{Text: stopgap, Command: diagnose.Shell("argocd app set %s --sync-policy none && argocd app rollback %s", advice.AppName(in), advice.AppName(in))},
			},
		}, true
	}),
}
