package outofsync

import (
	"fmt"
	"slices"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/drift"
	"github.com/argo-why/argo-why/internal/text"
)

var AutosyncOff = &diagnose.Rule{
	ID:    "drift/autosync-off",
	Needs: needs,
	Doc: diagnose.Doc{
		Title:    "A newer commit waits to be synced by hand",
		What:     "Git has moved on since the last sync, and the application has no auto-sync: nothing is wrong, nobody has pressed Sync.",
		Decisive: "What is live is what was applied last, Git wants something else, the compared revision is not the one synced last, and there is no automated sync policy.",
		Example:  "spec.template.spec.containers[name=web].image: Git web:1.3, live web:1.2, applied by argocd-controller",
		Fix:      "Look at the difference and sync; or switch auto-sync on.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/user-guide/auto_sync/"},
	},
	Sync:       diagnose.Advice{Verdict: diagnose.SyncSafe, Why: "it applies the commit that Git has and the cluster has not"},
	Recognises: explains{{byCommit, changedInGit}},
	Check: reporting(func(g *explained) diagnose.Finding {
		f := waitsForSync(g)
		if g.in.App().AutoSync() {
			f = f.ReportedAs(g.rule.MayReportAs)
			f.Role, f.Kind = diagnose.RoleNote, diagnose.KindUnderWay // auto-sync is about to apply it
			f.Title = "a newer commit is about to be synced: " + f.Title
			f.Sync = diagnose.Advice{Verdict: diagnose.SyncSafe, Why: "auto-sync is about to do the same"}
		}
		return f
	}),
}

func waitsForSync(g *explained) diagnose.Finding {
	st := g.in.App().Status
	synced := ""
	if last := g.in.App().LastDeployment(); last != nil {
		synced = fmt.Sprintf(" %s was synced last%s.", text.Revision(last.Revision), agoClause(g.in, last.DeployedAt))
	}
	f := diagnose.Finding{
		Confidence: diagnose.Likely,
		Title:      fmt.Sprintf("Git changed %s, and nobody has synced it", g.fieldsLabel()),
		Why:        fmt.Sprintf("%s. The live value is what Argo CD applied last; Git is at %s by now.%s The application has no auto-sync.", g.valuesClause(), text.Revision(st.Sync.Revision), synced),
		Fix: []diagnose.Fix{
			seeDiff(g.in),
			advice.Sync(g.in, "Sync"),
			{Text: "Or have Argo CD do so itself", Command: diagnose.Shell("argocd app set %s --sync-policy automated", advice.AppName(g.in))},
		},
	}
	if r, field := g.firstField(); serverSideApplied(r) && mayBeSet(&field) {
		f.Sync = diagnose.Advice{Verdict: diagnose.SyncUnknown, Why: "whether Git changed it or a webhook sets it cannot be told under server-side apply"}
	}
	return f
}

// mayBeSet are fields that Git and webhooks change alike.
func mayBeSet(f *drift.Field) bool {
	for _, name := range []string{"resources", "securityContext", "tolerations", "affinity", "nodeSelector", "command", "args"} {
		if f.Path.Has(name) {
			return true
		}
	}
	return false
}

// changedInGit: what Git wants is not what was applied, because there is a newer commit.
func changedInGit(in *diagnose.In, d *picture, r *resource, f *drift.Field) bool {
	return isRenderedDifferently(r, f) && !isRandom(in, d, r, f)
}

// WaitsForSync reports whether a sync would cure some of the difference: something is missing, or Git changed a field.
// True as well where that is not known.
func WaitsForSync(in *diagnose.In) bool {
	d := look(in)
	if d == nil || !d.compared || len(d.gone) > 0 || selfHeals(in) {
		return true
	}
	return slices.ContainsFunc(d.resources, func(r *resource) bool { return len(r.explainedBy(AutosyncOff)) > 0 })
}
