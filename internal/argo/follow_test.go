package argo_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/argo-why/argo-why/internal/argo"
	"github.com/argo-why/argo-why/internal/argo/argotest"
)

// shop is an application, healthy or not, at some version.
func shop(name, health, version string) []byte {
	return fmt.Appendf(nil, `{"application": {
		"metadata": {"name": %q, "namespace": "argocd", "resourceVersion": %q},
		"spec": {"project": "default"},
		"status": {"sync": {"status": "Synced"}, "health": {"status": %q}, "reconciledAt": "2026-11-21T10:00:%02sZ"}}}`, name, version, health, version)
}

// following is a Follow under way, and what it told.
type following struct {
	changes chan string // "shop Degraded", "shop gone"
	heard   chan error
	whole   chan error
	done    chan error
	cancel  context.CancelCauseFunc
}

func follow(t *testing.T, c *argo.Client, relist time.Duration) *following {
	t.Helper()
	ctx, cancel := context.WithCancelCause(t.Context())
	f := &following{changes: make(chan string, 100), heard: make(chan error, 1000), whole: make(chan error, 100), done: make(chan error, 1), cancel: cancel}
	go func() {
		f.done <- c.Follow(ctx, argo.FollowOptions{Relist: relist, Heard: func(err error) { f.heard <- err }, Whole: func(err error) { f.whole <- err }}, func(change argo.Change) {
			what := change.State.Health
			if change.Deleted {
				what = "gone"
			}
			f.changes <- change.State.Name + " " + what
		})
	}()
	t.Cleanup(func() {
		cancel(nil)
		if err := <-f.done; err == nil {
			t.Error("Follow ended, and says no reason")
		}
	})
	return f
}

func receive[T any](t *testing.T, from <-chan T, what string) T {
	t.Helper()
	select {
	case v := <-from:
		return v
	case <-time.After(2 * time.Minute): // for the slowest machine
		t.Fatalf("waited too long for %s", what)
	}
	panic("unreachable")
}

func (f *following) want(t *testing.T, changes ...string) {
	t.Helper()
	for _, want := range changes {
		if got := receive(t, f.changes, want); got != want {
			t.Fatalf("told %q, want %q", got, want)
		}
	}
}

// stands waits until the stream stands and the list is through, and returns what was complained of before.
func (f *following) stands(t *testing.T) (complaints []error) {
	t.Helper()
	for {
		err := receive(t, f.heard, "a stream that stands")
		if err == nil {
			return complaints
		}
		complaints = append(complaints, err)
	}
}

func TestFollowTellsAllOnceAndThenWhatChanges(t *testing.T) {
	t.Parallel()
	s := argotest.NewServer(t, shop("shop", "Healthy", "1"), shop("till", "Degraded", "2"))
	f := follow(t, connect(t, s, argo.Options{}), time.Hour)
	f.want(t, "shop Healthy", "till Degraded")
	f.stands(t)
	s.AwaitWatch(t, 1)
	s.Put(t, shop("shop", "Healthy", "3")) // Argo CD looked again and found nothing new
	s.Put(t, shop("shop", "Degraded", "4"))
	s.Put(t, shop("cart", "Missing", "5"))
	s.Remove(t, "argocd", "till")
	f.want(t, "shop Degraded", "cart Missing", "till gone")
}

func TestFollowFindsWhatChangedWhileTheStreamWasBroken(t *testing.T) {
	t.Parallel()
	s := argotest.NewServer(t, shop("shop", "Healthy", "1"), shop("till", "Healthy", "1"))
	f := follow(t, connect(t, s, argo.Options{}), time.Hour)
	f.want(t, "shop Healthy", "till Healthy")
	f.stands(t)
	s.AwaitWatch(t, 1)
	s.Break()
	s.Remove(t, "argocd", "till")
	s.Put(t, shop("shop", "Degraded", "2"))
	if err := receive(t, f.heard, "a complaint"); err == nil {
		t.Fatal("the stream broke and nobody was told")
	}
	f.want(t, "shop Degraded", "till gone")
	f.stands(t)
	s.AwaitWatch(t, 2)
	s.Put(t, shop("shop", "Healthy", "3"))
	f.want(t, "shop Healthy")
}

func TestFollowComesBackWithTheServer(t *testing.T) {
	t.Parallel()
	s := argotest.NewServer(t, shop("shop", "Healthy", "1"))
	f := follow(t, connect(t, s, argo.Options{}), time.Hour)
	f.want(t, "shop Healthy")
	f.stands(t)
	s.AwaitWatch(t, 1)
	s.Stop()
	s.Put(t, shop("shop", "Degraded", "2"))
	if err := receive(t, f.heard, "a complaint"); problemOf(err) != argo.Unreachable {
		t.Fatalf("told %v, want that nobody answers", err)
	}
	s.Start(t)
	f.want(t, "shop Degraded")
	f.stands(t)
}

func TestFollowOutlivesASilentStream(t *testing.T) {
	t.Parallel()
	s := argotest.NewServer(t, shop("shop", "Healthy", "1"))
	s.Mute(true)
	c := connect(t, s, argo.Options{})
	if _, err := c.List(t.Context()); err != nil { // connected, so that the first list has all of its time
		t.Fatal(err)
	}
	f := follow(t, c, time.Second)
	f.want(t, "shop Healthy")
	s.Put(t, shop("shop", "Degraded", "2"))
	f.want(t, "shop Degraded")
	s.AwaitWatch(t, 2)
	if complaints := f.stands(t); complaints != nil {
		t.Errorf("to list again is no trouble, yet it was told: %v", complaints)
	}
}

func TestFollowSaysWhyItDoesNotFollow(t *testing.T) {
	t.Parallel()
	s := argotest.NewServer(t, shop("shop", "Healthy", "1"))
	s.Fail("List", status.Error(codes.Unavailable, "connection refused by Redis"))
	f := follow(t, connect(t, s, argo.Options{}), time.Hour)
	err := receive(t, f.heard, "a complaint")
	const want = "list applications: connection refused by Redis"
	if err == nil || err.Error() != want {
		t.Fatalf("told %v, want %s", err, want)
	}
	s.Fail("List", nil)
	f.want(t, "shop Healthy")
}

func TestFollowEndsWithItsContext(t *testing.T) {
	t.Parallel()
	s := argotest.NewServer(t, shop("shop", "Healthy", "1"))
	f := follow(t, connect(t, s, argo.Options{}), time.Hour)
	f.stands(t)
	enough := errors.New("enough")
	f.cancel(enough)
	if err := receive(t, f.done, "the end"); !errors.Is(err, enough) {
		t.Errorf("ended with %v, want %v", err, enough)
	}
	f.done <- enough // for the clean-up
}

// TestFollowTellsWhereAnApplicationBelongs: what a list is filtered by, also when nothing else changes.
func TestFollowTellsWhereAnApplicationBelongs(t *testing.T) {
	t.Parallel()
	labelled := func(labels, destination string) []byte {
		return fmt.Appendf(nil, `{"application": {
			"metadata": {"name": "shop", "namespace": "argocd", "resourceVersion": "1", "labels": %s},
			"spec": {"project": "default", "destination": %s},
			"status": {"sync": {"status": "Synced"}, "health": {"status": "Healthy"}}}}`, labels, destination)
	}
	s := argotest.NewServer(t, labelled(`{"tier": "web", "team": "pay"}`, `{"name": "prod-eu"}`))
	told := make(chan string, 10)
	ctx, cancel := context.WithCancel(t.Context())
	client, done := connect(t, s, argo.Options{}), make(chan struct{})
	go func() {
		defer close(done)
		_ = client.Follow(ctx, argo.FollowOptions{Relist: time.Hour}, func(c argo.Change) { told <- c.State.Cluster + " " + c.State.Labels })
	}()
	defer func() { cancel(); <-done }()
	if got := receive(t, told, "the application"); got != "prod-eu team=pay,tier=web" {
		t.Errorf("told %q", got)
	}
	s.AwaitWatch(t, 1)
	s.Put(t, labelled(`{"team": "web"}`, `{"name": "prod-eu"}`))
	if got := receive(t, told, "another label"); got != "prod-eu team=web" {
		t.Errorf("told %q", got)
	}
	s.Put(t, labelled(`{"team": "web"}`, `{"server": "https://10.0.0.1:6443"}`))
	if got := receive(t, told, "another cluster"); got != "https://10.0.0.1:6443 team=web" {
		t.Errorf("told %q", got)
	}
}
