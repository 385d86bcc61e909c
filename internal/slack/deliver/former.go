package deliver

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/slack-go/slack"

	"github.com/argo-why/argo-why/internal/incident"
)

// former are the root messages that former processes posted, as one search of each channel has found them. After a kill in a storm, each of
// thousands that wait has to be looked for before it is posted; of searches Slack allows fewer than of posts, and each reads everything that was
// posted since.
type former struct {
	mu    sync.Mutex
	begun time.Time
	// posting writes down what is about to be posted.
	posting func(ctx context.Context, incident string, number int) error
	// tried are the incidents whose root this process has tried to post, or the one before was posting: they have to be looked for anew.
	tried map[string]bool
	// own are the messages that this process has begun to post: what became of these the fates tell.
	own map[message]bool
	// found is what is known of a channel.
	found map[string]*foundRoots
}

// foundRoots are the timestamps of our messages in a channel since a moment, by incident and number.
type foundRoots struct {
	since time.Time
	roots map[string]map[int]string
}

// Begin implements incident.Notifier.
func (t *Threads) Begin(channels map[string]string, posting func(ctx context.Context, id string, number int) error) {
	t.names.were(channels)
	t.former.mu.Lock()
	defer t.former.mu.Unlock()
	t.former.posting = posting
	t.former.begun, t.former.tried, t.former.found = time.Now(), map[string]bool{}, map[string]*foundRoots{}
	t.former.own = map[message]bool{}
}

// try notes that the root of an incident may appear at any time.
func (f *former) try(id string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.tried != nil {
		f.tried[id] = true
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
	if f.begun.IsZero() || began.Before(f.begun) { // also where somebody else posted meanwhile, and it began anew
		return
	}
	f.found[channel] = found
}

// begins writes down that a message is about to be posted.
func (f *former) begins(ctx context.Context, m mark) error {
	if f == nil { // an answer, which nobody repeats
		return nil
	}
	f.mu.Lock()
	posting := f.posting
	if posting != nil {
		f.own[message{m.incident, m.number}] = true
	}
	f.mu.Unlock()
	if posting == nil {
		return nil
	}
	if err := posting(ctx, m.incident, m.number); err != nil {
		return &incident.NotifyError{Code: "journal", After: time.Second, Certain: true, Err: fmt.Errorf("write down what is posted: %w", err)}
	}
	return nil
}

// isOwn reports whether this process has begun to post a message.
func (f *former) isOwn(m mark) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.own[message{m.incident, m.number}]
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
