package kube

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// hidden is what Argo CD shows instead of a value.
const hidden = "++++++++"

// withoutValues takes the values out of a Secret and leaves its keys: which of them exist is evidence.
func withoutValues(o *unstructured.Unstructured) {
	if kind := o.GroupVersionKind(); kind.Group != "" || kind.Kind != "Secret" {
		return
	}
	for _, field := range []string{"data", "stringData"} {
		values, ok := o.Object[field].(map[string]any)
		if !ok {
			delete(o.Object, field) // no map: whatever it is, it is not shown
			continue
		}
		for key := range values {
			values[key] = hidden
		}
	}
	annotations := o.GetAnnotations()
	delete(annotations, corev1.LastAppliedConfigAnnotation) // contains them once more
	o.SetAnnotations(annotations)
}
