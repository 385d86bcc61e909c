package outofsync

import (
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/drift"
)

var KEDA = &diagnose.Rule{
	ID:    "drift/keda",
	Needs: needs,
	Doc: diagnose.Doc{
		Title:    "KEDA changes the replicas that Git fixes",
		What:     "Git states a number of replicas, and a ScaledObject of KEDA sets another one: KEDA itself between none and one, through its HorizontalPodAutoscaler above. Each sync sets it back.",
		Decisive: "spec.replicas differs, and a ScaledObject targets the resource or KEDA's operator wrote the live value.",
		Example:  "spec.replicas: Git 1, live 0, written by keda-operator through scale",
		Fix:      "Remove spec.replicas from Git, or ignore it together with RespectIgnoreDifferences=true.",
		Links:    []string{"https://keda.sh/docs/latest/concepts/scaling-deployments/", "https://argo-cd.readthedocs.io/en/stable/user-guide/diffing/"},
	},
	Sync:       overwrites("it scales to the number in Git until KEDA scales again"),
	Recognises: explains{{byAutoscaler, scaledByKEDA}},
	Check:      reporting(func(g *explained) diagnose.Finding { return g.autoscalerFinding("ScaledObject") }),
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
	mayBe := !strange || scaledByHPA(in, d, r, f)
	return mayBe && autoscalerFor(d.scalers, "ScaledObject", r.Ref) != nil
}
