package outofsync

import (
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/drift"
	"github.com/argo-why/argo-why/internal/evidence"
)

var KEDA = &diagnose.Rule{
	ID:      "drift/keda",
	Needs:   needs,
	Outside: []evidence.Outside{evidence.OutsideScaledObject, evidence.OutsideHPA},
	Doc: diagnose.Doc{
		Title:    "KEDA and Git both set the replicas",
		What:     "Git sets a number of replicas, and a KEDA ScaledObject sets another one: KEDA itself scales between zero and one, its HorizontalPodAutoscaler above that. Every sync scales back.",
		Decisive: "spec.replicas differs, and a ScaledObject targets the resource or KEDA's operator wrote the live value.",
		Example:  "spec.replicas: 1 in Git, 0 in the cluster, written by keda-operator (scale)",
		Fix:      "Ignore spec.replicas together with RespectIgnoreDifferences=true, then remove it from Git.",
		Links:    []string{"https://keda.sh/docs/latest/concepts/scaling-deployments/", "https://argo-cd.readthedocs.io/en/stable/user-guide/diffing/"},
	},
	Sync:       overwrites("it sets replicas back to the number in Git until KEDA scales again"),
	Recognises: explains{{byAutoscaler, scaledByKEDA}},
	Check:      reporting(func(g *explained) diagnose.Finding { return g.autoscalerFinding("ScaledObject", "KEDA") }),
}

// scaledByKEDA: its operator scales to and from zero, its HorizontalPodAutoscaler beyond that.
func scaledByKEDA(in *diagnose.In, d *picture, r *resource, f *drift.Field) bool {
	if !isReplicas(f) {
		return false
	}
	o, strange := foreignWriter(f)
	if strange && strings.Contains(o.Manager, "keda") {
		return true
	}
	switch {
	case strange && !scaledByHPA(in, d, r, f):
		return false
	case autoscalerFor(d.scalers, "ScaledObject", r.Ref) != nil:
		return true
	}
	return isOfKEDA(d.anyScaler(in, "HorizontalPodAutoscaler", r.Ref))
}

// isOfKEDA reports whether a HorizontalPodAutoscaler is one that KEDA made for a ScaledObject.
func isOfKEDA(hpa evidence.Object) bool {
	if hpa == nil {
		return false
	}
	return strings.HasPrefix(hpa.Ref().Name, "keda-hpa-") || slices.ContainsFunc(hpa.List("metadata", "ownerReferences"), func(o evidence.Object) bool { return o.Text("kind") == "ScaledObject" })
}
