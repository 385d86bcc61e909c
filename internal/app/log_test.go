package app

import (
	"log/slog"
	"strings"
	"testing"
	"time"

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
