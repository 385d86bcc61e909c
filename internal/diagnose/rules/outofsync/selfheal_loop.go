package outofsync

import (
	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
)

var SelfhealLoop = &diagnose.Rule{
	ID:              "drift/selfheal-loop",
	Needs:           needs,
	ExplainedByEach: keepsComingBack,
	Doc: diagnose.Doc{
		Title:    "Self-heal syncs over and over",
		What:     "Self-heal applies Git as soon as something differs, and it differs again: a controller, a person or a second application changes it back, or the chart renders other values each time. The application flaps between Synced and OutOfSync, and each round may restart pods.",
		Decisive: "Self-heal is on, and the history has the same commit over and over within minutes, or the operation counts its self-heal attempts.",
		Example:  "synced 3f2a91c at least 10 times, about every 60 s",
		Fix:      "Let only one of the two set the field: remove it from Git, or ignore it with RespectIgnoreDifferences=true.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/user-guide/auto_sync/#automatic-self-healing"},
	},
	Sync: overwrites("the change has come back after every sync so far"),
	Check: func(in *diagnose.In) diagnose.Outcome {
		l, ok := findLoop(in)
		if !ok || !selfHeals(in) {
			return diagnose.Nothing
		}
		f := loopFinding(in, l, "Self-heal")
		f.Fix = append(f.Fix, automate(in, "Until then, stop the loop by turning off self-heal", diagnose.Shell("argocd app set %s --self-heal=false", advice.AppName(in)), map[string]bool{"selfHeal": false}))
		return diagnose.Found(f)
	},
}
