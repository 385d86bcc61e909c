package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/argo-why/argo-why/internal/evidence"
)

// reviewer is an API server that only answers what an account may do; test/reading asks a real one.
type reviewer struct {
	uid string // of every Application
	// refused are resources, "secrets", or those of a namespace, "pay/jobs".
	refused map[string]bool
	// kinds are those of cert-manager.io that are installed; none, and the cluster does not know the group.
	kinds map[string]string
}

func (s reviewer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	answer := map[string]any{"apiVersion": "v1", "kind": "Status", "code": 404, "reason": "NotFound"}
	switch path := r.URL.Path; {
	case strings.Contains(path, "/applications/"):
		answer = map[string]any{"apiVersion": "argoproj.io/v1alpha1", "kind": "Application", "metadata": map[string]any{"uid": s.uid}}
	case strings.HasSuffix(path, "/selfsubjectreviews"):
		answer = map[string]any{"apiVersion": "authentication.k8s.io/v1", "kind": "SelfSubjectReview", "status": map[string]any{"userInfo": map[string]any{"username": "system:serviceaccount:tools:bot"}}}
	case strings.HasSuffix(path, "/selfsubjectaccessreviews"):
		var review struct {
			Spec struct {
				ResourceAttributes struct{ Namespace, Resource string }
			}
		}
		_ = json.NewDecoder(r.Body).Decode(&review)
		asked := review.Spec.ResourceAttributes
		allowed := !s.refused[asked.Resource] && !s.refused[asked.Namespace+"/"+asked.Resource]
		answer = map[string]any{"apiVersion": "authorization.k8s.io/v1", "kind": "SelfSubjectAccessReview", "status": map[string]any{"allowed": allowed}}
	case len(s.kinds) > 0 && path == "/apis/cert-manager.io":
		v1 := map[string]any{"groupVersion": "cert-manager.io/v1", "version": "v1"}
		answer = map[string]any{"apiVersion": "v1", "kind": "APIGroup", "name": "cert-manager.io", "versions": []any{v1}, "preferredVersion": v1}
	case len(s.kinds) > 0 && path == "/apis/cert-manager.io/v1":
		var resources []any
		for name, kind := range s.kinds {
			resources = append(resources, map[string]any{"name": name, "kind": kind, "namespaced": name == "issuers"})
		}
		answer = map[string]any{"apiVersion": "v1", "kind": "APIResourceList", "groupVersion": "cert-manager.io/v1", "resources": resources}
	}
	w.Header().Set("Content-Type", "application/json")
	if answer["kind"] == "Status" {
		w.WriteHeader(http.StatusNotFound)
	}
	_ = json.NewEncoder(w).Encode(answer)
}

// TestCheckAsksForEachRightToRead: what is missing, what is lost and the command that grants it, without failing for it.
func TestCheckAsksForEachRightToRead(t *testing.T) {
	s := newSite(t)
	var recorded struct{ Application *evidence.Application }
	if err := json.Unmarshal(recordedCase(t, "hook-failed"), &recorded); err != nil {
		t.Fatal(err)
	}
	cluster := reviewer{uid: recorded.Application.Metadata.UID, refused: map[string]bool{}, kinds: map[string]string{"issuers": "Issuer", "clusterissuers": "ClusterIssuer"}}
	server := httptest.NewServer(cluster)
	t.Cleanup(server.Close)
	s.write(t, "kubeconfig", `{apiVersion: v1, kind: Config, current-context: lab, contexts: [{name: lab, context: {cluster: lab}}], clusters: [{name: lab, cluster: {server: "`+server.URL+`"}}]}`)

	const read, grant = "argocd prod kubernetes reading (context lab): ", "argo-why generate kubernetes-rbac --service-account tools:bot"
	if got, want := s.check(t, exitDiagnosed), "✓ "+read+"everything that rules read in all namespaces\n✓ "+read+"get configmaps, which is optional\n✓ "+read+"get secrets, which is optional\n"; !strings.Contains(got, want) {
		t.Errorf("%q is not reported:\n%s", want, got)
	}
	// Secrets are off by default; of KEDA, which is not installed, nothing is lost.
	for _, resource := range []string{"secrets", "issuers", "clusterissuers", "scaledobjects"} {
		cluster.refused[resource] = true
	}
	got := s.check(t, exitDiagnosed)
	for _, want := range []string{
		"! " + read + "the bot cannot get issuers.cert-manager.io in all namespaces, so reports do not say why the Issuer of a Certificate does not work: " + grant + " | kubectl --context lab apply -f -\n",
		"! " + read + "the bot cannot get clusterissuers.cert-manager.io in the cluster, so reports do not say why the ClusterIssuer of a Certificate does not work: " + grant + " | kubectl --context lab apply -f -\n",
		"✓ " + read + "get secrets is off: reports do not say which keys a Secret outside the application has, when a pod asks for one that it lacks: " + grant + " --secret-keys | kubectl --context lab apply -f -\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not reported:\n%s", want, got)
		}
	}
	if strings.Contains(got, "scaledobjects") {
		t.Errorf("a right is missed that nothing is lost without:\n%s", got)
	}

	// Of cert-manager only the one kind is installed, as where a team may only have what is namespaced.
	delete(cluster.kinds, "clusterissuers")
	if got := s.check(t, exitDiagnosed); strings.Contains(got, "clusterissuers") || !strings.Contains(got, "cannot get issuers.cert-manager.io") {
		t.Errorf("issuers, and they alone, are to be missed:\n%s", got)
	}
}
