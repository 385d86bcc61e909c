package hooks

import (
	"cmp"
	"fmt"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

var WaveInProgress = &diagnose.Rule{
	ID: "wave/in-progress",
	Doc: diagnose.Doc{
		Title:    "Sync is running normally",
		What:     "The application is out of sync only because a sync is in progress: a hook is running, or a wave is becoming healthy. Nothing is wrong yet.",
		Decisive: "An operation has been running for less than five minutes, and nothing it waits for shows a problem.",
		Example:  "waiting for healthy state of apps/Deployment/db (running for 20 s)",
		Fix:      "Wait.",
	},
	Sync: advice.Blocked("a sync is running"),
	Check: func(in *diagnose.In) diagnose.Outcome {
		op := in.App().Status.OperationState
		since := in.RunningFor()
		if !op.Running() || op.RetryCount > 0 || op.Phase == evidence.OperationTerminating {
			return diagnose.Nothing
		}
		what, doing := "Sync", "It is syncing "
		if op.DryRun() {
			what, doing = "Dry run", "It is trying "
		}
		f := diagnose.Finding{
			Role: diagnose.RoleNote, Kind: diagnose.KindUnderWay, Confidence: diagnose.Certain,
			Title: fmt.Sprintf("%s has been running for %s", what, text.Age(since)),
			Why:   doing + cmp.Or(text.Revision(op.Revision()), "this application") + ".",
			Says:  diagnose.Said{Who: "Argo CD reports", Text: op.Message},
			Fix:   []diagnose.Fix{{Text: "Wait until it finishes", Command: diagnose.Shell("argocd app wait %s", advice.AppName(in))}},
		}
		if op.Message != "" {
			f.Why = "" // what it is doing says more
		}
		if since >= max(hookThreshold, waveThreshold) { // from then on a hook or wave rule may say more
			f = overdue(in, f)
		}
		all := in.Statements()
		for i := range all {
			if all[i].From == "operation" {
				return diagnose.Found(f.On(&all[i]))
			}
		}
		return diagnose.Found(f)
	},
}

// overdue is a note about an operation that has been running for long while nothing shows that it hangs: people hear of it where it lasts.
func overdue(in *diagnose.In, f diagnose.Finding) diagnose.Finding {
	fix, offer := advice.Terminate(in, "it ends the sync; what was applied stays")
	fix.Text = "If it hangs, terminate the running operation"
	f.Kind = diagnose.KindOverdue
	f.Fix, f.Offers = append(f.Fix, fix), append(f.Offers, offer)
	return f.ReportedAs(in.Rule().MayReportAs)
}
