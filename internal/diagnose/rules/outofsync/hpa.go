package outofsync

import (
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/drift"
	"github.com/argo-why/argo-why/internal/evidence"
)

var HPA = &diagnose.Rule{
	ID:      "drift/hpa",
	Needs:   needs,
	Outside: []evidence.Outside{evidence.OutsideHPA},
	Doc: diagnose.Doc{
		Title:    "Autoscaler and Git both set the replicas",
		What:     "Git sets a number of replicas, and a HorizontalPodAutoscaler sets another one. Every sync scales back, and the autoscaler scales again: the application never stays Synced for long, and every sync under load removes pods.",
		Decisive: "spec.replicas differs; the live value was written through the scale subresource by kube-controller-manager, or a HorizontalPodAutoscaler targets the resource.",
		Example:  "spec.replicas: 1 in Git, 3 in the cluster, written by kube-controller-manager (scale)",
		Fix:      "Ignore spec.replicas together with RespectIgnoreDifferences=true, then remove it from Git.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/user-guide/diffing/", "https://argo-cd.readthedocs.io/en/stable/user-guide/sync-options/#respect-ignore-difference-configs"},
	},
	Sync:       overwrites("it sets replicas back to the number in Git until the HPA scales again"),
	Recognises: explains{{byAutoscaler, scaledByHPA}},
	Check:      reporting(func(g *explained) diagnose.Finding { return g.autoscalerFinding("HorizontalPodAutoscaler", "the HPA") }),
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
