package app

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/argo-why/argo-why/internal/preflight"
)

func TestStartChecksAreLogged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		end := startChecks(t.Context(), slog.New(slog.NewTextHandler(&out, nil)), func() []preflight.Check {
			return []preflight.Check{preflight.Given(
				preflight.Finding{What: "journal", Detail: "file /data/journal"},
				preflight.Finding{What: "slack scope", Problem: "chat:write is missing", Remedy: "add it"},
			)}
		})
		synctest.Wait()
		end()
		if got := out.String(); strings.Count(got, "\n") != 1 || !strings.Contains(got, `what="slack scope" problem="chat:write is missing" remedy="add it"`) {
			t.Errorf("logged\n%s", got)
		}
	})
}

// TestAStartCheckThatIgnoresItsContextDoesNotDelayTheEnd: in a bubble, waiting for it would be a deadlock.
func TestAStartCheckThatIgnoresItsContextDoesNotDelayTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		hangs := make(chan struct{})
		end := startChecks(t.Context(), slog.New(slog.NewTextHandler(&out, nil)), func() []preflight.Check {
			return []preflight.Check{func(context.Context) []preflight.Finding {
				<-hangs
				return []preflight.Finding{{What: "slack bot token", Problem: "cannot be read"}}
			}}
		})
		synctest.Wait()
		end()
		close(hangs)
		synctest.Wait()
		if out.Len() > 0 {
			t.Errorf("logged after the end\n%s", out.String())
		}
	})
}
