//go:build live

package hooks_test

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/argo"
)

// The other source: Argo CD's API server tells what changes, without any configuration of its own.
func TestFollow(t *testing.T) {
	if os.Getenv("ARGOCD_SERVER") == "" || os.Getenv("ARGOCD_AUTH_TOKEN") == "" {
		t.Fatal("set ARGOCD_SERVER and ARGOCD_AUTH_TOKEN (plaintext) beside KUBECONFIG and GIT_URL")
	}
	for name, o := range map[string]argo.Options{"grpc": {PlainText: true}, "grpc-web": {PlainText: true, GRPCWeb: true}} {
		t.Run(name, func(t *testing.T) {
			client, err := argo.Connect(t.Context(), o)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = client.Close() })
			account, err := client.Whoami(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			may, err := client.CanI(t.Context(), "applications", "get", "*/*")
			if err != nil || !may {
				t.Fatalf("%+v may get applications: %v, %v", account, may, err)
			}
			began := time.Now()
			states, err := client.List(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%s (%s) sees %d applications, in %s", account.Name, account.Issuer, len(states), time.Since(began).Round(time.Millisecond))
			followOne(t, client, "hooks-follow-"+name)
		})
	}
}

func followOne(t *testing.T, client *argo.Client, name string) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	heard, changes, ended := make(chan error, 100), make(chan argo.Change, 10000), make(chan error, 1)
	go func() {
		ended <- client.Follow(ctx, argo.FollowOptions{Heard: func(err error) { heard <- err }}, func(c argo.Change) { changes <- c })
	}()
	defer func() {
		cancel()
		<-ended //nolint:errcheck // the context's
	}()
	if err := <-heard; err != nil {
		t.Fatal(err)
	}
	t.Run("application", func(t *testing.T) {
		apply(t, name, map[string]any{"path": "there-is-no-such-path"}, false)
		awaitChange(t, changes, "the application and what is wrong with it", func(c argo.Change) bool {
			return c.State.Name == name && !c.State.Well() && len(c.State.Conditions) > 0 && c.State.Conditions[0] == "ComparisonError"
		})
	}) // and here it is deleted
	awaitChange(t, changes, "its end", func(c argo.Change) bool { return c.State.Name == name && c.Deleted })
}

func awaitChange(t *testing.T, changes <-chan argo.Change, what string, found func(argo.Change) bool) {
	t.Helper()
	end := time.After(patience)
	for {
		select {
		case c := <-changes:
			if found(c) {
				return
			}
		case <-end:
			t.Fatalf("waited too long for %s", what)
		}
	}
}
