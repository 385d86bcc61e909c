package webhook_test

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/argo-why/argo-why/internal/webhook"
)

// TestAStrangerCannotTellWhichInstancesExist: everything that is sent back is the same for a wrong token and for a name that is
// not configured; the operator can still tell them apart in the log.
func TestAStrangerCannotTellWhichInstancesExist(t *testing.T) {
	var logged bytes.Buffer
	s, err := webhook.New(webhook.Options{
		Hooks: []webhook.Hook{{Instance: "prod", Token: token}}, Registry: prometheus.NewRegistry(), Log: slog.New(slog.NewTextHandler(&logged, nil)),
	})
	if err != nil {
		t.Fatal(err)
	}
	send := func(path, authorization string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		s.Hooks().ServeHTTP(w, hook(t, func(r *http.Request) {
			r.URL.Path = path
			r.Header.Set("Authorization", authorization)
		}))
		return w
	}
	for _, authorization := range []string{"", "Bearer", "Bearer " + newToken, "Basic " + token} {
		known, unknown := send("/hooks/argocd/prod", authorization), send("/hooks/argocd/staging", authorization)
		if known.Code != unknown.Code || known.Body.String() != unknown.Body.String() || !maps.EqualFunc(known.Header(), unknown.Header(), equal) {
			t.Errorf("%q: prod is answered %d %v %q, staging %d %v %q", authorization, known.Code, known.Header(), known.Body, unknown.Code, unknown.Header(), unknown.Body)
		}
	}
	// A token of one instance says nothing about another name.
	if got := send("/hooks/argocd/staging", "Bearer "+token); got.Code != http.StatusUnauthorized {
		t.Errorf("a good token for an unknown instance: %d", got.Code)
	}
	for _, want := range []string{"outcome=unauthorized", "outcome=unknown_instance"} {
		if !strings.Contains(logged.String(), want) {
			t.Errorf("the log does not say %s:\n%s", want, logged.String())
		}
	}
}

func equal(a, b []string) bool { return strings.Join(a, "\n") == strings.Join(b, "\n") }

// TestDetailsOfReadinessStayOnThisMachine: everything in the cluster may reach the port, and learns only ready or not.
func TestDetailsOfReadinessStayOnThisMachine(t *testing.T) {
	bad := webhook.Check{Name: "argocd prod", Ready: func(context.Context) error { return errors.New("dial tcp 10.0.1.45:443: refused") }}
	s := newServer(t, nil, bad)
	for name, c := range map[string]struct {
		remote, host, header string
		details              bool
	}{
		"port-forward":            {remote: "127.0.0.1:40000", host: "localhost:9090", details: true},
		"port-forward, IPv6":      {remote: "[::1]:40000", host: "[::1]:9090", details: true},
		"another pod":             {remote: "10.1.2.3:40000", host: "argo-why:9090"},
		"another pod that lies":   {remote: "10.1.2.3:40000", host: "localhost:9090"},
		"a proxy in the pod":      {remote: "127.0.0.1:40000", host: "127.0.0.1:9090", header: "X-Forwarded-For"},
		"a proxy, another header": {remote: "127.0.0.1:40000", host: "127.0.0.1:9090", header: "Forwarded"},
		"a mesh's sidecar":        {remote: "127.0.0.6:40000", host: "localhost:9090"},
		"a page in a browser":     {remote: "127.0.0.1:40000", host: "rebound.example.com"},
		"no address":              {remote: "@", host: "localhost"},
	} {
		t.Run(name, func(t *testing.T) {
			r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/readyz", http.NoBody)
			r.RemoteAddr, r.Host = c.remote, c.host
			if c.header != "" {
				r.Header.Set(c.header, "203.0.113.7")
			}
			status, text := answerOf(s.Metrics(), r)
			want := "not ready"
			if c.details {
				want = "not ready: 1 of 1 checks failed\nfailed argocd prod: dial tcp 10.0.1.45:443: refused"
			}
			if status != http.StatusServiceUnavailable || text != want {
				t.Errorf("answered %d %q, want 503 %q", status, text, want)
			}
		})
	}
}

// TestWhoSendsHooksCannotReadMetrics: the names of the Argo CD instances are in the metrics, and nothing but hooks is served where
// hooks are.
func TestWhoSendsHooksCannotReadMetrics(t *testing.T) {
	s := newServer(t, nil)
	ask := func(h http.Handler, path string) (status int, text string) {
		return answerOf(h, here(httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, http.NoBody)))
	}
	for _, path := range []string{"/metrics", "/healthz", "/readyz"} {
		if status, text := ask(s.Hooks(), path); status != http.StatusNotFound {
			t.Errorf("where hooks are sent, %s answers %d %q", path, status, text)
		}
		if status, _ := ask(s.Metrics(), path); status != http.StatusOK {
			t.Errorf("where metrics are read, %s answers %d", path, status)
		}
	}
	if status, _ := answerOf(s.Metrics(), hook(t, nil)); status != http.StatusNotFound {
		t.Errorf("where metrics are read, a hook is answered %d", status)
	}
	if status, text := ask(s.Hooks(), "/"); status != http.StatusNotFound || strings.Contains(text, "prod") {
		t.Errorf("/ answers %d %q", status, text)
	}
}

// TestATakenAddressIsNamed: each of the two with its own key in the configuration, and the other one is free again.
func TestATakenAddressIsNamed(t *testing.T) {
	taken := listen(t)
	defer func() { _ = taken.Close() }()
	for setting, o := range map[string]webhook.Options{
		"http.listen":  {Address: taken.Addr().String(), MetricsAddress: "127.0.0.1:0"},
		"http.metrics": {Address: "127.0.0.1:0", MetricsAddress: taken.Addr().String()},
	} {
		o.Registry, o.Log = prometheus.NewRegistry(), quiet
		s, err := webhook.New(o)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "set "+setting+" to a free address") {
			t.Errorf("%s: %v", setting, err)
		}
	}
}

// TestReadinessHidesSecrets: an error may quote what was sent.
func TestReadinessHidesSecrets(t *testing.T) {
	secret := "xoxb-" + strings.Repeat("1", 12) + "-" + strings.Repeat("2", 12) + "-" + hex.EncodeToString([]byte("twelve bytes"))
	bad := webhook.Check{Name: "slack", Ready: func(context.Context) error { return errors.New("auth.test with " + secret + ": EOF") }}
	status, text := get(t, newServer(t, nil, bad), "/readyz")
	if status != 503 || strings.Contains(text, secret) || !strings.Contains(text, "auth.test with ") {
		t.Errorf("answered %d %q", status, text)
	}
}

// TestDeepHooksAreRefused: also with a good token.
func TestDeepHooksAreRefused(t *testing.T) {
	for _, deep := range []string{strings.Repeat("[", 60_000), `{"x":` + strings.Repeat(`{"a":`, 9000) + "1" + strings.Repeat("}", 9000) + "}"} {
		var n notes
		if status, text := answer(newServer(t, n.take), hook(t, withBody(deep))); status != http.StatusBadRequest || len(text) > 200 || len(n.apps) > 0 {
			t.Errorf("answered %d %q", status, text)
		}
	}
}
