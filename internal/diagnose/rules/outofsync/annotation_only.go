package outofsync

import (
	"fmt"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/drift"
)

var AnnotationOnly = &diagnose.Rule{
	ID:    "drift/annotation-only",
	Needs: needs,
	Doc: diagnose.Doc{
		Title:    "Only bookkeeping metadata differs",
		What:     "Git contains annotations or labels that controllers use for their own bookkeeping (the revision of a Deployment, the last applied configuration, the status of a cloud load balancer), with an older value. The resource itself matches Git.",
		Decisive: "The differing fields are annotations or labels of the object itself whose names are known as a controller's or tool's own, or that a controller wrote.",
		Example:  "metadata.annotations[deployment.kubernetes.io/revision]: 1 in Git, 4 in the cluster",
		Fix:      "Remove the annotation from Git, or ignore exactly that one.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/user-guide/diffing/"},
	},
	Sync:       advice.Pointless("a controller sets it, and nothing else differs"),
	Recognises: explains{{byKnownName, isKnownBookkeeping}, {byMetadata, isBookkeeping}},
	Check: reporting(func(g *explained) diagnose.Finding {
		_, field := g.firstField()
		f := diagnose.Finding{
			Confidence: diagnose.Certain,
			Title:      g.subject() + ": only bookkeeping metadata differs",
			Why:        g.valuesClause() + ". This is bookkeeping, not a setting: nothing that runs depends on it.",
			Fix:        g.either(diagnose.Fix{Text: fmt.Sprintf("Remove %s from %s", g.paths(), g.manifest())}, g.ignore(true)),
		}
		if o := ownerOf(field); o.Manager != "" && !isArgo(o) {
			f.Why = fmt.Sprintf("%s. %s, for its own bookkeeping.", g.valuesClause(), lastWritten(g.in, o))
		} else {
			f.Sync = advice.Pointless("this metadata will be written again, and nothing else differs")
		}
		return f
	}),
}

// bookkeeping are annotations and labels that only controllers write, by how their names begin. Those that set something
// as well (service.kubernetes.io/topology-mode), are not among them.
var bookkeeping = []string{
	drift.LastApplied, "deployment.kubernetes.io/", "deprecated.daemonset.template.generation", "kubernetes.io/change-cause",
	"autoscaling.alpha.kubernetes.io/conditions", "autoscaling.alpha.kubernetes.io/current-metrics", "control-plane.alpha.kubernetes.io/leader",
	"endpoints.kubernetes.io/last-change", "pv.kubernetes.io/", "volume.kubernetes.io/", "volume.beta.kubernetes.io/storage-provisioner", "batch.kubernetes.io/",
	"ingress.kubernetes.io/backends", "ingress.kubernetes.io/forwarding-rule", "ingress.kubernetes.io/target-proxy", "ingress.kubernetes.io/url-map",
	"cloud.google.com/neg-status", "field.cattle.io/publicEndpoints", "objectset.rio.cattle.io/", "lifecycle.cattle.io/", "cattle.io/timestamp", "meta.helm.sh/",
	"controller-gen.kubebuilder.io/version", "openshift.io/sa.scc.", "crossplane.io/external-create-", "cni.projectcalico.org/pod", "k8s.v1.cni.cncf.io/network-status",
	"kapp.k14s.io/identity", "kapp.k14s.io/original", "kopf.zalando.org/last-handled-configuration", "rollout.argoproj.io/revision",
}

// isKnownBookkeeping: an annotation or label of the object itself that is known as a controller's.
func isKnownBookkeeping(_ *diagnose.In, _ *picture, _ *resource, f *drift.Field) bool {
	if o, ok := foreignWriter(f); ok && isPerson(o) && o.Manager != "rancher" { // whose server writes under the name of its UI
		return false
	}
	return isMetadata(f) && slices.ContainsFunc(bookkeeping, func(name string) bool { return strings.HasPrefix(f.Path.Last(), name) })
}

// isBookkeeping: an annotation or label of the object itself that a controller wrote.
func isBookkeeping(_ *diagnose.In, _ *picture, _ *resource, f *drift.Field) bool {
	_, strange := foreignWriter(f)
	return isMetadata(f) && strange
}

func isMetadata(f *drift.Field) bool {
	return f.Path.Under("metadata", "annotations") || f.Path.Under("metadata", "labels")
}
