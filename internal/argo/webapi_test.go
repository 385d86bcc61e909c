package argo_test

import (
	"crypto/tls"
	"encoding/pem"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/argo-why/argo-why/internal/argo"
	"github.com/argo-why/argo-why/internal/argo/argotest"
	"github.com/argo-why/argo-why/internal/simulator"
)

// TestListOverTLS takes the settings of the connection, with a certificate of its own authority and without verification.
func TestListOverTLS(t *testing.T) {
	certified := httptest.NewTLSServer(nil) // for its certificate
	defer certified.Close()
	s, err := simulator.New(simulator.Options{Token: argotest.Token, TLS: &tls.Config{Certificates: certified.TLS.Certificates, MinVersion: tls.VersionTLS12}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	if err := s.Put(shop("shop", "Healthy", "1")); err != nil {
		t.Fatal(err)
	}
	authority := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(authority, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certified.Certificate().Raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, o := range map[string]argo.Options{"authority": {ServerCrt: authority}, "insecure": {Insecure: true}} {
		o.Server, o.AuthToken = s.Address(), argotest.Token
		states, err := open(t, o).List(t.Context())
		if err != nil || len(states) != 1 || !states[0].Partial {
			t.Errorf("%s: %+v, %v; want a list over HTTP", name, states, err)
		}
	}
	_, err = open(t, argo.Options{Server: s.Address(), AuthToken: argotest.Token}).List(t.Context())
	if problemOf(err) != argo.BadTLS {
		t.Errorf("an unknown authority: %v", err)
	}
}

// asked is what a server was asked for, which answers with a list of one application.
func asked(t *testing.T) (address string, requests <-chan *http.Request) {
	t.Helper()
	seen := make(chan *http.Request, 10)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen <- r
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"metadata": {"resourceVersion": "7"}, "items": [{"metadata": {"name": "shop"}, "spec": {"project": "default"}}]}`))
	}))
	t.Cleanup(server.Close)
	return server.Listener.Addr().String(), seen
}

// TestListBehindAProxy: under its path, with its headers. Where those log in to the proxy, the token goes where a browser has it.
func TestListBehindAProxy(t *testing.T) {
	for _, tc := range []struct{ name, opts, token, cookie string }{
		{"a header", "--header X-Team:pay", "Bearer secret", ""},
		{"a login", "--header 'Authorization: Basic cHJveHk6cHJveHk='", " Basic cHJveHk6cHJveHk=", "argocd.token=secret"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			isolate(t, tc.opts)
			address, requests := asked(t)
			states, err := open(t, argo.Options{Server: "http://" + address + "/argo-cd/applications", AuthToken: "secret"}).List(t.Context())
			if err != nil || len(states) != 1 {
				t.Fatal(states, err)
			}
			r := receive(t, requests, "the request")
			if r.URL.Path != "/argo-cd/api/v1/applications" {
				t.Errorf("asked for %s", r.URL.Path)
			}
			if got := r.Header["Authorization"]; len(got) != 1 || got[0] != tc.token && " "+got[0] != tc.token || r.Header.Get("Cookie") != tc.cookie {
				t.Errorf("headers: %q", r.Header)
			}
		})
	}
}

// TestARedirectIsNotFollowed: the token is for Argo CD only.
func TestARedirectIsNotFollowed(t *testing.T) {
	elsewhere, requests := asked(t)
	s := argotest.NewServer(t, shop("shop", "Healthy", "1"))
	s.Proxy(func(http.Handler) http.Handler {
		return http.RedirectHandler("http://"+elsewhere+"/api/v1/applications", http.StatusTemporaryRedirect)
	})
	states, err := connect(t, s, argo.Options{}).List(t.Context())
	if err != nil || len(states) != 1 || states[0].Partial {
		t.Errorf("%+v, %v; want a list over gRPC", states, err)
	}
	if len(requests) > 0 {
		t.Error("the redirect was followed")
	}
}
