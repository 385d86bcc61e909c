package kube

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
)

// TestAKindThatIsInstalledLater: that a cluster has no such kind is true for a moment only.
func TestAKindThatIsInstalledLater(t *testing.T) {
	answers := map[string]string{
		"/apis/example.com":    `{"kind":"APIGroup","name":"example.com","versions":[{"groupVersion":"example.com/v1","version":"v1"}],"preferredVersion":{"groupVersion":"example.com/v1","version":"v1"}}`,
		"/apis/example.com/v1": `{"kind":"APIResourceList","groupVersion":"example.com/v1","resources":[{"name":"olds","kind":"Old","namespaced":true}]}`,
	}
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(answers[r.URL.Path]))
	}))
	t.Cleanup(server.Close)
	client, err := rest.UnversionedRESTClientFor(dynamic.ConfigFor(&rest.Config{Host: server.URL, ContentConfig: rest.ContentConfig{GroupVersion: &schema.GroupVersion{Version: "v1"}}}))
	if err != nil {
		t.Fatal(err)
	}
	k, kind := newKinds(client), schema.GroupKind{Group: "example.com", Kind: "New"}
	find := func() error { _, err := k.find(t.Context(), kind); return err }
	if err := find(); !errors.Is(err, errUnknownKind) {
		t.Fatalf("a kind that is not installed: %v", err)
	}
	answers["/apis/example.com/v1"] = `{"kind":"APIResourceList","groupVersion":"example.com/v1","resources":[{"name":"news","kind":"New","namespaced":true}]}`
	before := asked
	if err := find(); !errors.Is(err, errUnknownKind) || asked != before {
		t.Errorf("asked again at once: %v, %d requests", err, asked-before)
	}
	group := k.groups["example.com"]
	group.at = group.at.Add(-2 * time.Minute)
	k.groups["example.com"] = group
	if err := find(); err != nil {
		t.Errorf("installed in the meantime: %v", err)
	}
}
