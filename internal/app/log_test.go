package app

import (
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/argo-why/argo-why/config"
	"github.com/argo-why/argo-why/internal/incident"
)

func TestTheLogIsWrittenForPeople(t *testing.T) {
	var out strings.Builder
	log := slog.New(slog.NewJSONHandler(&out, &slog.HandlerOptions{ReplaceAttr: sanitizeAttr}))
	log.Warn("the connection ended", "again_in", 1500*time.Millisecond, "app", incident.App{Instance: "prod", Namespace: "argocd", Name: "web"})
	for _, want := range []string{`"again_in":"1.5s"`, `"app":"prod/argocd/web"`} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %s in %s", want, out.String())
		}
	}
}

func TestNoValueOfTheLogHasASecret(t *testing.T) {
	secret := "https://deploy:" + strings.Repeat("Zx7q", 5) + "@git.example.com"
	for _, format := range []string{"json", "text", "terminal"} {
		var out strings.Builder
		log, err := NewLog(&out, config.Log{Level: "info", Format: format})
		if format == "terminal" {
			log, err = NewTerminalLog(&out, config.Log{Level: "info"}, true)
		}
		if err != nil {
			t.Fatal(err)
		}
		log.With("with", secret).Error("read", "error", errors.New(secret), "text", secret, "list", []string{secret}, "map", map[string]any{"k": secret},
			"value", struct{ Address string }{secret}, slog.Group("group", "of", []error{errors.New(secret)}), "header", http.Header{"X": {secret}})
		if strings.Contains(out.String(), "Zx7q") || strings.Count(out.String(), "git.example.com") < 7 {
			t.Errorf("%s: logged %s", format, out.String())
		}
	}
}

func TestTheLogOnATerminalIsReadable(t *testing.T) {
	var out strings.Builder
	log, err := NewTerminalLog(&out, config.Log{Level: "warn"}, false)
	if err != nil {
		t.Fatal(err)
	}
	log.Info("not shown")
	log.Warn("the connection ended", "again_in", 1500*time.Millisecond, "error", errors.New("no such host"))
	_, line, _ := strings.Cut(out.String(), " ") // the time
	if want := "WRN the connection ended again_in=1.5s error=\"no such host\"\n"; line != want {
		t.Errorf("got %q, want %q", line, want)
	}
}
