package deliver_test

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/argo-why/argo-why/internal/workspace"
)

// TestAClockThatDiffersFromSlacksDoublesNothing: the bot was killed after Slack took a message, and before it knew. What it
// looks for was stamped by Slack's clock.
func TestAClockThatDiffersFromSlacksDoublesNothing(t *testing.T) {
	for _, ahead := range []time.Duration{-3 * time.Hour, -10 * time.Minute, 10 * time.Minute, 3 * time.Hour} {
		t.Run(fmt.Sprint("Slack is ahead by ", ahead), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newScene(t, workspace.Options{Now: func() time.Time { return time.Now().Add(ahead) }})
				time.Sleep(24 * time.Hour) // else Slack's clock begins before its epoch of messages
				i := failing("web", reply(2, "first"))
				s.told(t, failing("web", reply(2, "first")), false)
				s.sender = s.newSender(t)
				s.told(t, i, true)
				if n := seqs(t, thread(t, s.deploys)); n != "0 1 2" {
					t.Errorf("messages %s", n)
				}
			})
		})
	}
}
