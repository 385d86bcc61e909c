package webhook_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/argo-why/argo-why/internal/webhook"
)

// issue writes a certificate for "bot" and its key, as a rotation does, and returns what trusts it.
func issue(t *testing.T, f webhook.Files, serial int64) *x509.CertPool {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(serial), Subject: pkix.Name{CommonName: "bot"}, DNSNames: []string{"bot"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	shown := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	for file, content := range map[string][]byte{f.Cert: shown, f.Key: pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret})} {
		if err := os.WriteFile(file, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(shown)
	return pool
}

// TestTheCertificateIsShownAndRotated: by both addresses, and a new one within a minute; while its files do not belong together the one before stays.
func TestTheCertificateIsShownAndRotated(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := webhook.Files{Cert: filepath.Join(t.TempDir(), "tls.crt"), Key: filepath.Join(t.TempDir(), "tls.key")}
		first := issue(t, f, 1)
		var noted notes
		s, err := webhook.New(webhook.Options{TLS: &f, Hooks: []webhook.Hook{{Instance: "prod", Token: token}}, Sink: noted.take, Registry: prometheus.NewRegistry(), Log: quiet})
		if err != nil {
			t.Fatal(err)
		}
		hooks, metrics := newPipes(), newPipes()
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- s.Serve(ctx, hooks, metrics) }()
		ask := func(p *pipes, with *tls.Config) (int, error) {
			with.ServerName = "bot"
			client := &http.Client{Transport: &http.Transport{
				DialContext: func(context.Context, string, string) (net.Conn, error) { return p.dial(), nil }, TLSClientConfig: with, DisableKeepAlives: true,
			}}
			r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "https://bot/hooks/argocd/prod", strings.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("Authorization", "Bearer "+token)
			r.Header.Set("Content-Type", "application/json")
			if p == metrics {
				r.Method, r.URL.Path = http.MethodGet, "/healthz"
			}
			answer, err := client.Do(r)
			if err != nil {
				return 0, err
			}
			return answer.StatusCode, answer.Body.Close()
		}
		trusts := func(pool *x509.CertPool) bool {
			status, err := ask(hooks, &tls.Config{RootCAs: pool})
			return err == nil && status == http.StatusAccepted
		}
		if !trusts(first) {
			t.Error("a hook over TLS is not taken")
		}
		if status, err := ask(metrics, &tls.Config{RootCAs: first}); err != nil || status != http.StatusOK {
			t.Errorf("/healthz over TLS: %v", err)
		}
		if _, err := ask(hooks, &tls.Config{RootCAs: first, MaxVersion: tls.VersionTLS11}); err == nil { //nolint:gosec // what is refused
			t.Error("TLS 1.1 is spoken")
		}

		second := issue(t, f, 2)
		kept, err := os.ReadFile(f.Key)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(f.Key, []byte("half of a k"), 0o600); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Minute)
		if !trusts(first) {
			t.Error("while the files do not belong together there is none")
		}
		if err := os.WriteFile(f.Key, kept, 0o600); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Minute)
		if !trusts(second) || trusts(first) {
			t.Error("the certificate was replaced, and the one before is shown")
		}
		time.Sleep(time.Minute) // a server that stops waits for a connection that is younger than 5 s, as that of the refused handshake may be
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}

func TestACertificateThatCannotBeReadIsAnErrorAtStart(t *testing.T) {
	f := webhook.Files{Cert: filepath.Join(t.TempDir(), "tls.crt"), Key: filepath.Join(t.TempDir(), "tls.key")}
	if _, err := webhook.New(webhook.Options{TLS: &f, Registry: prometheus.NewRegistry(), Log: quiet}); err == nil || !strings.Contains(err.Error(), "http.tls: read the certificate: open "+f.Cert) {
		t.Errorf("%v", err)
	}
}
