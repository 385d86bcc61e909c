package outofsync

import (
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/drift"
	"github.com/argo-why/argo-why/internal/text"
)

var VPA = &diagnose.Rule{
	ID:    "drift/vpa",
	Needs: needs,
	Doc: diagnose.Doc{
		Title:    "A vertical autoscaler changes the resource requests that Git fixes",
		What:     "Git states requests or limits of a container, and an autoscaler that resizes the workload itself writes others into the same object. (Kubernetes' own VerticalPodAutoscaler changes pods only, and is no drift.) Each sync sets them back and restarts the pods.",
		Decisive: "resources of a container differ, and the vertical autoscaler wrote the live values or targets the resource.",
		Example:  "spec.template.spec.containers[name=api].resources.requests.cpu: Git 500m, live 100m, written by vpa-updater",
		Fix:      "Remove the requests from Git, or ignore them together with RespectIgnoreDifferences=true.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/user-guide/diffing/"},
	},
	Sync:       overwrites("it sets the requests of Git and restarts the pods, until the autoscaler changes them again"),
	Recognises: explains{{byAutoscaler, resizedByVPA}},
	Check: reporting(func(g *explained) diagnose.Finding {
		r, field := g.firstField()
		who, _ := g.scaler("VerticalPodAutoscaler")
		_, told := foreignWriter(&field)
		return diagnose.Finding{
			Confidence: diagnose.CertainIf(told),
			Title:      fmt.Sprintf("%s owns %s", who, g.fieldsLabel()),
			Why:        fmt.Sprintf("%s. %s sets it, and Git states a value, too: each sync sets it back.", g.valuesClause(), text.UpperFirst(who)),
			Fix: []diagnose.Fix{
				g.ignore(true),
				{Text: fmt.Sprintf("Or remove %s from %s in Git%s, or set the autoscaler's updateMode to \"Off\"", field.Path, r.Ref, inGit(g.in))},
			},
		}
	}),
}

func resizedByVPA(in *diagnose.In, d *picture, r *resource, f *drift.Field) bool {
	if !f.Path.Has("resources") || !f.Path.Has("containers") {
		return false
	}
	if o, ok := foreignWriter(f); ok {
		return strings.Contains(o.Manager, "vpa") || strings.Contains(o.Manager, "vertical-pod-autoscaler") || strings.HasPrefix(o.Manager, "recommender")
	}
	// One that only targets the resource proves nothing: Kubernetes' own changes pods, never their owner.
	return len(f.Owners) == 0 && d.scaler(in, "VerticalPodAutoscaler", r) != nil
}
