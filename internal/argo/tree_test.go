package argo

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"github.com/argoproj/argo-cd/v2/pkg/apis/application/v1alpha1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/argo-why/argo-why/internal/evidence"
)

// TestALargeTreeIsConvertedLikeASmallOne: node by node, and as a whole.
func TestALargeTreeIsConvertedLikeASmallOne(t *testing.T) {
	created := metav1.NewTime(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))
	pod := v1alpha1.ResourceNode{
		ResourceRef: v1alpha1.ResourceRef{Version: "v1", Kind: "Pod", Namespace: "shop", Name: "web-1", UID: "u1"},
		ParentRefs:  []v1alpha1.ResourceRef{{Group: "apps", Kind: "ReplicaSet", Namespace: "shop", Name: "web"}},
		Info:        []v1alpha1.InfoItem{{Name: "Status Reason", Value: "Running"}},
		Health:      &v1alpha1.HealthStatus{Status: "Degraded", Message: "crashes"}, Images: []string{"web:1"}, CreatedAt: &created,
	}
	orphan := v1alpha1.ResourceNode{ResourceRef: v1alpha1.ResourceRef{Version: "v1", Kind: "ConfigMap", Namespace: "shop", Name: "old"}}
	answer := &v1alpha1.ApplicationTree{Nodes: []v1alpha1.ResourceNode{pod, pod}, OrphanedNodes: []v1alpha1.ResourceNode{orphan}}
	raw, err := json.Marshal(answer)
	if err != nil {
		t.Fatal(err)
	}
	want := &evidence.Tree{}
	if err := json.Unmarshal(raw, want); err != nil {
		t.Fatal(err)
	}
	got, err := nodeByNode(answer)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
}
