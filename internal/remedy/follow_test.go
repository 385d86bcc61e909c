package remedy_test

import (
	"errors"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/action"
)

// TestAnotherRevisionIsTakenBack: what Argo CD took is compared with what was confirmed even where its answer never came, and it
// is terminated even where it begins much later.
func TestAnotherRevisionIsTakenBack(t *testing.T) {
	const text = "Argo CD took 9c1d2e3 instead of the confirmed 3f2a91c, so the sync was terminated immediately."
	t.Run("the answer is lost", func(t *testing.T) {
		play(t, everybodyMay, func(s *scene) {
			s.takes, s.cluster.lasts = newer, time.Minute
			s.meanwhile["sync"] = func() { s.answerLost = true }
			bot := s.start("a")
			bot.pressed(dana, wish(action.Sync))
			s.pass(3 * time.Minute)
			s.endsAs(action.Changed, text)
			bot.stop()
		})
	})
	t.Run("the process dies", func(t *testing.T) {
		play(t, everybodyMay, func(s *scene) {
			s.takes, s.cluster.lasts = newer, 10*time.Minute
			first := s.start("a")
			first.before = func(what string, calls int) {
				if what == "sync" && s.did("dry-run") > 0 { // the sync itself comes through, and is the last that does
					first.mu.Lock()
					first.dead = true
					first.mu.Unlock()
				}
			}
			first.pressed(dana, wish(action.Sync))
			s.pass(time.Minute)
			first.stop()
			second := s.start("b")
			s.pass(3 * time.Minute)
			s.endsAs(action.Changed, text)
			second.stop()
		})
	})
	t.Run("the controller comes to it much later", func(t *testing.T) {
		play(t, everybodyMay, func(s *scene) {
			s.takes, s.cluster.lasts = newer, 10*time.Minute
			s.meanwhile["sync"] = func() { s.idles = 5 * time.Minute }
			bot := s.start("a")
			bot.pressed(dana, wish(action.Sync))
			s.pass(8 * time.Minute)
			s.endsAs(action.Changed, text)
			bot.stop()
		})
	})
}

// TestASyncIsRefusedOnlyWhereThatWasSeen: Argo CD takes the sync down, and then it cannot be read.
func TestASyncIsRefusedOnlyWhereThatWasSeen(t *testing.T) {
	for name, x := range map[string]struct {
		away   time.Duration
		then   func(s *scene) // what happens while it cannot be read
		state  action.State
		result string
	}{
		"for a moment": {away: 20 * time.Second, state: action.Done, result: "The sync of 3f2a91c succeeded."},
		"for so long that somebody else has synced": {
			away: 2 * time.Minute, then: (*scene).othersSync,
			state: action.Interrupted, result: "Argo CD could not be read for a while and now shows another operation, so it is unclear whether the sync started.",
		},
		"for good": {
			away:  time.Hour,
			state: action.Interrupted, result: "Argo CD returned an error, so it is unclear whether the operation started. Check Argo CD: the application could not be read: connection refused.",
		},
	} {
		t.Run(name, func(t *testing.T) {
			play(t, everybodyMay, func(s *scene) {
				s.meanwhile["sync"] = func() {
					s.answerLost, s.unreadable = true, errors.New("connection refused")
					time.AfterFunc(x.away, func() {
						s.change(func() {
							if s.unreadable = nil; x.then != nil {
								x.then(s)
							}
						})
					})
				}
				bot := s.start("a")
				bot.pressed(dana, wish(action.Sync))
				s.pass(8 * time.Minute)
				s.endsAs(x.state, x.result)
				bot.stop()
			})
		})
	}
}
