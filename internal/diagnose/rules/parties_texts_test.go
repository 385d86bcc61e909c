package rules_test

import "testing"

// TestSaysWhoseItIs: the text names whose fault, file, cluster or operation it is, where the evidence tells.
func TestSaysWhoseItIs(t *testing.T) {
	checkTexts(t, map[string][]string{
		"apply/missing-crd/removed-versions":          {"Kubernetes removed HorizontalPodAutoscaler autoscaling/v2beta2 and Ingress networking.k8s.io/v1beta1", "autoscaling/v2 for HorizontalPodAutoscaler"},
		"apply/namespace-missing/hooks-between-waves": {"between the Namespace and the resources", `sync-wave: "-1"`},
		"apply/forbidden/bound-elsewhere":             {"names the one of namespace argocd", "kubectl patch clusterrolebinding"},
		"apply/forbidden/own-application":             {"(on Argo CD's own cluster)"},
		"apply/schema-invalid/in-crd":                 {"kubectl explain customresourcedefinition.spec.versions.schema.openAPIV3Schema"},
		"operation/sync-window/parked-rolling-sync":   {"the operation goes on by itself", "started by applicationset-controller", "terminate-op"},
		"render/submodule-or-lfs/host-unknown":        {"cannot resolve", "correct the URL in .gitmodules"},
		"render/chart-repository-auth/project-denies": {"sourceRepos of project invoices do not permit it", "argocd proj add-source invoices"},
		"render/helm-template/sops-set-file":          {"rates.sops.json"},
	}, map[string]string{"apply/missing-crd/removed-versions": "provides the CRD", "apply/schema-invalid/in-crd": "explain customresourcedefinition.spec.versions.schema.openAPIV3Schema.", "render/chart-repository-auth/project-denies": "Renew the token", "operation/sync-window/parked-rolling-sync": "started by auto-sync"})
}
