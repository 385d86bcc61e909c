package panel_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

// hostile is an application that tries to be more than text.
const hostile = `"><script>alert(1)</script>`

func TestHostileNamesAndMessagesAreText(t *testing.T) {
	s := begin(t)
	text, err := json.Marshal(map[string]any{"application": map[string]any{
		"metadata": map[string]any{"name": hostile, "namespace": "argocd"},
		"spec":     map[string]any{"project": hostile, "source": map[string]any{"repoURL": "javascript:alert(1)", "path": hostile, "targetRevision": hostile}},
		"status": map[string]any{
			"sync": map[string]any{"status": hostile, "revision": hostile}, "health": map[string]any{"status": hostile},
			"conditions":     []any{map[string]any{"type": hostile, "message": hostile}},
			"resources":      []any{map[string]any{"kind": hostile, "name": hostile, "status": hostile}},
			"operationState": map[string]any{"phase": "Failed", "message": hostile, "operation": map[string]any{}, "startedAt": "2026-11-22T08:00:00Z"},
		},
	}})
	if err != nil {
		t.Fatal(err)
	}
	f, err := s.world.Add(text)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.world.Break(f); err != nil {
		t.Fatal(err)
	}
	pages := map[string]string{
		"panel": s.shows("panel", hostile), "hints": s.shows("hints", hostile), "list": s.argoCD("/applications"),
		"application": s.argoCD("/applications/argocd/" + url.PathEscape(hostile)),
	}
	for name, html := range pages {
		if strings.Contains(html, "<script") || strings.Contains(html, `href="javascript`) || strings.Contains(html, `">&lt;script`) {
			t.Errorf("%s is more than text:\n%s", name, html)
		}
	}
	contains(t, pages["panel"], "&lt;script&gt;")
	contains(t, pages["application"], "&lt;script&gt;")
}

// argoCD is a page that stands for one of Argo CD's.
func (s *scene) argoCD(path string) string {
	s.Helper()
	rec := httptest.NewRecorder()
	s.panel.ArgoCD().ServeHTTP(rec, httptest.NewRequestWithContext(s.Context(), http.MethodGet, path, nil))
	if rec.Code != http.StatusOK {
		s.Fatalf("%s: %d %s", path, rec.Code, rec.Body)
	}
	if csp := rec.Header().Get("Content-Security-Policy"); !strings.Contains(csp, "default-src 'none'") {
		s.Errorf("%s: the policy is %q", path, csp)
	}
	return rec.Body.String()
}

func TestThePagesOfArgoCDSayWhatItSays(t *testing.T) {
	s := begin(t)
	contains(t, s.argoCD("/applications/argocd/payments-api"), "OutOfSync", "Failed", "one or more synchronization tasks completed unsuccessfully", "Job/db-migrate", "PreSync")
	contains(t, s.argoCD("/applications/payments-api"), "payments-api")
	contains(t, s.argoCD("/"), "payments-api", "basket-eu-west")
	rec := httptest.NewRecorder()
	s.panel.ArgoCD().ServeHTTP(rec, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/applications/argocd/nobody", nil))
	if rec.Code != http.StatusNotFound || !strings.Contains(rec.Body.String(), "<h1>No application named nobody</h1>") || !strings.Contains(rec.Body.String(), `href="/argocd/"`) {
		t.Errorf("an application that is not there: %d %s", rec.Code, rec.Body)
	}
}
