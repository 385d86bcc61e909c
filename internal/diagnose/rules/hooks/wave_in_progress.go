package hooks

import (
	"cmp"
	"fmt"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/text"
)

var WaveInProgress = &diagnose.Rule{
	ID: "wave/in-progress",
	Doc: diagnose.Doc{
		Title:    "A sync is running normally",
		What:     "The application is out of sync only because a sync is on its way: a hook runs, a wave is becoming healthy. Nothing is wrong yet.",
		Decisive: "An operation has been running for less than five minutes, and nothing says that what it waits for is in trouble.",
		Example:  "waiting for healthy state of apps/Deployment/db (running for 20 s)",
		Fix:      "Wait.",
	},
	Sync: advice.Blocked("a sync is running"),
	Check: func(in *diagnose.In) diagnose.Outcome {
		op := in.App().Status.OperationState
		since := in.RunningFor()
		if !op.Running() || op.RetryCount > 0 || since >= max(hookThreshold, waveThreshold) { // by then a hook or wave rule speaks
			return diagnose.Nothing
		}
		what := "sync"
		if op.DryRun() {
			what = "dry run"
		}
		f := diagnose.Finding{
			Role: diagnose.RoleNote, Kind: diagnose.KindUnderWay, Confidence: diagnose.Certain,
			Title: fmt.Sprintf("a %s has been running for %s", what, text.Age(since)),
			Why:   fmt.Sprintf("A %s of %s is on its way: %s", what, cmp.Or(text.Revision(op.Revision()), "this application"), text.Sentence(cmp.Or(op.Message, "it is applying resources"))),
			Fix:   []diagnose.Fix{{Text: "Wait for it", Command: diagnose.Shell("argocd app wait %s", advice.AppName(in))}},
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
