package outofsync

import (
	"reflect"
	"testing"

	"github.com/argo-why/argo-why/internal/diagnose/drift"
	"github.com/argo-why/argo-why/internal/evidence"
)

// TestARepairedEntryCoversTheRestAsBefore: only what is wrong with an entry changes.
func TestARepairedEntryCoversTheRestAsBefore(t *testing.T) {
	deployment := &resource{Resource: drift.Resource{Ref: evidence.Ref{Group: "apps", Kind: "Deployment", Namespace: "shop", Name: "web"}}}
	replicas := drift.Field{Path: drift.Path{{Field: "spec"}, {Field: "replicas"}}}
	note := drift.Field{Path: drift.Path{{Field: "metadata"}, {Field: "annotations"}, {Field: "example.com/note"}}}
	for name, c := range map[string]struct {
		entry, want evidence.IgnoredDifference
		field       drift.Field
	}{
		"a wrong group": {
			evidence.IgnoredDifference{Group: "extensions", Kind: "Deployment", JSONPointers: []string{"/spec/replicas", "/spec/paused"}},
			evidence.IgnoredDifference{Group: "apps", Kind: "Deployment", JSONPointers: []string{"/spec/replicas", "/spec/paused"}}, replicas,
		},
		"a wrong name": {
			evidence.IgnoredDifference{Group: "apps", Kind: "Deployment", Name: "website", JSONPointers: []string{"/spec/replicas"}},
			evidence.IgnoredDifference{Group: "apps", Kind: "Deployment", Name: "web", JSONPointers: []string{"/spec/replicas"}}, replicas,
		},
		"a slash that is not escaped": {
			evidence.IgnoredDifference{Group: "apps", Kind: "Deployment", JSONPointers: []string{"/spec/replicas", "/metadata/annotations/example.com/note"}},
			evidence.IgnoredDifference{Group: "apps", Kind: "Deployment", JSONPointers: []string{"/spec/replicas", "/metadata/annotations/example.com~1note"}}, note,
		},
	} {
		if got := repaired(moveTo(c.entry, deployment.Ref), &c.field); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}
