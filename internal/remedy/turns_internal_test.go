package remedy

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"
)

// TestSlowApplicationsLeaveTurnsForOthers: whatever the teams whose applications are slow ask for, and however long it takes. Where such teams have
// all turns, others have theirs among them.
func TestSlowApplicationsLeaveTurnsForOthers(t *testing.T) {
	for slow := 1; slow <= 2*situationsAtOnce; slow++ {
		t.Run(fmt.Sprintf("of %d projects", slow), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				all := newTurns()
				ctx, cancel := context.WithCancel(t.Context())
				for range 20 {
					for n := range slow {
						go func() {
							for {
								done, err := all.take(ctx, fmt.Sprintf("prod/slow-%d", n))
								if err != nil {
									return
								}
								select {
								case <-ctx.Done():
								case <-time.After(time.Minute):
								}
								done()
							}
						}()
					}
					synctest.Wait()
				}
				wait := time.Second
				if slow > situationsAtOnce-2 {
					wait = time.Duration(2+slow/situationsAtOnce) * time.Minute
				}
				for range 3 {
					short, stop := context.WithTimeout(t.Context(), wait)
					done, err := all.take(short, "prod/other")
					if err != nil {
						t.Fatalf("no turn: %v", err)
					}
					done()
					stop()
				}
				cancel()
				synctest.Wait()
				if len(all.taken) != 0 || len(all.waiting) != 0 {
					t.Errorf("%d turns are not given back, %d wait", len(all.taken), len(all.waiting))
				}
			})
		})
	}
}

func TestNoMoreSituationsAreReadThanMayBe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		all := newTurns()
		running, of := 0, map[string]int{}
		for n := range 50 {
			go func() {
				project := fmt.Sprintf("p%d", n%(1+n%7))
				done, err := all.take(t.Context(), project)
				if err != nil {
					t.Error(err)
					return
				}
				all.mu.Lock()
				running++
				of[project]++
				if running > situationsAtOnce || of[project] > situationsOfProject {
					t.Errorf("%d at once, %d of %s", running, of[project], project)
				}
				all.mu.Unlock()
				time.Sleep(time.Second)
				all.mu.Lock()
				running--
				of[project]--
				all.mu.Unlock()
				done()
			}()
		}
		synctest.Wait()
		time.Sleep(time.Minute)
		if running != 0 || len(all.taken) != 0 {
			t.Errorf("%d still run", running)
		}
	})
}
