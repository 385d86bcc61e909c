package outofsync

import (
	"cmp"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
)

var SyncLoop = &diagnose.Rule{
	ID:              "drift/sync-loop",
	Needs:           needs,
	ExplainedByEach: keepsComingBack,
	Doc: diagnose.Doc{
		Title:    "Same commit synced over and over",
		What:     "Without self-heal, something requests a sync again and again: auto-sync that never gets the application Synced, a pipeline or script that syncs on a timer, two tools that deploy the same.",
		Decisive: "The history has the same commit over and over within minutes, and self-heal is off.",
		Example:  "synced 3f2a91c at least 10 times, about every 60 s, by deploy-bot",
		Fix:      "Find out who requests the syncs; if it is auto-sync, find out what keeps the application out of sync.",
	},
	Sync: advice.Pointless("several syncs within minutes did not last"),
	Check: func(in *diagnose.In) diagnose.Outcome {
		l, ok := findLoop(in)
		if !ok || selfHeals(in) {
			return diagnose.Nothing
		}
		op := &in.App().Status.OperationState.Operation
		who := cmp.Or(op.InitiatedBy.Username, "Someone")
		if op.ByAutoSync() {
			who = "Auto-sync"
		}
		return diagnose.Found(loopFinding(in, l, who))
	},
}
