package gateway

import (
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/argo/argotest"
)

// TestALackingRightNamesTheAccountOfTheBot: not the one that an example has, but the one that the token belongs to.
func TestALackingRightNamesTheAccountOfTheBot(t *testing.T) {
	s := argotest.NewServer(t, degraded("pay"))
	s.Rename("chat-reader")
	s.Deny("applications", "sync", "default/*")
	in := watching(t, s, "pay")
	lacks := func() string {
		t.Helper()
		lack, err := in.Lacks(t.Context(), action.Sync, named("pay"), "default")
		if err != nil {
			t.Fatal(err)
		}
		return lack
	}
	if got, want := lacks(), "add to policy.chat-reader-actions.csv in argocd-rbac-cm of Argo CD "+in.Name+": p, chat-reader, applications, sync, default/*, allow"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got, err := in.Account(t.Context()); err != nil || got != "chat-reader" {
		t.Errorf("%q %v", got, err)
	}
	s.Fail("session.GetUserInfo", status.Error(codes.Unavailable, "busy"))
	if got, want := lacks(), "add to policy.csv in argocd-rbac-cm of Argo CD "+in.Name+": p, ACCOUNT, applications, sync, default/*, allow"; got != want {
		t.Errorf("where Argo CD does not say it\ngot  %s\nwant %s", got, want)
	}
}
