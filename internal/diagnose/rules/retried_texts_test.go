package rules_test

import "testing"

// TestStepsFitWhatArgoCDWillDo: what a report advises is something that Argo CD lets happen and that ends the failure.
func TestStepsFitWhatArgoCDWillDo(t *testing.T) {
	checkTexts(t, map[string][]string{
		"apply/namespace-missing/option-misspelled":    {"written as createNamespace=True", "correct the sync option"},
		"apply/namespace-missing/options-in-one-entry": {"in one entry with another"},
		"apply/namespace-missing/gone-from-git":        {"No namespace can have this name", "b7e61d0 no longer has ConfigMap/limits", "argocd app terminate-op ledger", "limit: 5"},
		"apply/schema-invalid/retries-old-commit":      {"If b7e61d0 has the fix already, end the retries of 4f1c2d9, then sync"},
		"apply/schema-invalid/own-crd-is-late":         {"live CRD does not know burstPolicy yet", "--resource apiextensions.k8s.io:CustomResourceDefinition:tenantquotas.capacity.example.io"},
		"apply/missing-crd/known-before":               {"If NAMESPACED is false", "If it is not listed, install"},
		"compare/diff-failed/own-crd-is-late":          {"adds the field", "ServerSideDiff=false", "--resource apiextensions.k8s.io:CustomResourceDefinition"},
		"operation/sync-window/all-must-be-open":       {"before version 2.7", "Upgrade Argo CD"},
		"operation/sync-window/first-to-open":          {"until 12:00 UTC", "opens later"},
		"operation/sync-window/last-to-end":            {"until 16:00 UTC", "Another deny window"},
		"operation/sync-window/over-by-now":            {"They do now", "argocd app sync ledger"},
		"operation/stuck/half-written-refused":         {"no other, and there is none to wait for", "/status/operationState"},
		"operation/stuck/half-written":                 {"/status/operationState"},
		"operation/in-progress/over-by-now":            {"the last one is over (Succeeded)"},
	}, map[string]string{
		"apply/namespace-missing/gone-from-git":     "kubectl create namespace",
		"apply/missing-crd/known-before":            "SkipDryRun",
		"apply/schema-invalid/own-crd-is-late":      "in Git; then push",
		"operation/sync-window/all-must-be-open":    "Wait about",
		"operation/stuck/half-written-refused":      "terminate-op",
		"apply/namespace-missing/option-misspelled": "does not set",
	})
}
