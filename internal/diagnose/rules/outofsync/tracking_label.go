package outofsync

import (
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/drift"
)

var TrackingLabel = &diagnose.Rule{
	ID:    "drift/tracking-label",
	Needs: needs,
	Doc: diagnose.Doc{
		Title:    "The mark by which Argo CD knows its resources is changed",
		What:     "Argo CD marks what belongs to an application with a label (app.kubernetes.io/instance) or an annotation (argocd.argoproj.io/tracking-id). Something else writes the same mark: a chart that sets the label itself, an operator that copies labels from parent to child, a second application with the same resource.",
		Decisive: "The differing field is the tracking label or the tracking annotation.",
		Example:  "metadata.annotations[argocd.argoproj.io/tracking-id]: Git web:/Secret:prod/web, live other:/Secret:prod/web, written by operator",
		Fix:      "Track by annotation, and keep the other writer from copying the mark.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/user-guide/resource_tracking/"},
	},
	Sync:       diagnose.Advice{Verdict: diagnose.SyncUnknown, Why: "it claims the resource for this application; whoever marks it otherwise may do so again"},
	Recognises: explains{{byField, tracksResource}},
	Check: reporting(func(g *explained) diagnose.Finding {
		r, field := g.firstField()
		f := diagnose.Finding{
			Confidence: diagnose.Certain,
			Title:      fmt.Sprintf("the tracking mark of %s is changed", r.Ref),
			Why:        g.valuesClause() + ".",
			Fix: []diagnose.Fix{
				{Text: "Keep whatever copies labels and annotations from doing so with Argo CD's (most operators have a setting for it), or take the label out of the chart"},
			},
		}
		if o, ok := foreignWriter(&field); ok {
			f.Title += " by " + o.Manager
			f.Why += fmt.Sprintf(" %s wrote it%s.", o.Manager, agoClause(g.in, o.Time))
			f.Sync = overwrites("it takes the mark back, and " + o.Manager + " may change it again")
			if isPerson(o) && o.Manager != "helm" {
				f.Sync = overwrites("it takes back the mark that was changed by hand")
				f.Fix = []diagnose.Fix{{Text: "Take it back: sync", Command: syncOnly(g.in, g.resources)}}
			}
		}
		if other := claimedBy(field.Live); other != "" && other != g.in.App().Metadata.Name {
			f.Why += fmt.Sprintf(" By this mark the resource belongs to application %s.", other)
		}
		if strings.Contains(lastField(field.Path), "instance") {
			f.Fix = append(f.Fix, diagnose.Fix{Text: "Track by annotation instead of by that label: in argocd-cm", Patch: "data:\n  application.resourceTrackingMethod: annotation\n"})
		}
		f.Fix = append(f.Fix, seeDiff(g.in))
		return f
	}),
}

func tracksResource(in *diagnose.In, d *picture, r *resource, f *drift.Field) bool {
	if len(f.Path) != 3 || !f.Path.Under("metadata") || !f.InLive && writtenByPerson(in, d, r, f) {
		return false // who applies a manifest by hand leaves the mark out
	}
	switch f.Path.Last() {
	case "argocd.argoproj.io/tracking-id", "argocd.argoproj.io/instance", "app.kubernetes.io/instance", "argocd.argoproj.io/installation-id":
		return true
	}
	return false
}

// claimedBy is the application that a tracking mark names: "web:apps/Deployment:prod/web", or just "web".
func claimedBy(mark any) string {
	s, _ := mark.(string)
	name, _, _ := strings.Cut(s, ":")
	return name
}
