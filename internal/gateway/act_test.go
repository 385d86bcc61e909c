package gateway

import (
	"errors"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/argo/argotest"
	"github.com/argo-why/argo-why/internal/audience"
)

// TestRefusalOfArgoCDIsNamed: an application that Argo CD does not show is not gone, and not an empty one.
func TestRefusalOfArgoCDIsNamed(t *testing.T) {
	s := argotest.NewServer(t, degraded("pay"))
	in := watching(t, s, "pay")
	s.Fail("Get", status.Error(codes.InvalidArgument, "application references project x\nwhich does not exist"))
	_, err := in.Application(t.Context(), named("pay"))
	var refused *RefusedError
	if !errors.As(err, &refused) || !strings.HasPrefix(err.Error(), "read pay: Argo CD does not show it: ") || !strings.HasSuffix(err.Error(), "references project x which does not exist") {
		t.Errorf("application: %v", err)
	}
	if _, _, err := in.Compare(t.Context(), named("pay"), audience.All()); !errors.As(err, &refused) {
		t.Errorf("compare: %v", err)
	}
	if _, err := in.Situation(t.Context(), action.Request{App: named("pay"), Kind: action.HardRefresh}, audience.All()); !errors.As(err, &refused) {
		t.Errorf("situation: %v", err)
	}
}

func TestTerminateLeavesAnotherOperationAlone(t *testing.T) {
	s := argotest.NewServer(t, degraded("pay"))
	in := watching(t, s, "pay")
	if err := in.Terminate(t.Context(), named("pay"), time.Now()); !errors.Is(err, action.ErrChanged) {
		t.Errorf("no operation is running: %v", err)
	}
	if n := s.Calls()["TerminateOperation"]; n != 0 {
		t.Errorf("%d calls that terminate", n)
	}
}

// TestProjectFromBeforeARestartCounts: Argo CD then tells an application that is gone from one that is hidden.
func TestProjectFromBeforeARestartCounts(t *testing.T) {
	s := argotest.NewServer(t)
	in := watching(t, s)
	if _, err := in.Read(t.Context(), named("pay"), audience.All()); err == nil || errors.Is(err, action.ErrGone) {
		t.Errorf("nothing is known of its project: %v", err)
	}
	in.project = func(action.App) string { return "default" }
	if _, err := in.Read(t.Context(), named("pay"), audience.All()); !errors.Is(err, action.ErrGone) {
		t.Errorf("its project is known: %v", err)
	}
}
