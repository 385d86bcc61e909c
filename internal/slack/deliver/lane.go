package deliver

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/slack-go/slack"
	"golang.org/x/time/rate"

	"github.com/argo-why/argo-why/internal/incident"
)

// Slack allows about one message per second and channel, and short bursts
// (https://docs.slack.dev/apis/web-api/rate-limits#posting_messages).
const (
	pace  = time.Second
	burst = 3
	// unsaid is how long to wait where Slack limits the rate without saying until when.
	unsaid = 10 * time.Second
)

// The methods in use.
const (
	postMessage   = "chat.postMessage"
	postEphemeral = "chat.postEphemeral"
	update        = "chat.update"
	deleteMessage = "chat.delete"
	permalink     = "chat.getPermalink"
	history       = "conversations.history"
	replies       = "conversations.replies"
	list          = "conversations.list"
	authTest      = "auth.test"
)

// lane is the line of calls that write into one channel, or of one method that only reads.
type lane struct {
	// turn holds one token. The runtime serves those who wait for it in order.
	turn  chan struct{}
	posts *rate.Limiter
	// until is the end of a Retry-After; only the call that has the turn touches it.
	until time.Time
}

func (s *Sender) lane(method, channel string) *lane {
	key := channel
	if key == "" {
		key = method
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	l := s.lanes[key]
	if l == nil {
		l = &lane{turn: make(chan struct{}, 1), posts: rate.NewLimiter(rate.Every(pace), burst)}
		s.lanes[key] = l
	}
	return l
}

// call makes one call when its turn has come, and makes it again when Slack said to come later. channel is "" for methods
// that write into none. The error is a *incident.NotifyError, or nil.
func (s *Sender) call(ctx context.Context, method, channel string, do func(context.Context) error) error {
	s.metrics.waiting.Inc()
	defer s.metrics.waiting.Dec()
	if method == update {
		if err := s.updates.Wait(ctx); err != nil {
			return giveUp(method, pace, err)
		}
	}
	l := s.lane(method, channel)
	select {
	case l.turn <- struct{}{}:
	case <-ctx.Done():
		return giveUp(method, 0, ctx.Err())
	}
	defer func() { <-l.turn }()
	for {
		if err := s.ready(ctx, l, method); err != nil {
			return err
		}
		err := s.once(ctx, method, do)
		after, limited := rateLimit(err)
		if !limited {
			return err
		}
		s.metrics.limited.WithLabelValues(method).Add(after.Seconds())
		s.log.InfoContext(ctx, "rate limited by Slack", "method", method, "channel", channel, "after", after)
		l.until = time.Now().Add(after)
	}
}

// ready waits for the moment that Slack named, and for the pace of posts.
func (s *Sender) ready(ctx context.Context, l *lane, method string) error {
	wait := time.Until(l.until)
	if deadline, ok := ctx.Deadline(); ok && wait > 0 && deadline.Before(l.until) {
		return giveUp(method, wait, context.DeadlineExceeded)
	}
	if wait > 0 {
		timer := time.NewTimer(wait)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-ctx.Done():
			return giveUp(method, time.Until(l.until), ctx.Err())
		}
	}
	if method == postMessage || method == postEphemeral {
		if err := l.posts.Wait(ctx); err != nil {
			return giveUp(method, pace, err)
		}
	}
	return nil
}

// once makes the call, with its own time-out.
func (s *Sender) once(ctx context.Context, method string, do func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	err := classify(method, do(ctx))
	s.metrics.calls.WithLabelValues(method, outcome(err)).Inc()
	return err
}

// giveUp is the error of a call that was never made.
func giveUp(method string, after time.Duration, err error) error {
	code := "interrupted"
	if after > 0 {
		code = "ratelimited"
	}
	return &incident.NotifyError{Code: code, After: after, Certain: true, Err: fmt.Errorf("%s: wait in the queue: %w", method, err)}
}

// rateLimit says until when Slack wants to see no more of this.
func rateLimit(err error) (after time.Duration, limited bool) {
	var refused *slack.RateLimitedError
	if errors.As(err, &refused) {
		return max(refused.RetryAfter, time.Second), true
	}
	var told *incident.NotifyError
	return unsaid, errors.As(err, &told) && told.Code == "ratelimited"
}
