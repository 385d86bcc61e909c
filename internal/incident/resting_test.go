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

func (s *Store) openIncidents() int {
	return s.count(func(e *entry) bool { return e.Phase == Open && e.Failure() })
}
