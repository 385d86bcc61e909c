//go:build live

package hooks_test

import (
	"bufio"
	"context"
	"io"
	"net"
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
	behind := onlyGRPC(t, os.Getenv("ARGOCD_SERVER"))
	for name, way := range map[string]struct {
		options argo.Options
		whole   bool
	}{
		"grpc":     {argo.Options{PlainText: true}, false},
		"grpc-web": {argo.Options{PlainText: true, GRPCWeb: true}, false},
		"no-http":  {argo.Options{PlainText: true, Server: behind}, true},
	} {
		t.Run(name, func(t *testing.T) {
			client, err := argo.Connect(t.Context(), way.options)
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
			if err := client.CheckWeb(t.Context()); (err != nil) != way.whole {
				t.Errorf("the HTTP API: %v", err)
			}
			began := time.Now()
			states, err := client.List(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for i := range states {
				if states[i].Partial == way.whole {
					t.Errorf("%s: partial is %t", states[i].Name, states[i].Partial)
				}
			}
			t.Logf("%s (%s) sees %d applications, in %s", account.Name, account.Issuer, len(states), time.Since(began).Round(time.Millisecond))
			followOne(t, client, "hooks-follow-"+name, way.whole)
		})
	}
}

// TestFollowTellsNothingTwice: what was read completely is no news in Argo CD's lists, nor on its stream when it has compared again.
// This is where a version of Argo CD would show that answers in other words over HTTP than over gRPC.
func TestFollowTellsNothingTwice(t *testing.T) {
	client, err := argo.Connect(t.Context(), argo.Options{PlainText: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Close() })
	const name = "hooks-follow-twice"
	apply(t, name, map[string]any{"path": "there-is-no-such-path"}, false)
	await(t, "the comparison", func() bool { return field(t, name, ".status.conditions[0].type") == "ComparisonError" })
	ctx, cancel := context.WithCancel(t.Context())
	heard, changes, ended := make(chan error, 100), make(chan argo.Change, 10000), make(chan error, 1)
	go func() {
		ended <- client.Follow(ctx, argo.FollowOptions{Relist: 5 * time.Second, Heard: func(err error) { heard <- err }}, func(c argo.Change) { changes <- c })
	}()
	defer func() {
		cancel()
		<-ended //nolint:errcheck // the context's
	}()
	awaitChange(t, changes, "the application", func(c argo.Change) bool { return c.State.Name == name && !c.State.Partial })
	said := field(t, name, ".status.conditions[0].message")
	// Hard: the error of a render that is cached begins with other words.
	kubectl(t, "", "-n", "argocd", "annotate", "application", name, "argocd.argoproj.io/refresh=hard")
	await(t, "another comparison", func() bool { return field(t, name, `.metadata.annotations.argocd\.argoproj\.io/refresh`) == "" })
	for range 4 {
		if err := <-heard; err != nil {
			t.Fatal(err)
		}
	}
	if now := field(t, name, ".status.conditions[0].message"); now != said {
		t.Fatalf("Argo CD says something else now: %s, before: %s", now, said)
	}
	for len(changes) > 0 {
		if c := <-changes; c.State.Name == name {
			t.Errorf("told again: %+v", c.State)
		}
	}
}

// onlyGRPC is a proxy in front of a plaintext argocd-server that lets nothing else through. What is not gRPC begins with GET.
func onlyGRPC(t *testing.T, server string) (address string) {
	t.Helper()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go pass(t, conn, server)
		}
	}()
	return listener.Addr().String()
}

func pass(t *testing.T, conn net.Conn, server string) {
	defer func() { _ = conn.Close() }()
	r := bufio.NewReader(conn)
	first, err := r.Peek(1)
	if err != nil {
		return
	}
	if first[0] == 'G' {
		_, _ = io.WriteString(conn, "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n") // the client shows what it got
		return
	}
	to, err := new(net.Dialer).DialContext(t.Context(), "tcp", server)
	if err != nil {
		return
	}
	defer func() { _ = to.Close() }()
	go func() { _, _ = io.Copy(conn, to) }() // each ends with its connection
	_, _ = io.Copy(to, r)
}

func followOne(t *testing.T, client *argo.Client, name string, whole bool) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	heard, changes, ended, reasons := make(chan error, 100), make(chan argo.Change, 10000), make(chan error, 1), make(chan error, 100)
	go func() {
		o := argo.FollowOptions{Heard: func(err error) { heard <- err }, Whole: func(err error) { reasons <- err }}
		ended <- client.Follow(ctx, o, func(c argo.Change) { changes <- c })
	}()
	defer func() {
		cancel()
		<-ended //nolint:errcheck // the context's
	}()
	if err := <-heard; err != nil {
		t.Fatal(err)
	}
	if got := len(reasons) > 0; got != whole {
		t.Fatalf("whole applications: %t, want %t", got, whole)
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
