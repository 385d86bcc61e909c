package incident

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
)

// inStorm is how many applications begin to fail of one Git host, and reading how long it takes to read one: two minutes for all.
const (
	inStorm = 5000
	reading = 200 * time.Millisecond
)

// storm is a Reconciler in the middle of one.
type storm struct {
	*kept
	*readings
	reconciler *Reconciler
	order      []string // in which they were read
}

func stormOf(t *testing.T, play func(s *storm)) {
	t.Helper()
	keep(t, func(k *kept) {
		s := &storm{kept: k}
		s.readings = &readings{count: map[string]int{}, read: func(app App) (*diagnose.Report, error) {
			s.order = append(s.order, app.Name)
			if app.Name == "pay" {
				return fails(app.Name, hookFailed, refused).Report, nil
			}
			return failsOfGit(app.Name).Report, nil
		}}
		s.reconciler = NewReconciler("prod", s, k.syncer, slog.New(slog.DiscardHandler), Metrics{})
		ctx, cancel := context.WithCancel(k.t.Context())
		var running sync.WaitGroup
		running.Go(func() { _ = s.reconciler.Run(ctx) })
		for n := range inStorm {
			s.reconciler.AddAs(named(fmt.Sprintf("app-%04d", n)), "Unknown Healthy ComparisonError")
		}
		play(s)
		cancel()
		running.Wait()
	})
}

// Read implements Reader: it takes its time.
func (s *storm) Read(ctx context.Context, app App) (*diagnose.Report, error) {
	time.Sleep(reading)
	return s.readings.Read(ctx, app)
}

func (s *storm) reads() int {
	s.readings.mu.Lock()
	defer s.readings.mu.Unlock()
	return len(s.order)
}

// readAfter is how many were read since there were so many, up to and with an application.
func (s *storm) readAfter(before int, app string) int {
	s.readings.mu.Lock()
	defer s.readings.mu.Unlock()
	for n, name := range s.order[before:] {
		if name == app {
			return n + 1
		}
	}
	return -1
}

// TestStormIsPostedBeforeAllOfItIsRead: those that have failed for long enough go before those that nobody has looked at yet. In the end
// each was read once: what is counted need not be read again to be posted.
func TestStormIsPostedBeforeAllOfItIsRead(t *testing.T) {
	stormOf(t, func(s *storm) {
		s.wait(time.Minute + 2*time.Second) // what policy says it waits, and a moment
		if s.times() == 0 {
			t.Errorf("nothing is posted, %d were read", s.reads())
			return
		}
		if n := s.reads(); n > inStorm*2/3 {
			t.Errorf("%d were read before the first message", n)
		}
		if n := len(s.said[0].Members); n < 1000 || n >= inStorm {
			t.Errorf("the first message counts %d, want those that were read", n)
		}
		s.wait(5 * time.Minute)
		if n := s.reads(); n < inStorm || n > inStorm+2*readers {
			t.Errorf("%d were read in all", n)
		}
		if all := s.store.All(); len(all) != 1 || len(all[0].Members) != inStorm {
			t.Errorf("%d incidents, the first of %d", len(all), len(all[0].Members))
		}
	})
}

// TestWhatIsNoPartOfAStormIsReadFirst: it looks otherwise in Argo CD's list.
func TestWhatIsNoPartOfAStormIsReadFirst(t *testing.T) {
	stormOf(t, func(s *storm) {
		s.wait(65 * time.Second)
		before := s.reads()
		s.reconciler.AddAs(named("pay"), "OutOfSync Healthy Failed")
		s.wait(2 * time.Second)
		if n := s.readAfter(before, "pay"); n < 0 || n > 2*readers {
			t.Errorf("it was read as number %d of those that wait", n)
		}
	})
}

// TestWhoeverWaitsComesFirst: also before the storm is posted, and for one that looks like it.
func TestWhoeverWaitsComesFirst(t *testing.T) {
	stormOf(t, func(s *storm) {
		s.wait(5 * time.Second)
		before := s.reads()
		s.reconciler.AddFirst(named(fmt.Sprintf("app-%04d", inStorm-1)))
		s.wait(2 * time.Second)
		if n := s.readAfter(before, fmt.Sprintf("app-%04d", inStorm-1)); n < 0 || n > 2*readers {
			t.Errorf("it was read as number %d of those that wait", n)
		}
	})
}

// TestWhatOnlyLooksLikeAStormIsPostedByItself: no application is counted that was not read.
func TestWhatOnlyLooksLikeAStormIsPostedByItself(t *testing.T) {
	stormOf(t, func(s *storm) {
		s.wait(65 * time.Second)
		s.reconciler.AddAs(named("pay"), "Unknown Healthy ComparisonError")
		s.wait(10 * time.Minute)
		pay := s.store.Of(named("pay"))
		if pay == nil || pay.Outage() || pay.Thread.TS == "" {
			t.Errorf("pay is told in %+v", pay)
		}
		if all := s.store.All(); len(all) != 2 {
			t.Errorf("%d incidents", len(all))
		}
	})
}
