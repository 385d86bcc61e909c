package remedy

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

// TestSlowApplicationsOfOneTeamLeaveTurnsForOthers: whatever that team asks for, and however long it takes.
func TestSlowApplicationsOfOneTeamLeaveTurnsForOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		all := newTurns()
		ctx, cancel := context.WithCancel(t.Context())
		for range 20 {
			go func() {
				if done, err := all.take(ctx, "prod/slow"); err == nil {
					<-ctx.Done()
					done()
				}
			}()
		}
		synctest.Wait()
		for range 3 {
			short, stop := context.WithTimeout(t.Context(), time.Second)
			done, err := all.take(short, "prod/other")
			if err != nil {
				t.Fatalf("no turn: %v", err)
			}
			done()
			stop()
		}
		cancel()
		synctest.Wait()
		if len(all.all) != 0 {
			t.Errorf("%d turns are not given back", len(all.all))
		}
	})
}
