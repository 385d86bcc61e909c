package socket

import (
	"container/list"
	"slices"
	"sync"
	"time"
)

const (
	// deliveredFor is longer than Slack goes on redelivering an event: at once, after a minute, after five.
	// https://docs.slack.dev/apis/events-api/#retries
	deliveredFor = 20 * time.Minute
	// maxSeen bounds the memory: a busy workspace asks a few times a minute.
	maxSeen = 10_000
)

// Seen remembers what was handled, so that a thing delivered twice is done once.
type Seen struct {
	life  time.Duration
	mu    sync.Mutex
	at    map[string]time.Time
	order *list.List // of keys, the oldest first
}

// NewSeen makes one that remembers for that long.
func NewSeen(life time.Duration) *Seen {
	return &Seen{life: life, at: map[string]time.Time{}, order: list.New()}
}

// Before reports whether one of the keys was noted before, and notes them all. Empty keys do not count.
func (s *Seen) Before(keys ...string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	for e := s.order.Front(); e != nil; e = s.order.Front() {
		key, _ := e.Value.(string)
		if s.order.Len() <= maxSeen && now.Sub(s.at[key]) < s.life {
			break
		}
		delete(s.at, key)
		s.order.Remove(e)
	}
	known := false
	for _, key := range keys {
		if key == "" {
			continue
		}
		if _, ok := s.at[key]; ok {
			known = true
			continue
		}
		s.at[key] = now
		s.order.PushBack(key)
	}
	return known
}

// Forget takes keys back: it was not handled after all.
func (s *Seen) Forget(keys ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for e := s.order.Front(); e != nil; {
		next := e.Next()
		if key, _ := e.Value.(string); slices.Contains(keys, key) {
			delete(s.at, key)
			s.order.Remove(e)
		}
		e = next
	}
}
