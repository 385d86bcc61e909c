package deliver

import (
	"context"
	"sync"
	"time"

	"github.com/slack-go/slack"
)

// soonAfter is how long after the beginning a message of the process before may still arrive: what a search finds before that is not kept.
const soonAfter = 15 * time.Second

// former are the root messages that former processes posted, as one search of each channel has found them. After a kill in a storm, each of
// thousands that wait has to be looked for before it is posted; of searches Slack allows fewer than of posts, and each reads everything that was
// posted since.
type former struct {
	mu    sync.Mutex
	begun time.Time
	// tried are the incidents whose root this process has tried to post: they have to be looked for anew.
	tried map[string]bool
	// found is what is known of a channel.
	found map[string]*foundRoots
}

// foundRoots are the timestamps of our messages in a channel since a moment, by incident and number.
type foundRoots struct {
	since time.Time
	roots map[string]map[int]string
}

// Begin implements incident.Notifier.
func (t *Threads) Begin(channels map[string]string) {
	t.names.were(channels)
	t.former.mu.Lock()
	defer t.former.mu.Unlock()
	t.former.begun, t.former.tried, t.former.found = time.Now(), map[string]bool{}, map[string]*foundRoots{}
}

// try notes that this process is about to post the root of an incident.
func (f *former) try(incident string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.tried != nil {
		f.tried[incident] = true
	}
}

// of is what former processes have posted of an incident; ok is false where that is not known.
func (f *former) of(channel string, m mark) (found map[int]string, ok bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	known := f.found[channel]
	if known == nil || f.tried[m.incident] || m.since.Before(known.since) {
		return nil, false
	}
	return known.roots[m.incident], true
}

// keep remembers what a search has found that began at that time.
func (f *former) keep(channel string, began time.Time, found *foundRoots) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.begun.IsZero() || began.Sub(f.begun) < soonAfter { // also where somebody else posted meanwhile, and it began anew
		return
	}
	f.found[channel] = found
}

// findRoot looks for the root message of an incident that a former attempt may have posted.
func (c caller) findRoot(ctx context.Context, in place, m mark) (map[int]string, error) {
	if found, ok := c.former.of(in.channel, m); ok {
		c.metrics.found.Add(float64(len(found)))
		return found, nil
	}
	began := time.Now()
	all := &foundRoots{since: m.since, roots: map[string]map[int]string{}}
	err := c.each(ctx, in, m, func(msg slack.Message, at mark) error {
		first(all.roots, at, msg.Timestamp)
		return nil
	})
	if err != nil {
		return nil, err
	}
	c.former.keep(in.channel, began, all)
	found := all.roots[m.incident]
	c.metrics.found.Add(float64(len(found)))
	return found, nil
}

// first notes a message; of two with the same mark the earlier one.
func first(roots map[string]map[int]string, at mark, ts string) {
	if roots[at.incident] == nil {
		roots[at.incident] = map[int]string{}
	}
	if was, twice := roots[at.incident][at.number]; !twice || ts < was {
		roots[at.incident][at.number] = ts
	}
}
