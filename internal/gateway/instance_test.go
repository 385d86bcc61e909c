package gateway

import (
	"errors"
	"fmt"
	"log/slog"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/argo"
	"github.com/argo-why/argo-why/internal/argo/argotest"
	"github.com/argo-why/argo-why/internal/audience"
	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/rules"
)

// degraded is an application of the project default that does not do well.
func degraded(name string) []byte {
	return fmt.Appendf(nil, `{"application": {
		"metadata": {"name": %q, "namespace": "argocd", "resourceVersion": "1"}, "spec": {"project": "default"},
		"status": {"sync": {"status": "Synced"}, "health": {"status": "Degraded"}}}}`, name)
}

func named(name string) diagnose.AppName {
	return diagnose.AppName{Instance: "prod", Namespace: "argocd", Name: name}
}

// watching is an instance whose watch stands and has told of all applications.
func watching(t *testing.T, s *argotest.Server, apps ...string) *Instance {
	t.Helper()
	engine, err := diagnose.New(rules.All())
	if err != nil {
		t.Fatal(err)
	}
	c, err := Connect(t.Context(), Options{Argo: argo.Options{Server: s.Address, PlainText: true, AuthToken: argotest.Token}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	in := NewInstance(InstanceOptions{Name: "prod", Connection: c, Engine: engine, Log: slog.New(slog.DiscardHandler)})
	in.setConnectionState(nil)
	for _, app := range apps {
		in.Directory.put(named(app), Entry{Project: "default"})
	}
	return in
}

func TestApplicationIsGoneWhenArgoCDSaysSo(t *testing.T) {
	s := argotest.NewServer(t, degraded("pay"))
	in := watching(t, s, "pay")
	s.Remove(t, "argocd", "pay")
	in.Directory.remove(named("pay")) // the last one of this Argo CD
	if _, err := in.Read(t.Context(), named("pay"), audience.All()); !errors.Is(err, action.ErrGone) {
		t.Errorf("it was deleted: %v", err)
	}
}

// TestApplicationOfAProjectThatIsHiddenNowIsNotGone: lists leave out what an account may not see, without a word.
func TestApplicationOfAProjectThatIsHiddenNowIsNotGone(t *testing.T) {
	s := argotest.NewServer(t, degraded("pay"), degraded("web"))
	in := watching(t, s, "pay", "web")
	s.Fail("Get", status.Error(codes.PermissionDenied, "permission denied"))
	in.Directory.remove(named("pay"))
	if _, err := in.Read(t.Context(), named("pay"), audience.All()); err == nil || errors.Is(err, action.ErrGone) {
		t.Errorf("the account lost a right: %v", err)
	}
}

// TestListCorrectsAProject: the watch may have missed that an application was moved to another project, and Argo CD shows it to nobody
// who names the former one.
func TestListCorrectsAProject(t *testing.T) {
	in := watching(t, argotest.NewServer(t, degraded("pay")))
	in.Directory.put(named("pay"), Entry{Project: "former"})
	if _, err := in.Read(t.Context(), named("pay"), audience.All()); err == nil {
		t.Fatal("it was read by the name of its former project")
	}
	if _, err := in.Unwell(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := in.Read(t.Context(), named("pay"), audience.All()); err != nil {
		t.Errorf("it is of another project, as the list says: %v", err)
	}
}

// TestListBringsNobodyBack: it may be older than what the watch has told since.
func TestListBringsNobodyBack(t *testing.T) {
	in := watching(t, argotest.NewServer(t, degraded("pay")))
	if unwell, err := in.Unwell(t.Context()); err != nil || len(unwell) != 1 {
		t.Fatalf("unwell: %v, %v", unwell, err)
	}
	if n := in.Directory.Len(); n != 0 {
		t.Errorf("%d applications in the directory", n)
	}
}
