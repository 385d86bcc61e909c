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

// unsaid is how long to wait where Slack limits the rate without saying until when.
const unsaid = 10 * time.Second

// caller calls Slack for a reason. A person who asked (without a reason) waits until there is room, before whatever comes later. The
// thread of an incident is told only if there is room now: while it waited, something else might become more urgent.
type caller struct {
	*Sender
	why incident.Due
	// client is what it calls through.
	client *slack.Client
	// former is what processes before this one have posted; nil for answers.
	former *former
}

// patient is the caller where what it has begun is to be finished, and it waits for room.
func (c caller) patient() caller { return caller{Sender: c.Sender, client: c.client, former: c.former} }

// call makes one call. For a person it makes it again when Slack said to come later. channel is "" for methods that post into
// none. The error is a *incident.NotifyError, or nil.
func (c caller) call(ctx context.Context, method, channel string, do func(context.Context) error) error {
	c.metrics.waiting.Inc()
	defer c.metrics.waiting.Dec()
	for {
		if err := c.pass(ctx, method, channel); err != nil {
			return err
		}
		err := c.once(ctx, method, do)
		after, limited := rateLimit(err)
		if !limited {
			c.refusedEverywhere(err)
			return err
		}
		c.metrics.limited.WithLabelValues(method).Add(after.Seconds())
		c.log.InfoContext(ctx, "rate limited by Slack", "method", method, "channel", channel, "after", after)
		c.refused(method, channel, after)
		if c.why != 0 {
			return giveUp(method, after, err)
		}
	}
}

// pass passes the gates of a call, or says when there will be room.
func (c caller) pass(ctx context.Context, method, channel string) error {
	way := c.way(method, channel)
	if c.why == 0 {
		return queue(ctx, method, way)
	}
	wait := c.everywhere.shut()
	for _, g := range way {
		wait = max(wait, g.room(kept[c.why]))
	}
	for _, g := range way {
		if wait == 0 && g.pace != nil && !g.pace.Allow() { // somebody was faster
			wait = g.room(0)
		}
	}
	if wait > 0 {
		return giveUp(method, wait, errNoRoom)
	}
	return nil
}

var errNoRoom = errors.New("no room now")

// queue waits in line for a call: first for the end of a Retry-After, then for the pace, which those who wait are served at in order.
func queue(ctx context.Context, method string, way []*gate) error {
	for {
		wait := time.Duration(0)
		for _, g := range way {
			wait = max(wait, g.shut())
		}
		if wait > 0 {
			if err := sleep(ctx, wait); err != nil {
				return giveUp(method, wait, err)
			}
			continue
		}
		var places []*rate.Reservation
		for _, g := range way {
			if g.pace != nil {
				r := g.pace.Reserve()
				places, wait = append(places, r), max(wait, r.Delay())
			}
		}
		if err := sleep(ctx, wait); err != nil {
			for _, r := range places {
				r.Cancel()
			}
			return giveUp(method, wait, err)
		}
		open := true
		for _, g := range way {
			open = open && g.shut() == 0
		}
		if open {
			return nil
		}
	}
}

// sleep waits; it is an error at once where the context ends before.
func sleep(ctx context.Context, d time.Duration) error {
	if deadline, ok := ctx.Deadline(); ok && d > 0 && time.Until(deadline) < d {
		return context.DeadlineExceeded
	}
	if !pause(ctx, d) {
		return ctx.Err()
	}
	return nil
}

// postTimeout is how many times as long a post may take as any other call.
const postTimeout = 2

// once makes the call, with its own time-out.
func (c caller) once(ctx context.Context, method string, do func(context.Context) error) error {
	timeout := c.timeout
	if method == postMessage { // its answer is the surest word on what became of it, also if that is a Retry-After
		timeout *= postTimeout
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	err := classify(method, do(ctx))
	c.metrics.calls.WithLabelValues(method, outcome(err)).Inc()
	return err
}

// giveUp is the error of a call that was never made, or that Slack refused for now.
func giveUp(method string, after time.Duration, err error) error {
	code := "interrupted"
	if after > 0 {
		code = "ratelimited"
	}
	return &incident.NotifyError{Code: code, After: after, Certain: true, Err: fmt.Errorf("%s: wait for room: %w", method, err)}
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
