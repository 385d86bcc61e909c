package app

import (
	"context"
	"sync"
	"time"
)

const (
	// presentFor is how long a replica counts as there after it wrote its entry, which it does every 3 s: as long as a Lease.
	presentFor = 9 * time.Second
	// takeAnyway is how long a Lease may be free before whoever sees it takes it, whoever leads less.
	takeAnyway = 3 * time.Second
	// unevenFor is how long the shards must be spread unevenly before one is handed on: replicas come and go during an update.
	unevenFor = 10 * time.Second
	// evenAgainAfter is when that is tried again where a shard came back: whoever was to take it cannot.
	evenAgainAfter = 5 * time.Minute
	// evenEvery is how often to look.
	evenEvery = time.Second
)

// crew is which replicas there are and how many shards each leads, so that they share them evenly: who leads least takes what is free, and who
// leads two more than another gives one up. It decides only who is to lead. That nobody else does is up to the Lease.
type crew struct {
	self string

	mu     sync.Mutex
	others map[string]member
	leads  func() int
}

type member struct {
	leads int
	seen  time.Time
}

func newCrew(self string) *crew {
	return &crew{self: self, others: map[string]member{}, leads: func() int { return 0 }}
}

// there notes that a replica has written its entry.
func (c *crew) there(replica string, leads int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if replica != c.self {
		c.others[replica] = member{leads, time.Now()}
	}
}

// gone notes that a replica has stopped.
func (c *crew) gone(replica string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.others, replica)
}

// turn reports whether this replica is to take a Lease that has been free for so long.
func (c *crew) turn(free time.Duration) bool {
	leads := c.leads()
	c.mu.Lock()
	defer c.mu.Unlock()
	least, _, _ := c.present(time.Now())
	return leads <= least || free >= takeAnyway
}

// excess reports whether this replica leads two more than another, and is the one to give one up: of those that lead most the first by name.
func (c *crew) excess() bool {
	leads := c.leads()
	c.mu.Lock()
	defer c.mu.Unlock()
	least, most, first := c.present(time.Now())
	return leads-1 > least && (leads > most || leads == most && c.self < first)
}

// present are the least and the most that another replica leads, and the first by name of those that lead most. A replica that is alone leads
// least.
func (c *crew) present(now time.Time) (least, most int, first string) {
	least = int(^uint(0) >> 1)
	for replica, m := range c.others {
		if now.Sub(m.seen) > presentFor {
			delete(c.others, replica)
			continue
		}
		least = min(least, m.leads)
		if m.leads > most || m.leads == most && (first == "" || replica < first) {
			most, first = m.leads, replica
		}
	}
	return least, most, first
}

// keepEven has give called when this replica leads too many for long, until the context ends. give says whether it came back before.
func (c *crew) keepEven(ctx context.Context, give func() (again bool)) {
	ticker := time.NewTicker(evenEvery)
	defer ticker.Stop()
	var since, notBefore time.Time
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		now := time.Now()
		switch {
		case !c.excess() || now.Before(notBefore):
			since = time.Time{}
		case since.IsZero():
			since = now
		case now.Sub(since) >= unevenFor:
			if since = (time.Time{}); give() {
				notBefore = now.Add(evenAgainAfter)
			}
		}
	}
}
