package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/argo-why/argo-why/config"
	"github.com/argo-why/argo-why/internal/argo/argotest"
	"github.com/argo-why/argo-why/internal/audience"
	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/rules"
	"github.com/argo-why/argo-why/internal/incident"
)

// TestSweepReachesTheOthersWhenOneArgoCDIsSilent: it has its own time.
func TestSweepReachesTheOthersWhenOneArgoCDIsSilent(t *testing.T) {
	silent, fine := argotest.NewServer(t), argotest.NewServer(t, fmt.Appendf(nil, `{"application": {
		"metadata": {"name": "pay", "namespace": "argocd", "resourceVersion": "1"}, "spec": {"project": "default"},
		"status": {"sync": {"status": "Synced"}, "health": {"status": "Degraded"}}}}`))
	silent.Delay("List", time.Hour)
	s := &shard{election: alone{}, incidents: incident.NewStore(incident.Policy{}, nil)}
	s.leading.Store(true)
	s.syncer = &incident.Syncer{Store: s.incidents}
	s.instances = []*instance{connected(t, silent, s), connected(t, fine, s)}
	b := &bot{shards: shards{s}}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	ended := make(chan error, 1)
	go func() { ended <- b.sweep(ctx) }()
	for until := time.Now().Add(maxWait); s.instances[1].reconciler.Waiting() == 0 && time.Now().Before(until); {
		time.Sleep(time.Millisecond)
	}
	stop()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("the silent one: %v", err)
	}
	if n := s.instances[1].reconciler.Waiting(); n != 1 {
		t.Errorf("%d applications to be looked at, want pay", n)
	}
}

// connected is an instance that nothing follows.
func connected(t *testing.T, server *argotest.Server, s *shard) *instance {
	t.Helper()
	engine, err := diagnose.New(rules.All())
	if err != nil {
		t.Fatal(err)
	}
	c := &config.Instance{Name: "prod", Server: server.Address, PlainText: true}
	in, err := connect(t.Context(), c, argotest.Token, engine, s.incidents, Options{Version: "test", Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := in.connection.Close(); err != nil {
			t.Error(err)
		}
	})
	in.reconciler = incident.NewReconciler(in.Name, channelReader{in, s.incidents, new(bot).newPlaces(&config.Config{}, audience.NewPolicy(nil, nil, nil), unshared{})}, s.syncer, in.log, incident.Metrics{})
	return in
}
