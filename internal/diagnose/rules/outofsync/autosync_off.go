package outofsync

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/drift"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

var AutosyncOff = &diagnose.Rule{
	ID:    "drift/autosync-off",
	Needs: needs,
	Doc: diagnose.Doc{
		Title:    "Newer commit not synced yet",
		What:     "Git has moved on since the last sync, and the application has no auto-sync: nothing is wrong, but nobody has pressed Sync.",
		Decisive: "The live state is what was applied last, Git has something else, the compared revision is not the one that was synced last, and there is no automated sync policy.",
		Example:  "spec.template.spec.containers[name=web].image: web:1.3 in Git, web:1.2 in the cluster, written by argocd-controller",
		Fix:      "Check the diff and sync; or turn on auto-sync.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/user-guide/auto_sync/"},
	},
	Sync:       diagnose.Advice{Verdict: diagnose.SyncSafe, Why: "it applies the commit that is in Git but not yet in the cluster"},
	Recognises: explains{{byCommit, changedInGit}},
	Check: orUncompared(reporting(func(g *explained) diagnose.Finding {
		f := waitsForSync(g)
		if g.in.App().AutoSync() {
			f = f.ReportedAs(g.rule.MayReportAs)
			f.Role, f.Kind = diagnose.RoleNote, diagnose.KindUnderWay // auto-sync is about to apply it
			f.Title = strings.Replace(f.Title, ", not synced yet", ", about to be synced", 1)
			f.Fix = []diagnose.Fix{seeDiff(g.in), advice.Sync(g.in, "To apply it without waiting for auto-sync, sync")}
			f.Sync = diagnose.Advice{Verdict: diagnose.SyncSafe, Why: "auto-sync is about to do the same"}
		}
		return f
	})),
}

func waitsForSync(g *explained) diagnose.Finding {
	st := g.in.App().Status
	ofApplication := !g.in.App().MovedOn() && sourceChanged(g.in)
	what := g.howCommitted()
	if ofApplication {
		what = "changed in the Application"
	}
	f := diagnose.Finding{
		Confidence: diagnose.Likely,
		Title:      fmt.Sprintf("%s: %s %s, not synced yet", g.subject(), g.fieldsLabel(), what),
		Why:        g.valuesClause() + ". The cluster has what Argo CD applied last",
		Fix: []diagnose.Fix{
			seeDiff(g.in),
			advice.Sync(g.in, g.whenToSync()),
			turnOn(g.in),
		},
	}
	now := st.Sync.At()
	moved := "Git has since moved on to " + cmp.Or(text.Revision(now), "another commit")
	if last, at := lastSynced(g.in.App()); !at.IsZero() {
		was, is := evidence.Differing(last, now)
		if now != "" {
			moved = diagnose.MovedOn(g.in.App(), last, now)
		}
		f.Why += " (" + strings.TrimPrefix(text.Revision(was)+", synced"+agoClause(g.in, at), ", ") + ")"
		now = is
	}
	switch {
	case ofApplication:
		f.Why = desiredState(g.valuesClause()) + strings.TrimPrefix(f.Why, g.valuesClause()) + "; the Application's own values or parameters have changed since."
		f.Sync = diagnose.Advice{Verdict: diagnose.SyncSafe, Why: "it applies what the Application's own values or parameters render to now"}
	case isChart(g.in):
		f.Why += fmt.Sprintf("; the application now asks for %s.", cmp.Or(text.Revision(now), "another version"))
	default:
		f.Why += "; " + moved + "."
	}
	if !g.in.App().AutoSync() {
		f.Why += " Auto-sync is off."
	}
	if r, field := g.firstField(); serverSideApplied(r) && mayBeSet(&field) {
		f.Sync = diagnose.Advice{Verdict: diagnose.SyncUnknown, Why: "with server-side apply, nothing shows whether Git changed the field or a webhook sets it"}
	}
	return f
}

// howCommitted is what a commit did to all fields.
func (g *explained) howCommitted() string {
	switch g.howWritten() { // seen from the cluster, it is the other way round
	case "added":
		return "removed from Git"
	case "removed":
		return "added to Git"
	}
	return "changed in Git"
}

// whenToSync is the step of a sync: it also undoes what other rules say is overwritten.
func (g *explained) whenToSync() string {
	for _, r := range g.picture.resources {
		for id := range r.byRule {
			if id != g.rule.ID {
				return "Once the other differences are settled, sync the application"
			}
		}
	}
	return "Sync the application"
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

// changedInGit: what Git has is not what was applied, because there is a newer commit.
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
