// Package answered remembers what Slack answered about people, user groups and channels, for a minute, and for a while longer where Slack
// does not answer. Permissions rest on it, so it never makes an answer up: without one there is an error.
package answered

import (
	"context"
	"sync"
	"time"
)

const (
	// Fresh is how long an answer is taken for granted: whoever was deactivated, or left @oncall, is refused after that. It also keeps
	// within the limits of Slack, 100 calls of users.info and 20 of usergroups.users.list a minute.
	Fresh = time.Minute
	// Stale is how long an old answer still counts for looking while Slack does not answer.
	Stale = 15 * time.Minute
	// timeout is for asking.
	timeout = 5 * time.Second
	// maxKnown bounds the memory.
	maxKnown = 10_000
)

// Answers are those about what has an ID. The zero value is empty and ready.
type Answers[T any] struct {
	mu    sync.Mutex
	known map[string]*answer[T]
}

// answer is about one ID. Its lock is held while Slack is asked, so that several who need it ask once.
type answer[T any] struct {
	mu    sync.Mutex
	value T
	// at is when Slack said so; zero: it has not.
	at time.Time
}

// Get takes an answer for granted while it is [Fresh], else asks, and returns an old one while asking fails and it is no older than maxAge.
// The error is that of ask.
func (a *Answers[T]) Get(ctx context.Context, id string, maxAge time.Duration, ask func(context.Context) (T, error)) (T, error) {
	at := a.of(id)
	at.mu.Lock()
	defer at.mu.Unlock()
	if at.isYounger(Fresh) {
		return at.value, nil
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	value, err := ask(ctx)
	if err == nil {
		at.value, at.at = value, time.Now()
		return value, nil
	}
	if at.isYounger(maxAge) {
		return at.value, nil
	}
	var none T
	return none, err
}

func (at *answer[T]) isYounger(age time.Duration) bool {
	return !at.at.IsZero() && time.Since(at.at) < age
}

func (a *Answers[T]) of(id string) *answer[T] {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.known == nil || len(a.known) >= maxKnown {
		a.known = map[string]*answer[T]{}
	}
	at := a.known[id]
	if at == nil {
		at = &answer[T]{}
		a.known[id] = at
	}
	return at
}
