package argo_test

import (
	"strings"
	"testing"

	"github.com/argo-why/argo-why/internal/argo/argotest"
	"github.com/argo-why/argo-why/internal/evidence"
)

// TestRendered: the same manifests in another order have the same digest, others have another, and one with Secrets says that it is not all.
func TestRendered(t *testing.T) {
	const (
		job     = `{"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "migrate"}}`
		service = `{"apiVersion": "v1", "kind": "Service", "metadata": {"name": "web"}}`
		other   = `{"apiVersion": "v1", "kind": "Service", "metadata": {"name": "api"}}`
		secret  = `{"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "db"}, "data": {"a": "++++++++"}}`
	)
	s, _, app := acting(t, "presync-hook-failed", argotest.Acting{})
	digest := func(manifests ...string) string {
		s.Render(hookFailed, manifests...)
		got, err := app.Rendered(t.Context(), "3f2a91c")
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	first := digest(job, service)
	if first == "" || digest(service, job) != first {
		t.Error("the order of the manifests changes the digest")
	}
	if digest(job, other) == first {
		t.Error("another manifest does not change the digest")
	}
	if got := digest(job, secret); !strings.HasSuffix(got, evidence.Partly) {
		t.Errorf("a digest of masked values: %s", got)
	}
}
