package outofsync

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

// orUncompared is a check of [AutosyncOff] that also answers where nobody knows which fields differ, as in a file that kubectl wrote: that
// another revision was synced than was compared is in the Application.
func orUncompared(check func(*diagnose.In) diagnose.Outcome) func(*diagnose.In) diagnose.Outcome {
	return func(in *diagnose.In) diagnose.Outcome {
		if d := look(in); d != nil && !d.compared && !d.beside {
			if f, ok := newerUncompared(in); ok {
				return diagnose.Found(f)
			}
		}
		return check(in)
	}
}

// newerUncompared is what the revisions say by themselves. What is to be pruned, or was synced before, has another cause.
func newerUncompared(in *diagnose.In) (diagnose.Finding, bool) {
	app := in.App()
	last, at := lastSynced(app)
	now := app.Status.Sync.At()
	var differ []string
	for _, r := range app.Status.Resources {
		if r.Status == "OutOfSync" && !r.Hook && !r.RequiresPruning {
			differ = append(differ, r.Ref().String())
		}
	}
	before := slices.ContainsFunc(app.Status.History, func(d evidence.Deployment) bool { return d.At() == now })
	if app.AutoSync() || last == "" || now == "" || last == now || before || len(differ) == 0 {
		return diagnose.Finding{}, false
	}
	was, is := evidence.Differing(last, now)
	moved := diagnose.MovedOn(app, last, now)
	if isChart(in) {
		moved = "the application now asks for " + text.Revision(is)
	}
	return diagnose.Finding{
		Confidence: diagnose.Likely,
		Title:      text.Revision(is) + " not synced yet",
		Why:        fmt.Sprintf("%s was synced last%s; %s. Auto-sync is off. Out of sync: %s.", text.Revision(was), agoClause(in, at), moved, text.List(differ, maxDiffering)),
		Evidence:   []diagnose.Quote{{From: "status.sync", Text: "OutOfSync, compared with " + text.Revision(now)}},
		Fix:        []diagnose.Fix{seeDiff(in), advice.Sync(in, "Sync the application"), turnOn(in)},
		Sync:       diagnose.Advice{Verdict: diagnose.SyncUnknown, Why: "which fields differ is not known here: see the diff first"},
	}, true
}

// maxDiffering is how many resources a sentence names.
const maxDiffering = 3

// lastSynced is the revision that was synced last and when: as the history has it, else the last operation.
func lastSynced(app *evidence.Application) (revision string, at evidence.Time) {
	if last := app.LastDeployment(); last != nil {
		return last.At(), last.DeployedAt
	}
	if op := app.Status.OperationState; op != nil && op.Phase == evidence.OperationSucceeded && !op.DryRun() {
		return op.Revision(), evidence.Time{Time: cmp.Or(op.FinishedAt.Time, op.StartedAt.Time)}
	}
	return "", evidence.Time{}
}

// turnOn is the step that has Argo CD sync by itself.
func turnOn(in *diagnose.In) diagnose.Fix {
	return automate(in, "Or turn on auto-sync, which does this automatically", diagnose.Shell("argocd app set %s --sync-policy automated", advice.AppName(in)), map[string]bool{"prune": false})
}
