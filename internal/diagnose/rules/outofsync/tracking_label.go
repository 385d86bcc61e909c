package outofsync

import (
	"fmt"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/drift"
)

var TrackingLabel = &diagnose.Rule{
	ID:    "drift/tracking-label",
	Needs: needs,
	Doc: diagnose.Doc{
		Title:    "Argo CD's tracking label was changed",
		What:     "Argo CD marks what belongs to an application with a label (app.kubernetes.io/instance) or an annotation (argocd.argoproj.io/tracking-id). Something else writes the same one: a chart that sets the label itself, an operator that copies labels from parent to child, a second application with the same resource.",
		Decisive: "The differing field is the tracking label or the tracking annotation.",
		Example:  "metadata.annotations[argocd.argoproj.io/tracking-id]: web:/Secret:prod/web in Git, other:/Secret:prod/web in the cluster, written by operator",
		Fix:      "Track by annotation, and stop the other writer from copying it.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/user-guide/resource_tracking/"},
	},
	Sync:       diagnose.Advice{Verdict: diagnose.SyncUnknown, Why: claimAgain},
	Recognises: explains{{byField, tracksResource}},
	Check: reporting(func(g *explained) diagnose.Finding {
		_, field := g.firstField()
		mark, state := "tracking annotation", "changed"
		if field.Path.Under("metadata", "labels") {
			mark = "tracking label"
		}
		claim := claimAgain
		fix := "Find out which tool copies Argo CD's " + mark + " here, and exclude it there (most operators have a setting for that); if the chart sets it, remove it from the chart"
		if !field.InLive {
			state = "missing"
			claim = "it claims the resource for this application, and something else may manage it already"
			fix = "Check what else manages this resource before a sync claims it for this application"
		}
		f := diagnose.Finding{
			Confidence: diagnose.Certain,
			Title:      fmt.Sprintf("%s: %s %s", g.subject(), mark, state),
			Why:        g.valuesClause() + ".",
			Sync:       diagnose.Advice{Verdict: diagnose.SyncUnknown, Why: claim},
			Fix:        []diagnose.Fix{{Text: fix}},
		}
		stripped := g.stripped(&f, mark)
		if o, ok := foreignWriter(&field); ok {
			f.Why += " " + lastWritten(g.in, o) + "."
			f.Sync = overwrites(fmt.Sprintf("it resets the %s, and %s may change it again", mark, managerText(o)))
			if !isPerson(o) {
				f.Fix = []diagnose.Fix{{Text: fmt.Sprintf("Stop %s from copying Argo CD's %s here (most operators have a setting for that)", managerText(o), mark)}}
			}
			if isPerson(o) && o.Manager != "helm" {
				f.Sync = overwrites("it resets the " + mark)
				f.Fix = []diagnose.Fix{{Text: "Sync to reset it", Command: syncOnly(g.in, g.resources)}}
			}
		}
		other := claimedBy(field.Live)
		if other == g.in.App().Metadata.Name {
			other = ""
		}
		o, _ := foreignWriter(&field)
		switch {
		case other != "" && isArgo(ownerOf(field)):
			f.Why += fmt.Sprintf(" Argo CD wrote it, for application %s, which deploys the same resource.", other)
			f.Sync = diagnose.Advice{Verdict: diagnose.SyncUnknown, Why: fmt.Sprintf("it takes the resource from application %s, which will take it back", other)}
			f.Fix = []diagnose.Fix{{Text: fmt.Sprintf("Remove it in Git from one of the two applications, %s or %s", g.in.App().Metadata.Name, other)}}
		case other != "" && o.Manager == "helm":
			f.Why += " Charts set this label to the name of the release."
			f.Fix = []diagnose.Fix{{Text: fmt.Sprintf("Deploy it with only one of the two, Argo CD or helm (release %s)", other)}}
		case other != "":
			f.Why += fmt.Sprintf(" The live value assigns the resource to application %s.", other)
		}
		if strings.Contains(lastField(field.Path), "instance") && !stripped {
			f.Fix = append(f.Fix, trackByAnnotation(g.in, "Or track the resources of all applications by annotation instead of by that label"))
		}
		f.Fix = append(f.Fix, seeDiff(g.in))
		return f
	}),
}

// stripped adds to a finding about a missing mark who most likely removed it: a person's tool that has applied the resource since Argo CD
// did, from a manifest without the mark.
func (g *explained) stripped(f *diagnose.Finding, mark string) bool {
	r, field := g.firstField()
	if field.InLive {
		return false
	}
	o, _ := personOf(r, &field)
	if o.Manager == "" || !slices.ContainsFunc(r.owners(), isArgo) { // else it never had one
		return false
	}
	n := len(g.resources)
	f.Confidence = diagnose.Likely
	f.Why += fmt.Sprintf(" %s last changed with %s%s, outside Argo CD: a manifest without the %s removes it.", verb(n, "The resource was", "The resources were"), whoWrote(o), agoClause(g.in, o.Time), mark)
	f.Fix = []diagnose.Fix{
		{Text: fmt.Sprintf("Find who or what runs %s on %s (a pipeline, a script) and stop it: Git is applied by Argo CD", whoWrote(o), them(n))},
		{Text: fmt.Sprintf("Then sync to set the %s again", mark), Command: syncOnly(g.in, g.resources)},
	}
	f.Sync = overwrites(fmt.Sprintf("it sets the %s again and undoes what else was changed with %s", mark, whoWrote(o)))
	return true
}

// claimAgain is what a sync does to a mark that something else has changed.
const claimAgain = "it claims the resource for this application, but whatever set the other value may set it again"

func tracksResource(in *diagnose.In, d *picture, r *resource, f *drift.Field) bool {
	if len(f.Path) != 3 || !f.Path.Under("metadata") || !f.InLive && len(r.Fields) > 1 && writtenByPerson(in, d, r, f) {
		return false // a manifest that a person applies does not have the mark: what that changed is another rule's
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

// trackByAnnotation is the step that makes Argo CD find its resources by an annotation.
func trackByAnnotation(in *diagnose.In, step string) diagnose.Fix {
	return advice.Config("application.resourceTrackingMethod").Set(in, step+":", "annotation")
}
