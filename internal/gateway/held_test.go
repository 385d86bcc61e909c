package gateway

import (
	"fmt"
	"strings"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/argo/argotest"
	"github.com/argo-why/argo-why/internal/audience"
)

const (
	approved = "3f2a91c0000000000000000000000000000000aa"
	newest   = "9c1d2e30000000000000000000000000000000bb"
)

// differing is an application that has been compared with the newest commit, and differs from it.
func differing(name, sync string) []byte {
	return fmt.Appendf(nil, `{"application": {
		"metadata": {"name": %q, "namespace": "argocd", "resourceVersion": "1"}, "spec": {"project": "default"},
		"status": {"sync": {"status": %q, "revision": %q}, "health": {"status": "Healthy"},
			"resources": [{"version": "v1", "kind": "ConfigMap", "namespace": "shop", "name": "a", "status": "OutOfSync"}]}}}`, name, sync, newest)
}

const (
	configMap = `{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}}`
	secret    = `{"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "db"}, "data": {"a": "++++++++"}}`
)

// TestACommitElsewhereIsLookedThrough: the situation is that of the commit that was confirmed, and says where Git is.
func TestACommitElsewhereIsLookedThrough(t *testing.T) {
	s := argotest.NewServer(t, differing("shop", "OutOfSync"))
	in := watching(t, s, "shop")
	look := func(commit string) *action.Situation {
		got, err := in.Situation(t.Context(), action.Request{App: named("shop"), Kind: action.Sync, Sync: action.SyncOptions{Commit: commit}}, audience.All())
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	s.Render("shop", configMap)
	if got := look(approved); got.Application.Status.Sync.Revision != approved || got.Report.Context.Revision != approved || got.Moved != (action.Moved{To: newest}) {
		t.Errorf("%s, diagnosed at %s, %+v", got.Application.Status.Sync.Revision, got.Report.Context.Revision, got.Moved)
	}
	s.Render("shop", configMap, secret)
	if got := look(approved); got.Moved != (action.Moved{To: newest, Hidden: true}) {
		t.Errorf("with a Secret: %+v", got.Moved)
	}
	for _, commit := range []string{"", newest} {
		if got := look(commit); got.Application.Status.Sync.Revision != newest || got.Moved != (action.Moved{}) {
			t.Errorf("of %q: %s, %+v", commit, got.Application.Status.Sync.Revision, got.Moved)
		}
	}
}

// TestWhatCannotBeComparedIsNotTakenForTheSame, and not for something else either.
func TestWhatCannotBeComparedIsNotTakenForTheSame(t *testing.T) {
	s := argotest.NewServer(t, differing("shop", "OutOfSync"), differing("cart", "Unknown"))
	in := watching(t, s, "shop", "cart")
	s.Fail("GetManifests", status.Error(codes.Unavailable, "no repo-server"))
	asked := action.Request{App: named("shop"), Kind: action.Sync, Sync: action.SyncOptions{Commit: approved}}
	if _, err := in.Situation(t.Context(), asked, audience.All()); err == nil || !strings.HasPrefix(err.Error(), "compare the newest commit with the confirmed one: ") {
		t.Errorf("nothing renders: %v", err)
	}
	asked.App = named("cart") // its newest commit does not render, as Argo CD says
	if got, err := in.Situation(t.Context(), asked, audience.All()); err != nil || got.Application.Status.Sync.Revision != newest || got.Moved.To != "" {
		t.Errorf("%+v, %v", got, err)
	}
}
