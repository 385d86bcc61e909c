package operation

import (
	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
	"github.com/argo-why/argo-why/internal/text"
)

var RollbackBlocked = &diagnose.Rule{
	ID: "operation/rollback-blocked",
	Doc: diagnose.Doc{
		Title:    "A rollback is refused while auto-sync is on",
		What:     "Auto-sync would at once undo the rollback, so Argo CD refuses it.",
		Decisive: "Argo CD answers \"rollback cannot be initiated when auto-sync is enabled\".",
		Example:  "rpc error: code = FailedPrecondition desc = rollback cannot be initiated when auto-sync is enabled",
		Fix:      "Revert the commit in Git; or switch auto-sync off first.",
	},
	Sync: advice.Blocked("Argo CD refuses a rollback while auto-sync is on"),
	Check: statement.Each(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		if !s.Failure.Has("rollback cannot be", "cannot rollback", "unable to rollback", "cannot roll back", "does not have deployment with id") {
			return diagnose.Finding{}, false
		}
		if s.Failure.Has("does not have deployment") {
			return diagnose.Finding{
				Kind: diagnose.KindForbidden, Confidence: diagnose.Certain,
				Title: "there is no deployment of that number to roll back to",
				Why:   "Argo CD keeps only the last deployments (spec.revisionHistoryLimit), and this one is none of them: " + text.Sentence(s.Failure.Line(message.MaxClause)),
				Fix:   []diagnose.Fix{{Text: "See which there are", Command: diagnose.Shell("argocd app history %s", advice.AppName(in))}},
				Sync:  advice.Blocked("the rollback that was asked for does not exist"),
			}, true
		}
		return diagnose.Finding{
			Kind: diagnose.KindForbidden, Confidence: diagnose.Certain,
			Title: "the rollback is refused because auto-sync is on",
			Why:   "Auto-sync would undo a rollback at once, so Argo CD does not start one: " + text.Sentence(s.Failure.Line(message.MaxClause)),
			Fix: []diagnose.Fix{
				{Text: "Revert the commit in Git: that is what stays"},
				{Text: "Or switch auto-sync off, and roll back", Command: diagnose.Shell("argocd app set %s --sync-policy none && argocd app rollback %s", advice.AppName(in), advice.AppName(in))},
			},
		}, true
	}),
}
