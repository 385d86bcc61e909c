package app

import (
	"bytes"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"strings"
	"sync"
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

// TestADryRunLogsWhatItWouldPost, and nobody notices it.
func TestADryRunLogsWhatItWouldPost(t *testing.T) {
	s, c := set(t, argotest.NewServer(t, recorded(t, hookFailed, ""), recorded(t, well, "")), "")
	var log lockedBuffer
	s.start(Options{Config: c, Log: slog.New(slog.NewTextHandler(&log, nil)), DryRun: true})
	s.eventually("the message is logged", func() bool {
		return strings.Contains(log.String(), `msg="would post" channel=alerts headline="🔴 prod/courier-api: PreSync hook`)
	})
	s.argo.AwaitWatch(t, 1)
	s.argo.Put(t, recorded(t, well, "courier-api"))
	s.eventually("so is the recovery", func() bool {
		return strings.Contains(log.String(), `msg="would update" channel=alerts headline="🟢 prod/courier-api: recovered`)
	})
	if status, body := s.get("/readyz"); status != 200 {
		t.Errorf("not ready: %s", body)
	}
	s.stop()
	for _, method := range []string{"chat.postMessage", "chat.update", "chat.postEphemeral"} {
		if calls := s.Log(method); len(calls) > 0 {
			t.Errorf("%d calls of %s", len(calls), method)
		}
	}
	if _, err := os.Stat(c.Journal.Path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("there is a journal: %v", err)
	}
}

// lockedBuffer is written to and read in parallel.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(b)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}
