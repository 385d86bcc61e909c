//go:build live

package journal_test

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/kube"
	"github.com/argo-why/argo-why/test/cluster"
)

// candidate is a replica that would lead.
type candidate struct {
	*kube.Election
	leads, terms chan struct{}
	stop         func()
}

func run(t *testing.T, c *cluster.Cluster, identity, shard string, turn func(time.Duration) bool) *candidate {
	t.Helper()
	j, err := kube.OpenJournal(kube.Options{Kubeconfig: c.Kubeconfig, UserAgent: "argo-why/test"}, "")
	if err != nil {
		t.Fatal(err)
	}
	n := &candidate{leads: make(chan struct{}, 10), terms: make(chan struct{}, 10)}
	n.Election = j.Election(kube.ElectionOptions{Shard: shard, Identity: identity, Turn: turn, Log: slog.New(slog.NewTextHandler(t.Output(), nil))})
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() {
		if err := n.Run(ctx, func(ctx context.Context) {
			n.leads <- struct{}{}
			<-ctx.Done()
			n.terms <- struct{}{}
		}); err != nil {
			t.Error(err)
		}
	})
	n.stop = func() { cancel(); running.Wait() }
	t.Cleanup(n.stop)
	return n
}

func await(t *testing.T, what string, happened <-chan struct{}) {
	t.Helper()
	select {
	case <-happened:
	case <-time.After(time.Minute):
		t.Fatalf("waited in vain until %s", what)
	}
}

// TestNobodyLeadsBesideTheLeaderOfAll: while the configuration is changed, replicas with both settings run.
func TestNobodyLeadsBesideTheLeaderOfAll(t *testing.T) {
	c := cluster.NewWithJournal(t, "election", "eu")
	all := run(t, c, "old", "", nil)
	await(t, "one leads all", all.leads)
	tried := make(chan struct{}, 100)
	eu := run(t, c, "new", "eu", func(time.Duration) bool { tried <- struct{}{}; return true })
	for range 3 {
		await(t, "the other tries to lead", tried)
	}
	if eu.Leading() == nil {
		t.Fatal("two lead at once")
	}
	all.stop()
	await(t, "the other leads", eu.leads)
}

// TestALeaderResigns for another one whose turn it is, and leads again when it is its own.
func TestALeaderResigns(t *testing.T) {
	c := cluster.NewWithJournal(t, "resign", "eu")
	var turn atomic.Bool
	turn.Store(true)
	first := run(t, c, "a", "eu", func(time.Duration) bool { return turn.Load() })
	await(t, "the first leads", first.leads)
	second := run(t, c, "b", "eu", nil)
	turn.Store(false)
	first.Resign()
	await(t, "the first ends its term", first.terms)
	await(t, "the second leads", second.leads)
	if first.Leading() == nil {
		t.Error("two lead at once")
	}
	second.stop()
	turn.Store(true)
	await(t, "the first leads again", first.leads)
	first.Resign() // for nobody
	await(t, "the first ends its term", first.terms)
	await(t, "the first leads again", first.leads)
}
