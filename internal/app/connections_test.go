package app

import (
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/argo/argotest"
	"github.com/argo-why/argo-why/internal/evidence"
)

// TestAConnectionThatFailsIsPostedBeforeAnApplicationIs: through Argo CD's API and Slack's, as the scheduled job does it.
func TestAConnectionThatFailsIsPostedBeforeAnApplicationIs(t *testing.T) {
	argo := argotest.NewServer(t, fmt.Appendf(nil, `{"application": {
		"metadata": {"name": "pay", "namespace": "argocd", "resourceVersion": "1"},
		"spec": {"project": "default", "source": {"repoURL": "https://git.example.com/team/deploy.git", "path": "pay"}, "destination": {"server": "https://kubernetes.default.svc"}},
		"status": {"sync": {"status": "Synced"}, "health": {"status": "Healthy"}}}}`))
	argo.Deny("clusters", "get", "*")
	c := evidence.Connection{
		Kind: evidence.ConnectionToRepository, Address: "https://git.example.com/team/deploy", Type: "git", Status: evidence.ConnectionFailed,
		Message: "Unable to connect to repository: rpc error: code = Unknown desc = error testing repository connectivity: unable to ls-remote HEAD on repository: failed to list refs: authentication required",
		Tested:  evidence.Time{Time: time.Now().Add(-20 * time.Minute)},
	}
	argo.Connect(c)
	s, settings := set(t, argo, "")
	s.AddChannel("operators", "alice", s.Apps()[0].BotUserID)
	settings.Connections.Schedule, settings.Connections.Channel = "@every 1s", "operators"
	var log lockedBuffer
	s.start(Options{Config: settings, Log: slog.New(slog.NewTextHandler(&log, nil))})
	s.await("operators", "prod: Git host git.example.com rejects Argo CD's credentials")
	s.await("operators", "1 application depends on it")
	if _, body := s.get("/metrics"); !strings.Contains(body, `argo_why_connections{instance="prod",kind="repository",state="fails"} 1`) {
		t.Error("not in the metrics")
	}
	c.Status, c.Message = evidence.ConnectionSuccessful, ""
	argo.Connect(c)
	s.await("operators", "Git host git.example.com connected again")
	s.stop()
	if n := strings.Count(log.String(), "connections not watched"); n != 1 || !strings.Contains(log.String(), "p, argo-why, clusters, get, *, allow") {
		t.Errorf("the missing right was logged %d times:\n%s", n, log.String())
	}
}
