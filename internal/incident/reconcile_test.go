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

// readings is a Reader that counts.
type readings struct {
	mu    sync.Mutex
	count map[string]int
	read  func(App) (*diagnose.Report, error)
}

func (r *readings) Read(_ context.Context, app App) (*diagnose.Report, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.count[app.Name]++
	return r.read(app)
}

// TestApplicationThatCannotBeReadIsGivenUpUnlessSomethingIsToldOfIt: Argo CD tells of applications that the account may not
// read, too, and each would be asked for again and again until the bot ends. The sweep finds those that matter.
func TestApplicationThatCannotBeReadIsGivenUpUnlessSomethingIsToldOfIt(t *testing.T) {
	s, m, log := newStory(t), &memory{held: map[string]*Incident{}}, slog.New(slog.DiscardHandler)
	syncer := NewSyncer(s.store, m, m, log, Metrics{}) // it has nothing to do
	synctest.Test(t, func(t *testing.T) {
		s.store.Observe(fails("pay", hookFailed, refused), morning)
		reader := &readings{count: map[string]int{}, read: func(App) (*diagnose.Report, error) { return nil, errors.New("permission denied") }}
		r := NewReconciler("prod", reader, syncer, log, Metrics{})
		ctx, cancel := context.WithCancel(t.Context())
		var running sync.WaitGroup
		running.Go(func() { _ = r.Run(ctx) })
		r.Add(named("pay"))
		r.Add(named("foreign"))
		time.Sleep(time.Hour)
		cancel()
		running.Wait()
		if n := reader.count["pay"]; n < 100 {
			t.Errorf("the one with an incident was read %d times in an hour", n)
		}
		if n := reader.count["foreign"]; n < 5 || n > 20 {
			t.Errorf("the other was read %d times in an hour", n)
		}
	})
}
