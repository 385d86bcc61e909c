package argo

import (
	"context"
	"errors"
	"time"
)

// Limit is the cause that a caller gives to the end of a context ([context.WithTimeoutCause]), so an error can say that
// it was this time-out and how to raise it.
type Limit struct {
	After time.Duration
	Raise string // "raise --timeout"
}

func (l *Limit) Error() string { return "no answer within " + l.String() }

// String is the duration as people write one, without digits that say nothing.
func (l *Limit) String() string {
	switch {
	case l.After >= time.Second:
		return l.After.Round(100 * time.Millisecond).String()
	case l.After >= time.Millisecond:
		return l.After.Round(time.Millisecond).String()
	}
	return l.After.String()
}

// limitOf is the limit that ended the context; nil when it has none, or ended for another reason or not at all.
func limitOf(ctx context.Context) *Limit {
	// The other side knows the deadline and may give up a moment earlier.
	const moment = 50 * time.Millisecond
	if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) < moment {
		<-ctx.Done()
	}
	var limit *Limit
	if errors.As(context.Cause(ctx), &limit) {
		return limit
	}
	return nil
}
