package incident

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
)

// TestWhatIsTooLargeIsTriedRarely: each try costs as much as many other applications, and whoever made it so large can change it every second.
func TestWhatIsTooLargeIsTriedRarely(t *testing.T) {
	s, m, log := newStory(t), &memory{held: map[string]*Incident{}}, slog.New(slog.DiscardHandler)
	syncer := NewSyncer(s.store, m, m, log, Metrics{}) // it has nothing to do
	synctest.Test(t, func(t *testing.T) {
		reader := &readings{count: map[string]int{}, read: func(app App) (*diagnose.Report, error) {
			return diagnose.Undiagnosed(app, diagnose.Context{Project: "shop"}, errors.New("more than 50,000 entries in its lists")), nil
		}}
		r := NewReconciler("prod", reader, syncer, log, Metrics{})
		ctx, cancel := context.WithCancel(t.Context())
		var running sync.WaitGroup
		running.Go(func() { _ = r.Run(ctx) })
		for range 600 {
			r.Add(named("pay"))
			time.Sleep(time.Second)
		}
		posted := reader.count["pay"]
		if s.store.openIncidents() != 1 {
			t.Errorf("%d incidents are open", s.store.openIncidents())
		}
		for range 600 {
			r.Add(named("pay"))
			time.Sleep(time.Second)
		}
		if n := reader.count["pay"] - posted; n != 0 {
			t.Errorf("read %d times in ten minutes after it was posted", n)
		}
		r.AddFirst(named("pay"))
		time.Sleep(time.Second)
		if n := reader.count["pay"] - posted; n != 1 {
			t.Errorf("read %d times for a person who asked", n)
		}
		time.Sleep(2 * time.Hour)
		if n := reader.count["pay"] - posted; n < 2 || n > 4 {
			t.Errorf("read %d times in two hours", n)
		}
		cancel()
		running.Wait()
	})
}

// TestWhatIsTooLargeIsTriedAgainWhenItsSpecChanges, at once: somebody may have made it smaller. Whoever keeps changing it has it tried every ten
// minutes and no oftener.
func TestWhatIsTooLargeIsTriedAgainWhenItsSpecChanges(t *testing.T) {
	s, m, log := newStory(t), &memory{held: map[string]*Incident{}}, slog.New(slog.DiscardHandler)
	syncer := NewSyncer(s.store, m, m, log, Metrics{}) // it has nothing to do
	synctest.Test(t, func(t *testing.T) {
		small := false
		reader := &readings{count: map[string]int{}, read: func(app App) (*diagnose.Report, error) {
			if small {
				return &diagnose.Report{App: app, Verdict: diagnose.VerdictHealthy}, nil
			}
			return diagnose.Undiagnosed(app, diagnose.Context{Project: "shop"}, errors.New("more than 50,000 entries in its lists")), nil
		}}
		wanted := uint64(1)
		r := NewReconciler("prod", reader, syncer, log, Metrics{})
		r.Wanted = func(App) uint64 { return wanted }
		ctx, cancel := context.WithCancel(t.Context())
		var running sync.WaitGroup
		running.Go(func() { _ = r.Run(ctx) })
		before := 0
		tried := func(what string, d time.Duration, each func(), atLeast, atMost int) {
			for range d / time.Second {
				each()
				r.Add(named("pay"))
				time.Sleep(time.Second)
			}
			n := reader.count["pay"] - before
			if before += n; n < atLeast || n > atMost {
				t.Errorf("%s: read %d times in %s", what, n, d)
			}
		}
		same := func() {}
		tried("until it is posted", 10*time.Minute, same, 2, 4)
		tried("its state changes", 10*time.Minute, same, 0, 0)
		wanted++
		tried("its spec has changed", 5*time.Second, same, 1, 1)
		tried("its state changes", 10*time.Minute, same, 0, 0)
		tried("its spec changes all the time", 30*time.Minute, func() { wanted++ }, 2, 4)
		small, wanted = true, wanted+1
		tried("it is small", 11*time.Minute, same, 1, 700)
		if left := r.resting.left(named("pay"), wanted, time.Now()); left > 0 {
			t.Errorf("one that was read rests for %s", left)
		}
		cancel()
		running.Wait()
	})
}

func (s *Store) openIncidents() int {
	return s.count(func(e *entry) bool { return e.Phase == Open && e.Failure() })
}
