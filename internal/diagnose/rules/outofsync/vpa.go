package outofsync

import (
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/drift"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

var VPA = &diagnose.Rule{
	ID:      "drift/vpa",
	Needs:   needs,
	Outside: []evidence.Outside{evidence.OutsideVPA},
	Doc: diagnose.Doc{
		Title:    "VPA and Git both set resource requests",
		What:     "Git sets requests or limits of a container, and an autoscaler that resizes the workload itself writes others into the same object. (Kubernetes' own VerticalPodAutoscaler changes only pods, which is not drift.) Every sync sets them back and restarts the pods.",
		Decisive: "The resources of a container differ, and the vertical autoscaler wrote the live values or targets the resource.",
		Example:  "spec.template.spec.containers[name=api].resources.requests.cpu: 500m in Git, 100m in the cluster, written by vpa-updater",
		Fix:      "Remove the requests from Git, or ignore them together with RespectIgnoreDifferences=true.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/user-guide/diffing/"},
	},
	Sync:       overwrites("it resets the requests to what Git has and restarts the pods, until the autoscaler changes them again"),
	Recognises: explains{{byAutoscaler, resizedByVPA}},
	Check: reporting(func(g *explained) diagnose.Finding {
		_, field := g.firstField()
		who, _ := g.scaler("VerticalPodAutoscaler")
		o, stated := foreignWriter(&field)
		if stated && !isVPA(o) {
			return g.resizedBy(o)
		}
		f := diagnose.Finding{
			Confidence: diagnose.CertainIf(stated),
			Title:      fmt.Sprintf("%s: VPA changed %s", g.subject(), g.fieldsLabel()),
			Why:        fmt.Sprintf("%s. %s sets %s, but Git does as well%s.", g.valuesClause(), text.UpperFirst(who), them(g.countFields()), g.unlessKept(": every sync sets "+them(g.countFields())+" back")),
			Fix: []diagnose.Fix{
				g.ignore(true),
				{Text: fmt.Sprintf("Or remove %s from %s, or set the autoscaler's updateMode to \"Off\"", g.paths(), g.manifest())},
			},
		}
		if live, desired, ok := g.titleValues(); ok {
			f.Title = fmt.Sprintf("%s: VPA set %s to %s, Git says %s", g.subject(), field.Path.Tail(titleField), live, desired)
			f.Why = fmt.Sprintf("%s sets %s, but Git does as well%s.", text.UpperFirst(who), field.Path.Short(), g.unlessKept(": every sync sets it back"))
			f.Sync = overwrites(fmt.Sprintf("%s and restarts the pods, until the autoscaler changes it again", g.resets()))
		}
		return f
	}),
}

// resizedBy is the finding about requests that another tool than the VPA wrote, after its recommendation or in its name.
func (g *explained) resizedBy(o drift.Owner) diagnose.Finding {
	n, manager := g.countFields(), managerText(o)
	f := diagnose.Finding{
		Confidence: diagnose.Certain,
		Title:      fmt.Sprintf("%s: %s changed %s", g.subject(), manager, g.fieldsLabel()),
		Why:        fmt.Sprintf("%s. %s.", g.valuesClause(), lastWritten(g.in, o)),
		Sync:       overwrites(fmt.Sprintf("%s and restarts the pods, until %s changes %s again", g.resets(), manager, them(n))),
		Fix: []diagnose.Fix{
			g.ignore(true),
			or(g.commit(fmt.Sprintf("Let %s write its values to Git instead of the cluster, or set %s", manager, verb(n, "the live value", "the live values")))),
		},
	}
	if vpa := g.picture.anyScaler(g.in, "VerticalPodAutoscaler", g.resources[0].Ref); vpa != nil {
		f.Why += fmt.Sprintf(" %s targets it%s.", vpa.Ref(), modeText(vpa))
	}
	return f
}

// modeText says of a VPA that only recommends that it does.
func modeText(vpa evidence.Object) string {
	if vpa.Text("spec", "updatePolicy", "updateMode") == "Off" {
		return " in mode Off: it only recommends values"
	}
	return ""
}

// isVPA: a part of a vertical autoscaler itself.
func isVPA(o drift.Owner) bool {
	for _, part := range []string{"vpa-updater", "vpa-recommender", "vpa-admission", "vertical-pod-autoscaler", "verticalpodautoscaler"} {
		if strings.Contains(o.Manager, part) {
			return true
		}
	}
	return o.Manager == "vpa" || strings.HasPrefix(o.Manager, "recommender")
}

func resizedByVPA(in *diagnose.In, d *picture, r *resource, f *drift.Field) bool {
	if !f.Path.Has("resources") || !f.Path.Has("containers") {
		return false
	}
	if o, ok := foreignWriter(f); ok {
		return isVPA(o) || strings.Contains(o.Manager, "vpa")
	}
	// One that only targets the resource proves nothing: Kubernetes' own changes pods, never their owner.
	if len(f.Owners) > 0 {
		return false
	}
	vpa := d.scaler(in, "VerticalPodAutoscaler", r)
	return vpa != nil && vpa.Text("spec", "updatePolicy", "updateMode") != "Off"
}
