package slack

import (
	"container/list"
	"slices"
	"sync"
	"time"
)

const (
	// seenFor is longer than Slack goes on redelivering an event: at once, after a minute, after five.
	// https://docs.slack.dev/apis/events-api/#retries
	seenFor = 20 * time.Minute
	// maxSeen bounds the memory: a busy workspace asks a few times a minute.
	maxSeen = 10_000
)

// seen remembers what was handled, so that a thing delivered twice is done once.
type seen struct {
	life  time.Duration
	mu    sync.Mutex
	at    map[string]time.Time
	order *list.List // of keys, the oldest first
}

func newSeen(life time.Duration) *seen {
	return &seen{life: life, at: map[string]time.Time{}, order: list.New()}
}

// before reports whether one of the keys was noted before, and notes them all. Empty keys do not count.
func (s *seen) before(keys ...string) bool {
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

// forget takes keys back: it was not handled after all.
func (s *seen) forget(keys ...string) {
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
