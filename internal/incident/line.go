package incident

import (
	"cmp"
	"context"
	"sync"
	"time"
)

// line is the incidents that wait to be told in one channel. Its one worker takes the most urgent of those that Slack has room
// for now, and tells one message of it: what comes in meanwhile may be more urgent than the rest.
type line struct {
	mu      sync.Mutex
	waiting map[string]*turn
	last    int
	closed  bool
	// changed wakes the worker.
	changed chan struct{}
}

// turn is a place in the line.
type turn struct {
	number int
	// after is when the next attempt may be, failures how many there were.
	after    time.Time
	failures int
}

func newLine() *line { return &line{waiting: map[string]*turn{}, changed: make(chan struct{}, 1)} }

// add lets an incident wait, at once also one whose last attempt failed: it is another message now.
func (l *line) add(id string) {
	l.mu.Lock()
	t := l.waiting[id]
	if t == nil {
		l.last++
		t = &turn{number: l.last}
		l.waiting[id] = t
	}
	t.after = time.Time{}
	l.mu.Unlock()
	l.wake()
}

func (l *line) wake() {
	select {
	case l.changed <- struct{}{}:
	default:
	}
}

// rest waits that long, for ever if it is not positive, or until something changes.
func (l *line) rest(ctx context.Context, d time.Duration) {
	var due <-chan time.Time
	if d > 0 {
		timer := time.NewTimer(d)
		defer timer.Stop()
		due = timer.C
	}
	select {
	case <-l.changed:
	case <-due:
	case <-ctx.Done():
	}
}

// close has the worker end when nothing is left that can be told now.
func (l *line) close() {
	l.mu.Lock()
	l.closed = true
	l.mu.Unlock()
	l.wake()
}

// again lets an incident wait for a time before the next attempt.
func (l *line) again(id string, d time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if t := l.waiting[id]; t != nil {
		t.after = time.Now().Add(d)
	}
}

// failed lets an incident wait twice as long as after the failure before, within what is known of this one.
func (l *line) failed(id string, known *NotifyError) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if t := l.waiting[id]; t != nil {
		t.after = time.Now().Add(max(known.After, min(cmp.Or(known.Within, lastRetry), lastRetry, firstRetry<<min(t.failures, 10))))
		t.failures++
	}
}

// next is the most urgent incident that can be told now, and why it is due; else id is "", and wait is how long until one can be. dues
// says why an incident waits, weigh how important one is that nobody knows of, and room how long until Slack takes such a message. ok is
// false when the line is closed and done.
func (l *line) next(dues func(id string) []Due, weigh func(id string) importance, room func(Due) time.Duration) (id string, why Due, wait time.Duration, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now, wait := time.Now(), time.Duration(-1)
	rooms := map[Due]time.Duration{}
	for one, t := range l.waiting {
		list := dues(one)
		if len(list) == 0 {
			delete(l.waiting, one)
			continue
		}
		for _, d := range list {
			free, asked := rooms[d]
			if !asked {
				free = room(d)
				rooms[d] = free
			}
			if l.closed && (t.after.After(now) || d == Refresh) { // the next start does that
				continue
			}
			until := max(free, t.after.Sub(now), 0)
			switch {
			case until > 0:
				wait = sooner(wait, until)
			case id == "" || d < why:
				id, why = one, d
			case d == why && l.before(one, id, d, weigh):
				id = one
			}
		}
	}
	return id, why, wait, id != "" || !l.closed || wait > 0
}

// before reports whether one incident is told before another that is due for the same reason: the more important failure, else the one
// that has waited for longer.
func (l *line) before(one, other string, why Due, weigh func(id string) importance) bool {
	if why == NewRoot {
		if c := weigh(one).compare(weigh(other)); c != 0 {
			return c < 0
		}
	}
	return l.waiting[one].number < l.waiting[other].number
}
