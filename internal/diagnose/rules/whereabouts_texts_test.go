package rules_test

import "testing"

// What is missing has a namespace and a maker, and a step does not break something else.
func TestWhatIsMissingIsFoundWhereItIs(t *testing.T) {
	for name, want := range map[string][]string{
		"health/service-account-missing/other-namespace":       {"only in namespace default", "namespace: kube-system", "!This application creates it"},
		"health/volume-pending/custom-resource-without-health": {"olume is bound to another zone or node", "!all of its resources are healthy"},
		"drift/hpa/metrics-fail-as-well":                       {"Its minimum is 2, so the two never agree", "synced this commit again 188 times", "only keeps it within minReplicas and maxReplicas"},
		"health/crash-loop/copy-into-volume":                   {"which is mounted at /data", "fsGroup", "!it is on no volume"},
		"health/config-missing/kubelet-directory":              {"the kubelet or the container runtime cannot create a path", "cordon k0s-ctrl-0", "!subPath in Git"},
		"hook/ordering/claim-with-own-volume":                  {"PersistentVolume/vision-models-pv", "move what the hook needs to its wave, -1"},
		"wave/blocked/sealed-secret-in-newer-commit":           {"SealedSecret/alert-hook in this application makes it", "which Git has since", "!Create Secret", "!If the fix is in Git"},
		"health/external-secret/empty-strategy":                {"that value is empty", "set decodingStrategy", "!leave it out"},
		"drift/controller-owned/required-field":                {"Set the live value", "!If Git does not need its own value"},
	} {
		t.Run(name, func(t *testing.T) {
			says(t, name, want)
		})
	}
}
