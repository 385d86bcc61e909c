package kube

import (
	"errors"
	"testing"

	"k8s.io/client-go/rest"

	"github.com/argo-why/argo-why/internal/evidence"
)

// TestThePodsOwnAccount goes before a kubeconfig that nobody named, and leads to Argo CD's own cluster only.
func TestThePodsOwnAccount(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	t.Setenv("KUBECONFIG", "")
	clusters := Open(Options{})
	clusters.podAccount = func() (*rest.Config, error) { return &rest.Config{Host: "https://10.0.0.1"}, nil }
	own := evidence.Destination{Server: ownServer}
	if w, err := clusters.way(own); err != nil || w.pod == nil || !w.prove || w.String() != "the cluster of this pod" {
		t.Errorf("inside a pod: %+v, %v", w, err)
	}
	if w, err := clusters.way(evidence.Destination{Server: "https://10.0.0.1"}); err == nil {
		t.Errorf("another cluster: %+v", w)
	}
	clusters.options.Context = "dev"
	if w, err := clusters.way(own); err == nil || w.pod != nil {
		t.Errorf("a context was named: %+v, %v", w, err)
	}
	clusters.options.Context = ""
	clusters.podAccount = func() (*rest.Config, error) { return nil, errors.New("not in a pod") }
	if w, err := clusters.way(own); err == nil {
		t.Errorf("outside of a pod: %+v", w)
	}
}
