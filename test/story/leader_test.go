package story_test

import "time"

const (
	// leaseEnds is after how long another replica leads when the one that did is cut off: its Lease lasts 9 s, and the others look every 2 s
	// (internal/kube/election.go).
	leaseEnds = 11 * time.Second
	// noticesAfter is how much longer one that is cut off goes on as if it led: its jobs run in the meantime.
	noticesAfter = 2 * time.Minute
)

// changeLeader has another replica take over.
func (l *lab) changeLeader(args []string) error {
	if len(args) > 0 {
		return l.strike(killing{how: (*bot).cutOff}, args)
	}
	l.bot.cutOff()
	return nil
}

// cutOff has the process lose its Lease without noticing, as one that was paused or has no network. It goes on, but the journal takes nothing from it
// and no connection sends what it posts (internal/app/fence.go). A kill differs in that nobody goes on.
func (b *bot) cutOff() {
	b.dead.Store(true)
	b.kill()
	b.lab.succession.Go(func() { b.lab.succeed(b) })
}

// succeed has another replica lead from the same journal, while the former one still believes that it does.
func (l *lab) succeed(former *bot) {
	time.Sleep(leaseEnds)
	b, err := l.lead(former.journal)
	if err != nil {
		l.t.Error(err)
		return
	}
	time.Sleep(time.Millisecond) // only the test may wait for all to settle
	l.list(b)
	time.Sleep(noticesAfter)
	former.end()
}
