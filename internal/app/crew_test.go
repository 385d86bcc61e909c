package app

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// cluster has Leases, and replicas that compete for them as the elections do: each looks at each Lease about every 750 ms.
type cluster struct {
	mu      sync.Mutex
	holders map[string]*contender
	free    map[string]time.Time
	all     []*contender
	moved   int
}

type contender struct {
	*crew
	stop context.CancelFunc
}

func newCluster(leases ...string) *cluster {
	c := &cluster{holders: map[string]*contender{}, free: map[string]time.Time{}}
	for _, name := range leases {
		c.free[name] = time.Now()
	}
	return c
}

// join adds a replica.
func (c *cluster) join(t *testing.T, name string) *contender {
	r := &contender{crew: newCrew(name)}
	r.leads = func() int { return c.held(r) }
	ctx, stop := context.WithCancel(t.Context())
	r.stop = stop
	c.mu.Lock()
	c.all = append(c.all, r)
	c.mu.Unlock()
	go r.keepEven(ctx, func() bool { return c.give(r) })
	go every(ctx, 3*time.Second, func() { c.tell(r) })
	go every(ctx, 750*time.Millisecond, func() { c.compete(r) })
	return r
}

func every(ctx context.Context, d time.Duration, do func()) {
	for ctx.Err() == nil {
		do()
		pause(ctx, d)
	}
}

func (c *cluster) held(r *contender) (n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, holder := range c.holders {
		if holder == r {
			n++
		}
	}
	return n
}

func (c *cluster) tell(r *contender) {
	n := r.leads()
	c.mu.Lock()
	others := slices.Clone(c.all)
	c.mu.Unlock()
	for _, o := range others {
		o.there(r.self, n)
	}
}

func (c *cluster) compete(r *contender) {
	c.mu.Lock()
	free := map[string]time.Time{}
	for name, since := range c.free {
		free[name] = since
	}
	c.mu.Unlock()
	for name, since := range free {
		if !r.turn(time.Since(since)) {
			continue
		}
		c.mu.Lock()
		if c.holders[name] == nil {
			c.holders[name] = r
			delete(c.free, name)
			c.moved++
		}
		c.mu.Unlock()
		c.tell(r)
	}
}

func (c *cluster) give(r *contender) bool {
	c.mu.Lock()
	for name, holder := range c.holders {
		if holder == r {
			delete(c.holders, name)
			c.free[name] = time.Now()
			break
		}
	}
	c.mu.Unlock()
	c.tell(r)
	return false
}

// kill ends a replica, whose Leases run out after a while.
func (c *cluster) kill(r *contender) {
	r.stop()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.all = slices.DeleteFunc(c.all, func(o *contender) bool { return o == r })
	for name, holder := range c.holders {
		if holder == r {
			time.AfterFunc(9*time.Second, func() {
				c.mu.Lock()
				defer c.mu.Unlock()
				delete(c.holders, name)
				c.free[name] = time.Now()
			})
		}
	}
}

// spread is how many each leads, the fewest first: "1 1 2".
func (c *cluster) spread() string {
	c.mu.Lock()
	all := slices.Clone(c.all)
	c.mu.Unlock()
	var leads []int
	for _, r := range all {
		leads = append(leads, r.leads())
	}
	slices.Sort(leads)
	return strings.Trim(fmt.Sprint(leads), "[]")
}

// TestShardsAreSpreadEvenly: a replica that joins or leaves moves its share, and no more.
func TestShardsAreSpreadEvenly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster("eu", "us", "asia", "staging")
		expect := func(after time.Duration, spread string, moved int) {
			t.Helper()
			c.moved = 0
			time.Sleep(after)
			synctest.Wait()
			if got := c.spread(); got != spread || c.moved != moved {
				t.Fatalf("%s after %d moves, want %s after %d", got, c.moved, spread, moved)
			}
		}
		c.join(t, "a")
		expect(10*time.Second, "4", 4) // alone it leads everything
		b := c.join(t, "b")
		expect(time.Minute, "2 2", 2)
		c.join(t, "c")
		expect(time.Minute, "1 1 2", 1)
		c.join(t, "d")
		expect(time.Minute, "1 1 1 1", 1)
		c.kill(b)
		expect(20*time.Second, "1 1 2", 1)
		left := c.all[0].leads()
		for _, r := range slices.Clone(c.all)[1:] {
			c.kill(r)
		}
		expect(20*time.Second, "4", 4-left)
		c.all[0].stop()
	})
}

// TestWhoCannotLeadKeepsNothingFree: what the replica that leads least does not take another one takes, and does not offer it again soon.
func TestWhoCannotLeadKeepsNothingFree(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCrew("a")
		leads := 2
		c.leads = func() int { return leads }
		c.there("b", 0)
		if c.turn(takeAnyway-1) || !c.turn(takeAnyway) {
			t.Error("it does not wait for the one that leads less, or for ever")
		}
		time.Sleep(presentFor + 1)
		if !c.turn(0) {
			t.Error("it waits for one that is gone")
		}
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		given := 0
		go c.keepEven(ctx, func() bool { given++; return given > 1 })
		go every(ctx, time.Second, func() { c.there("b", 0) })
		time.Sleep(4 * time.Minute)
		if given != 2 {
			t.Errorf("given %d times in four minutes to one that does not take it", given)
		}
	})
}

// TestWhoCouldNotLeadLetsOthersTry: for as long as they wait for their turn, and longer.
func TestWhoCouldNotLeadLetsOthersTry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &shard{replicas: &replicas{}}
		if !s.turn(0) {
			t.Error("it does not take what is free")
		}
		s.failed.Store(time.Now().UnixNano())
		time.Sleep(takeAnyway + 2*time.Second)
		if s.turn(takeAnyway) {
			t.Error("it takes again what it could not lead")
		}
		time.Sleep(restAfterFailure)
		if !s.turn(0) {
			t.Error("it never tries again")
		}
	})
}
