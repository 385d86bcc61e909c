package drift

import "slices"

// defaults are the values that the API server fills in where a manifest leaves a field out, by the field's name: of the built-in
// kinds (zz_generated.defaults.go and pkg/apis/*/defaults.go of Kubernetes), and of custom resources that are used everywhere.
var defaults = map[string][]any{
	"podManagementPolicy": {"OrderedReady"}, "revisionHistoryLimit": {10.0}, "progressDeadlineSeconds": {600.0},
	"maxSurge": {"25%", 0.0, 1.0}, "maxUnavailable": {"25%", 1.0}, "partition": {0.0}, "whenDeleted": {"Retain"}, "whenScaled": {"Retain"},
	"restartPolicy": {"Always"}, "schedulerName": {"default-scheduler"}, "dnsPolicy": {"ClusterFirst"}, "terminationGracePeriodSeconds": {30.0},
	"terminationMessagePath": {"/dev/termination-log"}, "terminationMessagePolicy": {"File"}, "imagePullPolicy": {"IfNotPresent", "Always"},
	"defaultMode": {420.0}, "divisor": {"0"}, "recursiveReadOnly": {"Disabled"}, "enableServiceLinks": {true},
	"periodSeconds": {10.0}, "successThreshold": {1.0}, "failureThreshold": {3.0}, "timeoutSeconds": {1.0, 10.0, 30.0}, "scheme": {"HTTP"},
	"protocol": {"TCP"}, "sessionAffinity": {"None"}, "internalTrafficPolicy": {"Cluster"}, "externalTrafficPolicy": {"Cluster"}, "ipFamilyPolicy": {"SingleStack"},
	"type": {"ClusterIP", "RollingUpdate", "Opaque"}, "volumeMode": {"Filesystem"}, "reclaimPolicy": {"Delete"}, "volumeBindingMode": {"Immediate"},
	"backoffLimit": {6.0}, "completions": {1.0}, "parallelism": {1.0}, "completionMode": {"NonIndexed"}, "podReplacementPolicy": {"TerminatingOrFailed"},
	"concurrencyPolicy": {"Allow"}, "failedJobsHistoryLimit": {1.0}, "successfulJobsHistoryLimit": {3.0},
	"matchPolicy": {"Equivalent"}, "failurePolicy": {"Fail"}, "reinvocationPolicy": {"Never"}, "scope": {"*"},
	"apiVersion": {"v1"}, "kind": {"PersistentVolumeClaim"}, "nodeAffinityPolicy": {"Honor"}, "nodeTaintsPolicy": {"Ignore"},
	"preemptionPolicy": {"PreemptLowerPriority"}, "strategy": {"None"},
	// External Secrets, Gateway API.
	"conversionStrategy": {"Default"}, "decodingStrategy": {"None"}, "metadataPolicy": {"None"}, "creationPolicy": {"Owner"}, "deletionPolicy": {"Retain"},
	"weight": {1.0}, "group": {"", "gateway.networking.k8s.io"},
}

// IsDefault reports whether the field is one that Git leaves out, with the value that the API server is known to give it then.
func (f *Field) IsDefault() bool {
	if !f.InLive || f.InDesired && f.Desired != nil {
		return false
	}
	if m, ok := f.Live.(map[string]any); ok {
		return onlyDefaults(m)
	}
	return slices.Contains(defaults[f.Path.Last()], scalar(f.Live))
}

// onlyDefaults reports whether an object consists of defaults, or is empty.
func onlyDefaults(m map[string]any) bool {
	for k, v := range m {
		if child, ok := v.(map[string]any); ok && onlyDefaults(child) {
			continue
		}
		if !slices.Contains(defaults[k], scalar(v)) {
			return false
		}
	}
	return true
}

// scalar is a value that can be looked up; nil where it is a list or an object.
func scalar(v any) any {
	switch v.(type) {
	case string, float64, bool:
		return v
	}
	return nil
}
