package app

import (
	"log/slog"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/argo/argotest"
)

// TestTheFirstStartListsWhatFailsAlready, and what fails afterwards gets its thread.
func TestTheFirstStartListsWhatFailsAlready(t *testing.T) {
	argo := argotest.NewServer(t, recorded(t, hookFailed, ""), recorded(t, hookFailed, "pay"), recorded(t, well, ""))
	s, c := set(t, argo, "")
	c.Incidents.QuietAfter = time.Hour
	s.start(Options{Config: c, Log: slog.New(slog.NewTextHandler(t.Output(), nil))})
	s.await("alerts", "2 applications were already failing (1 cause)")

	s.argo.AwaitWatch(t, 1)
	s.argo.Put(t, recorded(t, hookFailed, "shop"))
	s.await("alerts", "prod/shop: PreSync hook")
	if roots := s.Channel("alerts").Messages(); len(roots) != 2 {
		t.Errorf("%d messages, want the list and a thread:\n%s", len(roots), s.shown("alerts"))
	}
}
