package outofsync

import (
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/drift"
)

var HPA = &diagnose.Rule{
	ID:    "drift/hpa",
	Needs: needs,
	Doc: diagnose.Doc{
		Title:    "An autoscaler changes the replicas that Git fixes",
		What:     "Git states a number of replicas, and a HorizontalPodAutoscaler sets another one. Each sync sets it back, and the autoscaler scales again: the application is never Synced for long, and every sync throws pods away under load.",
		Decisive: "spec.replicas differs; the live value was written through the scale subresource by kube-controller-manager, or a HorizontalPodAutoscaler targets the resource.",
		Example:  "spec.replicas: Git 1, live 3, written by kube-controller-manager through scale",
		Fix:      "Remove spec.replicas from Git, or ignore it together with RespectIgnoreDifferences=true.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/user-guide/diffing/", "https://argo-cd.readthedocs.io/en/stable/user-guide/sync-options/#respect-ignore-difference-configs"},
	},
	Sync:       overwrites("it scales to the number in Git until the autoscaler scales again"),
	Recognises: explains{{byAutoscaler, scaledByHPA}},
	Check:      reporting(func(g *explained) diagnose.Finding { return g.autoscalerFinding("HorizontalPodAutoscaler") }),
}

// scaledByHPA: the horizontal autoscaler is a part of kube-controller-manager and the only one that writes the scale
// subresource there.
func scaledByHPA(in *diagnose.In, d *picture, r *resource, f *drift.Field) bool {
	if !isReplicas(f) {
		return false
	}
	if o, ok := foreignWriter(f); ok {
		return o.Manager == "kube-controller-manager" && o.Subresource == "scale" || strings.Contains(o.Manager, "horizontal-pod-autoscaler")
	}
	return d.scaler(in, "HorizontalPodAutoscaler", r) != nil
}
