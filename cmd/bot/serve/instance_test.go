package serve

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/argo-why/argo-why/config"
	"github.com/argo-why/argo-why/internal/argo/argotest"
	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/rules"
	"github.com/argo-why/argo-why/internal/incident"
)

// degraded is an application of the project default that does not do well.
func degraded(name string) []byte {
	return fmt.Appendf(nil, `{"application": {
		"metadata": {"name": %q, "namespace": "argocd", "resourceVersion": "1"}, "spec": {"project": "default"},
		"status": {"sync": {"status": "Synced"}, "health": {"status": "Degraded"}}}}`, name)
}

func named(name string) incident.App {
	return incident.App{Instance: "prod", Namespace: "argocd", Name: name}
}

// watching is an instance whose watch stands and has told of all applications.
func watching(t *testing.T, s *argotest.Server, apps ...string) *instance {
	t.Helper()
	t.Setenv("PROD_TOKEN", argotest.Token)
	engine, err := diagnose.New(rules.All())
	if err != nil {
		t.Fatal(err)
	}
	c := &config.Instance{Name: "prod", Server: s.Address, PlainText: true, Token: config.Secret{Env: "PROD_TOKEN"}}
	in, err := connect(t.Context(), c, engine, "test", slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := in.client.Close(); err != nil {
			t.Error(err)
		}
	})
	in.hear(nil)
	in.book = incident.NewStore(incident.Policy{}, nil)
	in.reconciler = incident.NewReconciler("prod", in, &incident.Syncer{Store: in.book}, in.log, incident.Metrics{})
	for _, app := range apps {
		in.known.put(named(app), "default")
	}
	return in
}

func TestApplicationIsGoneWhenArgoCDSaysSo(t *testing.T) {
	s := argotest.NewServer(t, degraded("pay"))
	in := watching(t, s, "pay")
	s.Remove(t, "argocd", "pay")
	in.known.remove(named("pay")) // the last one of this Argo CD
	if _, err := in.Read(t.Context(), named("pay")); !errors.Is(err, incident.ErrGone) {
		t.Errorf("it was deleted: %v", err)
	}
}

// TestApplicationOfAProjectThatIsHiddenNowIsNotGone: lists leave out what an account may not see, without a word.
func TestApplicationOfAProjectThatIsHiddenNowIsNotGone(t *testing.T) {
	s := argotest.NewServer(t, degraded("pay"), degraded("web"))
	in := watching(t, s, "pay", "web")
	s.Fail("Get", status.Error(codes.PermissionDenied, "permission denied"))
	in.known.remove(named("pay"))
	if _, err := in.Read(t.Context(), named("pay")); err == nil || errors.Is(err, incident.ErrGone) {
		t.Errorf("the account lost a right: %v", err)
	}
}

// TestSweepReachesTheOthersWhenOneArgoCDIsSilent: it has its own time.
func TestSweepReachesTheOthersWhenOneArgoCDIsSilent(t *testing.T) {
	silent, fine := argotest.NewServer(t), argotest.NewServer(t, degraded("pay"))
	silent.Delay("List", time.Hour)
	b := &bot{book: incident.NewStore(incident.Policy{}, nil), instances: []*instance{watching(t, silent), watching(t, fine)}}
	b.keeper = &incident.Syncer{Store: b.book}
	n := 0
	for limit := 100 * time.Millisecond; n == 0 && limit < time.Minute; limit *= 2 { // a slow machine needs longer
		ctx, cancel := context.WithTimeout(t.Context(), limit)
		err := b.sweep(ctx)
		cancel()
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("the silent one: %v", err)
		}
		n = b.instances[1].reconciler.Waiting()
	}
	if n != 1 {
		t.Errorf("%d applications to be looked at, want pay", n)
	}
}

// TestSweepBringsNobodyBack: its list may be older than what the watch has told since.
func TestSweepBringsNobodyBack(t *testing.T) {
	in := watching(t, argotest.NewServer(t, degraded("pay")))
	if err := in.Sweep(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if n := in.known.size(); n != 0 {
		t.Errorf("%d applications in the directory", n)
	}
}
