package deliver

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/argo-why/argo-why/internal/incident"
)

// A post that Slack has not answered may be slow rather than lost: its message can appear long after we stopped waiting. So it is searched
// for, and repeated only when it has not appeared for longer than Slack takes for a request.
const (
	// appears is how long after we stopped waiting the message of an incident may still appear. Slack's servers give up well before.
	appears = time.Minute
	// appearsSoon is the same for an answer: the person has gone after a minute, and would rather read it twice than never.
	appearsSoon = 15 * time.Second
)

// fates are the posts of which nobody knows whether Slack took them, and until when they may appear.
type fates struct {
	mu   sync.Mutex
	open map[message]time.Time
}

// message is what a mark finds, whenever it was posted.
type message struct {
	incident string
	number   int
}

// opens notes that a post was not answered.
func (f *fates) opens(m mark, until time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.open == nil {
		f.open = map[message]time.Time{}
	}
	for old, end := range f.open { // whose incident was posted, or forgotten, meanwhile
		if time.Since(end) > 0 {
			delete(f.open, old)
		}
	}
	f.open[message{m.incident, m.number}] = until
}

// remaining is how long a message may still appear; not above 0: it cannot.
func (f *fates) remaining(m mark) time.Duration {
	f.mu.Lock()
	defer f.mu.Unlock()
	return time.Until(f.open[message{m.incident, m.number}])
}

// open is an error while a message that was posted may still appear: it is looked for again, and not repeated.
func (s *Sender) open(m mark) error {
	left := s.fates.remaining(m)
	if left <= 0 {
		return nil
	}
	return &incident.NotifyError{Code: "unanswered", After: settle, Within: left, Err: errors.New("Slack has not answered a post, which may still appear")} //nolint:staticcheck // Slack is a name
}

// later has an attempt whose outcome is not known looked into after a while.
func (s *Sender) later(m mark, err error) error {
	var e *incident.NotifyError
	if !unclear(err) || !errors.As(err, &e) {
		return err
	}
	e.After = settle
	if unanswered(err) {
		s.fates.opens(m, time.Now().Add(appears))
	}
	return err
}

// await looks for a message whose post failed, for as long as it may appear.
func (c caller) await(ctx context.Context, to place, m mark, failed error) (found map[int]string, err error) {
	end := time.Now()
	if unanswered(failed) {
		end = end.Add(appearsSoon)
	}
	for n := 1; ; n++ {
		if !pause(ctx, time.Duration(n)*settle) {
			return nil, ctx.Err()
		}
		found, err = c.find(ctx, to, m)
		if _, there := found[m.number]; err != nil || there || !time.Now().Before(end) {
			return found, err
		}
	}
}

// unanswered reports whether Slack, or what stands before it, may still be at work on a call.
func unanswered(err error) bool {
	return slices.Contains([]string{"connection", "http_502", "http_504"}, code(err))
}
