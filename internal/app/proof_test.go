package app

import (
	"context"
	"encoding/pem"
	"errors"
	"io/fs"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/argo-why/argo-why/config"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/incident/bolt"
	"github.com/argo-why/argo-why/internal/preflight"
	"github.com/argo-why/argo-why/internal/webhook"
)

// said is what a check finds.
func said(t *testing.T, check preflight.Check) string {
	t.Helper()
	var lines []string
	for _, f := range check(t.Context()) {
		lines = append(lines, f.String())
	}
	return strings.Join(lines, "\n")
}

// TestTheBotTakesAWebhookFromItself: the one that runs here, with the token that the configuration has.
func TestTheBotTakesAWebhookFromItself(t *testing.T) {
	var took []incident.App
	server, err := webhook.New(webhook.Options{
		Registry: prometheus.NewRegistry(), Log: slog.New(slog.DiscardHandler), Hooks: []webhook.Hook{{Instance: "prod", Token: strings.Repeat("a", 32)}},
		Sink: func(_ context.Context, app incident.App) error { took = append(took, app); return nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	running := httptest.NewServer(server.Hooks())
	_, port, _ := strings.Cut(strings.TrimPrefix(running.URL, "http://"), ":")
	prove := func(token string) string {
		t.Setenv("HOOK", token)
		return said(t, proveWebhook(config.HTTP{Listen: ":" + port}, &config.Instance{Name: "prod", WebhookToken: config.Secret{Env: "HOOK"}}))
	}
	at := "http://127.0.0.1:" + port + "/hooks/argocd/prod"
	if got := prove(strings.Repeat("a", 32)); got != "✓ argocd prod webhook: the bot at "+at+" took a test" || len(took) != 1 || took[0].Name != "argo-why-check" {
		t.Errorf("%s, %v", got, took)
	}
	if got := prove(strings.Repeat("b", 32)); !strings.HasPrefix(got, "✗ argocd prod webhook: the bot at "+at+" refuses the token: restart it") {
		t.Error(got)
	}
	running.Close()
	if got := prove(strings.Repeat("a", 32)); !strings.HasPrefix(got, "✗ argocd prod webhook: no bot answers at "+at+": run this where the bot runs") {
		t.Error(got)
	}
}

// TestTheBotTakesAWebhookOverTLSFromItself: the certificate is for names in the cluster, so it is the very one that counts.
func TestTheBotTakesAWebhookOverTLSFromItself(t *testing.T) {
	running := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusAccepted) }))
	t.Cleanup(running.Close)
	running.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	_, port, _ := strings.Cut(strings.TrimPrefix(running.URL, "https://"), ":")
	file := filepath.Join(t.TempDir(), "tls.crt")
	t.Setenv("HOOK", strings.Repeat("a", 32))
	prove := func(shown []byte) string {
		if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: shown}), 0o600); err != nil {
			t.Fatal(err)
		}
		at := config.HTTP{Listen: ":" + port, TLS: config.TLS{CertFile: file, KeyFile: file}}
		return said(t, proveWebhook(at, &config.Instance{Name: "prod", WebhookToken: config.Secret{Env: "HOOK"}}))
	}
	if got := prove(running.Certificate().Raw); got != "✓ argocd prod webhook: the bot at https://127.0.0.1:"+port+"/hooks/argocd/prod took a test" {
		t.Error(got)
	}
	if got := prove([]byte("another")); !strings.HasPrefix(got, "✗ argocd prod webhook: no bot answers at https://") {
		t.Error(got)
	}
}

// TestAnEntryOfTheJournalIsWrittenAndDeleted, unless a running bot has the file: that is said, and not taken for a success.
func TestAnEntryOfTheJournalIsWrittenAndDeleted(t *testing.T) {
	c := config.Journal{Kind: config.JournalFile, Path: filepath.Join(t.TempDir(), "argo-why.db")}
	if got := said(t, proveJournal(c, "test")); got != "✓ journal entry: written, read and deleted" {
		t.Error(got)
	}
	if _, err := os.Stat(c.Path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("it leaves a file: %v", err)
	}
	j, err := bolt.Open(c.Path)
	if err != nil {
		t.Fatal(err)
	}
	if got := said(t, proveJournal(c, "test")); !strings.HasPrefix(got, "! journal entry: not tried: a running bot has the file open") {
		t.Error(got)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	if got := said(t, proveJournal(c, "test")); !strings.HasPrefix(got, "✓") {
		t.Error(got)
	}
	if all, err := bolt.Read(t.Context(), c.Path); err != nil || len(all) != 0 {
		t.Errorf("left: %v, %v", all, err)
	}
	c.Path = filepath.Join(c.Path, "no", "directory.db")
	if got := said(t, proveJournal(c, "test")); !strings.HasPrefix(got, "✗ journal entry: ") {
		t.Error(got)
	}
}
