package incident

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// mortal is the journal as one process has it: what a process that was killed writes never arrives.
type mortal struct {
	*memory
	dead atomic.Bool
}

func (m *mortal) Put(ctx context.Context, i *Incident) error {
	if m.dead.Load() {
		return errors.New("killed")
	}
	return m.memory.Put(ctx, i)
}

// untilPosted is how long it takes until a failure is posted that is seen every second, by a bot that is killed at these moments.
func untilPosted(t *testing.T, see func(now time.Time) Seen, kills ...time.Duration) (took time.Duration) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		disk := &memory{held: map[string]*Incident{}}
		var running sync.WaitGroup
		start := func() (*Store, *Syncer, func()) {
			held, _ := disk.List(t.Context()) // memory does not fail here
			journal, store := &mortal{memory: disk}, NewStore(policy(), held)
			s := NewSyncer(store, journal, disk, slog.New(slog.DiscardHandler), Metrics{})
			ctx, cancel := context.WithCancel(t.Context())
			running.Go(func() { _ = s.Run(ctx) }) // of a killed one it says what it could not write
			return store, s, func() { journal.dead.Store(true); cancel(); running.Wait() }
		}
		store, syncer, kill := start()
		defer func() { kill() }()
		began := time.Now()
		for took = 0; took < time.Hour; took = time.Since(began).Round(time.Second) {
			if len(kills) > 0 && took >= kills[0] {
				kill()
				kills = kills[1:]
				store, syncer, kill = start()
			}
			out := store.Observe(see(time.Now()), time.Now())
			syncer.Touch(out.Touched...)
			if out.Reason == Waiting {
				syncer.saveLater(out.ID)
			}
			if out.Reason == Opened {
				return
			}
			time.Sleep(time.Second)
		}
	})
	return took
}

const drifted = "drift/manual-edit" // which waits for a quarter of an hour

// TestAKillLosesNothingOfAWaitThatArgoCDDates, and of any other at most what was not saved yet.
func TestAKillLosesNothingOfAWaitThatArgoCDDates(t *testing.T) {
	type sight func(began time.Time) func(now time.Time) Seen
	for name, c := range map[string]struct {
		see   sight
		loses time.Duration
	}{
		"the condition or the health is dated": {func(began time.Time) func(time.Time) Seen {
			return func(time.Time) Seen {
				s := fails("pay", drifted, refused)
				s.Report.Context.CauseSince = began
				return s
			}
		}, 0},
		"the operation is dated": {func(began time.Time) func(time.Time) Seen {
			return func(time.Time) Seen {
				s := fails("pay", drifted, refused)
				s.Report.Context.Since = began
				return s
			}
		}, 0},
		"nothing is dated": {func(time.Time) func(time.Time) Seen {
			return func(time.Time) Seen { return fails("pay", drifted, refused) }
		}, waitUnsaved},
		"another cause after five minutes, which is dated": {func(began time.Time) func(time.Time) Seen {
			return func(now time.Time) Seen {
				s := fails("pay", drifted, refused)
				s.Report.Context.CauseSince = began
				if changed := began.Add(5 * time.Minute); now.After(changed) {
					s = fails("pay", "drift/webhook", refused)
					s.Report.Context.CauseSince = changed
				}
				return s
			}
		}, 0},
		"another cause after five minutes, undated": {func(began time.Time) func(time.Time) Seen {
			return func(now time.Time) Seen {
				if now.After(began.Add(5 * time.Minute)) {
					return fails("pay", "drift/webhook", refused)
				}
				return fails("pay", drifted, refused)
			}
		}, waitUnsaved},
	} {
		t.Run(name, func(t *testing.T) {
			began := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC).Add(-time.Second) // when the bubble begins
			whole := untilPosted(t, c.see(began))
			for at := time.Second; at < whole; at += 131 * time.Second {
				for _, kills := range [][]time.Duration{{at}, {at, at + 20*time.Second, at + 90*time.Second}} {
					lost := untilPosted(t, c.see(began), kills...) - whole
					// Each kill that comes before the wait is saved loses what had passed.
					if most := c.loses * time.Duration(len(kills)); lost < 0 || lost > most {
						t.Errorf("killed after %v, it is posted %v later, want %v at most", kills, lost, most)
					}
				}
			}
		})
	}
}
