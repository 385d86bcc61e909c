package remedy_test

import (
	"strings"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/action"
)

// TestNoDryRunIsLeftRunning: one that nobody waits for any more keeps everybody from syncing.
func TestNoDryRunIsLeftRunning(t *testing.T) {
	for name, x := range map[string]struct {
		options action.SyncOptions
		prepare func(s *scene)
		dies    bool
		state   action.State
		result  string
	}{
		"the process dies": {
			prepare: func(s *scene) { s.dryLasts = 100 * time.Hour }, dies: true,
			state: action.Interrupted, result: "The sync of 3f2a91c did not start. Request it again.",
		},
		"the process dies before it begins": {
			prepare: func(s *scene) { s.dryLasts, s.idles = 100*time.Hour, 90*time.Second }, dies: true,
			state: action.Interrupted, result: "The sync of 3f2a91c did not start. Request it again.",
		},
		"the process dies, and nothing but a dry run was wanted": {
			options: action.SyncOptions{DryRun: true},
			prepare: func(s *scene) { s.dryLasts = 100 * time.Hour }, dies: true,
			state: action.Interrupted, result: "the outcome could not be checked: timed out.",
		},
		"it begins when it should have ended": {
			prepare: func(s *scene) { s.dryLasts, s.idles = 100*time.Hour, 150*time.Second },
			state:   action.Failed, result: "The dry run did not end within 2 min, so nothing was changed.",
		},
		"it is one of another revision": {
			prepare: func(s *scene) { s.tries, s.dryLasts = newer, 100*time.Hour },
			state:   action.Changed, result: "Argo CD would now sync 9c1d2e3 instead of the confirmed 3f2a91c.",
		},
	} {
		t.Run(name, func(t *testing.T) {
			play(t, everybodyMay, func(s *scene) {
				x.prepare(s)
				first := s.start("a")
				a := first.shown(dana, wish(action.Sync))
				a.Sync = x.options
				if _, err := first.Request(s.Context(), a); err != nil {
					t.Fatal(err)
				}
				s.pass(10 * time.Second)
				if x.dies {
					first.kill()
				}
				second := s.start("b")
				s.pass(5 * time.Minute)
				s.endsAs(x.state, x.result)
				if got := strings.Join(s.done, " "); got != "dry-run terminate" || s.app.Status.OperationState.Running() {
					t.Errorf("done: %s, and the operation is %s", got, s.app.Status.OperationState.Phase)
				}
				if _, err := second.press(dana, wish(action.Sync)); err != nil {
					t.Errorf("asked for again: %v", err)
				}
				first.stop()
				second.stop()
			})
		})
	}
}

// kill ends a process without a word.
func (r *replica) kill() {
	r.mu.Lock()
	r.dead = true
	r.mu.Unlock()
	r.cancel()
}
