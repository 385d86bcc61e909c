package argo

import "time"

const (
	// burst is how many changes within burstTime are so many that Argo CD may have dropped others: it turns about 1,000 a second into JSON for
	// a stream, and queues at most 1,000.
	burst, burstTime = 500, 5 * time.Second
	// burstPause is how long after that all applications are listed.
	burstPause = 2 * time.Second
)

// bursts notices when a stream tells very much in a short time.
type bursts struct {
	changes int
	since   time.Time
	// over is when to list all applications; nil without a burst.
	over <-chan time.Time
}

// count takes note of a change.
func (b *bursts) count() {
	if now := time.Now(); now.Sub(b.since) > burstTime {
		b.changes, b.since = 0, now
	}
	if b.changes++; b.changes >= burst && b.over == nil {
		b.changes = 0
		b.wait()
	}
}

func (b *bursts) wait() { b.over = time.After(burstPause) }
