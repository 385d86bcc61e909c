package simulator_test

import (
	"context"
	"errors"
	"testing"
	"time"

	applicationpkg "github.com/argoproj/argo-cd/v2/pkg/apiclient/application"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/argo-why/argo-why/internal/simulator"
)

func TestRunEndsWithItsContext(t *testing.T) {
	t.Parallel()
	s, err := simulator.New(simulator.Options{Token: token})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx) }()
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
	if s.Start() == nil {
		t.Error("a closed server was started")
	}
}

// TestAbsence: the server comes back at the same address with what it knew.
func TestAbsence(t *testing.T) {
	t.Parallel()
	name := "courier-api"
	w := start(t, recorded(t, hookFailed))
	w.get(name)
	address := w.Address()
	w.must(w.Stop())
	if _, err := w.apps.Get(t.Context(), &applicationpkg.ApplicationQuery{Name: &name}); status.Code(err) != codes.Unavailable {
		t.Errorf("while it is away: %v", err)
	}
	w.must(w.Start())
	if w.Address() != address {
		t.Errorf("came back at %s, was at %s", w.Address(), address)
	}
	for { // the client connects again in its own time
		if _, err := w.apps.Get(t.Context(), &applicationpkg.ApplicationQuery{Name: &name}); status.Code(err) != codes.Unavailable {
			w.must(err)
			return
		}
	}
}

func TestErrorsAndRights(t *testing.T) {
	t.Parallel()
	name := "courier-api"
	w := start(t, recorded(t, hookFailed))
	w.Fail("", errors.New("etcdserver: leader changed"))
	w.Fail("ResourceTree", status.Error(codes.Unknown, "cache: key is missing"))
	if _, err := w.apps.Get(t.Context(), &applicationpkg.ApplicationQuery{Name: &name}); err == nil {
		t.Error("no error")
	}
	if _, err := w.apps.ResourceTree(t.Context(), &applicationpkg.ResourcesQuery{ApplicationName: &name}); status.Code(err) != codes.Unknown {
		t.Errorf("an error of its own: %v", err)
	}
	w.Fail("", nil)
	w.get(name)

	w.Deny("applications", "sync", "default/*")
	if _, err := w.apps.Sync(t.Context(), &applicationpkg.ApplicationSyncRequest{Name: &name}); status.Code(err) != codes.PermissionDenied {
		t.Errorf("without the right to: %v", err)
	}
	w.Allow("applications", "sync", "default/*")
	w.SetReadOnly(true)
	if _, err := w.apps.Sync(t.Context(), &applicationpkg.ApplicationSyncRequest{Name: &name}); status.Code(err) != codes.Internal {
		t.Errorf("read-only: %v", err)
	}
}

// arrives waits for the first call since the last Reset.
func (w *world) arrives() {
	for len(w.Calls()) == 0 {
		time.Sleep(time.Millisecond)
	}
}

// TestSlowness: a call that is answered in an hour is under way until its caller gives up.
func TestSlowness(t *testing.T) {
	t.Parallel()
	name := "courier-api"
	w := start(t, recorded(t, hookFailed))
	w.Delay("Get", time.Hour)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		_, err := w.apps.Get(ctx, &applicationpkg.ApplicationQuery{Name: &name})
		done <- err
	}()
	w.arrives()
	w.tree(name) // the others are not slow
	cancel()
	if err := <-done; status.Code(err) != codes.Canceled {
		t.Errorf("got %v", err)
	}
	if w.CallerTimeout("Get") != 0 {
		t.Errorf("its caller would have waited %s", w.CallerTimeout("Get"))
	}
	if calls := w.Calls(); calls["Get"] != 1 || calls["ResourceTree"] != 1 {
		t.Errorf("calls %v", calls)
	}
}

// TestCallsThatWaitForEachOther are answered when enough of them are there.
func TestCallsThatWaitForEachOther(t *testing.T) {
	t.Parallel()
	name := "courier-api"
	w := start(t, recorded(t, hookFailed))
	w.Gather(2)
	done := make(chan error, 1)
	go func() {
		_, err := w.apps.Get(t.Context(), &applicationpkg.ApplicationQuery{Name: &name})
		done <- err
	}()
	w.tree(name)
	w.must(<-done)
	if n := w.Overlap(); n != 2 {
		t.Errorf("%d at once", n)
	}
	w.Gather(2)
	w.Reset()
	ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
	defer cancel()
	go func() {
		_, err := w.apps.Get(ctx, &applicationpkg.ApplicationQuery{Name: &name})
		done <- err
	}()
	w.arrives()
	if d := w.CallerTimeout("Get"); d <= 0 || d > time.Hour {
		t.Errorf("its caller waits %s", d)
	}
	cancel()
	if err := <-done; status.Code(err) != codes.Canceled {
		t.Errorf("alone: %v", err)
	}
}

// TestWatching: the applications first, then what changes; also what an operation does that ends later.
func TestWatching(t *testing.T) {
	t.Parallel()
	w := start(t, recorded(t, hookFailed))
	stream, err := w.apps.Watch(t.Context(), &applicationpkg.ApplicationQuery{})
	w.must(err)
	hear := func(kind watch.EventType, want string) {
		t.Helper()
		e, err := stream.Recv()
		w.must(err)
		if got := stands(&e.Application); e.Type != kind || got != want {
			t.Errorf("heard %s %s, want %s %s", e.Type, got, kind, want)
		}
	}
	hear(watch.Added, "OutOfSync Healthy Failed")
	w.must(w.AwaitStream(t.Context(), 1))

	w.React(simulator.Reactions{Sync: func(o simulator.Operation) simulator.Outcome {
		outcome := simulator.Succeed(o)
		outcome.Takes = time.Millisecond
		return outcome
	}})
	w.sync("courier-api")
	hear(watch.Modified, "OutOfSync Healthy -")
	hear(watch.Modified, "OutOfSync Healthy Running")
	hear(watch.Modified, "Synced Healthy Succeeded")
	w.must(w.Remove(own("courier-api")))
	hear(watch.Deleted, "Synced Healthy Succeeded")
	w.Break()
	if _, err := stream.Recv(); status.Code(err) != codes.Unavailable {
		t.Errorf("a broken stream ends with %v", err)
	}
}

// TestACallThatIsInterrupted: it has its effect, and the caller does not learn of it; the next one goes well.
func TestACallThatIsInterrupted(t *testing.T) {
	t.Parallel()
	w := start(t, recorded(t, hookFailed))
	lost := status.Error(codes.Unavailable, "connection reset by peer")
	w.Interrupt("Sync", func(call func() error) error {
		if err := call(); err != nil {
			t.Error(err)
		}
		return lost
	})
	name := w.Names()[0]
	q := &applicationpkg.ApplicationSyncRequest{Name: &name.Name, AppNamespace: &name.Namespace}
	if _, err := w.apps.Sync(t.Context(), q); status.Code(err) != codes.Unavailable {
		t.Errorf("the first: %v", err)
	}
	if _, err := w.apps.Sync(t.Context(), q); err != nil {
		t.Errorf("the second: %v", err)
	}
	if n := len(w.Operations()); n != 2 {
		t.Errorf("%d operations", n)
	}
}
