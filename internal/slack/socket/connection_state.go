package socket

import (
	"context"
	"fmt"
	"net"
	"sync"
	"time"
)

const (
	// pingEvery is how often Slack pings at the latest; slack-go reconnects one to two of these after the last ping.
	pingEvery = 30 * time.Second
	// maxSilence is when we end a connection ourselves, in case that did not happen: nothing was read for that long.
	maxSilence = 2*pingEvery + 15*time.Second
	// greetingTimeout is how long a new connection may go without Slack's hello: no payload comes before it.
	greetingTimeout = 20 * time.Second
	// reconnectTimeout is how long a reconnect may take before readiness tells of it: Slack asks for one every few hours,
	// and a readiness that flaps with it helps nobody.
	reconnectTimeout = 20 * time.Second
)

// connectionState is what is known of the connection to Slack.
type connectionState struct {
	mu sync.Mutex
	// opened is when the connection was made, greeted when Slack said hello on it, read when anything came last; zero
	// without a connection. lost is when the last connection that had greeted ended, or the first was asked for.
	opened, greeted, read, lost time.Time
	connections                 int
	// worked: Slack has greeted at least once.
	worked bool
	// trouble is why connecting failed last.
	trouble error
}

func newConnectionState() *connectionState { return &connectionState{lost: time.Now()} }

func (s *connectionState) down(trouble error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.greeted.IsZero() {
		s.lost = time.Now()
	}
	s.opened, s.greeted = time.Time{}, time.Time{}
	if trouble != nil {
		s.trouble = trouble
	}
}

// open notes a connection and reports whether it is not the first.
func (s *connectionState) open() (again bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.opened, s.greeted = time.Now(), time.Time{}
	s.connections++
	return s.connections > 1
}

func (s *connectionState) greet() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.greeted, s.trouble, s.worked = time.Now(), nil, true
}

func (s *connectionState) heard() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.read = time.Now()
}

// dead says why a connection that is open should be given up; "" if it should not.
func (s *connectionState) dead() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.opened.IsZero():
		return ""
	case s.greeted.IsZero() && time.Since(s.opened) > greetingTimeout:
		return "no-hello"
	case !s.greeted.IsZero() && time.Since(s.lastRead()) > maxSilence:
		return "silent"
	}
	return ""
}

// lastRead is never before the connection: a read of the one before says nothing of this one.
func (s *connectionState) lastRead() time.Time {
	if s.read.Before(s.opened) {
		return s.opened
	}
	return s.read
}

// alive is nil while payloads can be expected to come.
func (s *connectionState) alive() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case !s.greeted.IsZero() && time.Since(s.lastRead()) > maxSilence:
		return fmt.Errorf("slack: the socket is open, but nothing has arrived on it for %s", time.Since(s.lastRead()).Round(time.Second))
	case !s.greeted.IsZero():
		return nil
	case s.worked && time.Since(s.lost) < reconnectTimeout:
		return nil
	case s.trouble != nil:
		return fmt.Errorf("slack: not connected for %s: %w", time.Since(s.lost).Round(time.Second), s.trouble)
	}
	return fmt.Errorf("slack: not connected for %s", time.Since(s.lost).Round(time.Second))
}

// dial is a dial function that notes whatever is read: slack-go answers pings itself and does not tell of them.
func (s *connectionState) dial(dial func(ctx context.Context, network, addr string) (net.Conn, error)) func(ctx context.Context, network, addr string) (net.Conn, error) {
	return func(ctx context.Context, network, addr string) (net.Conn, error) {
		conn, err := dial(ctx, network, addr)
		if err != nil {
			return nil, err
		}
		return heardConn{conn, s}, nil
	}
}

type heardConn struct {
	net.Conn
	state *connectionState
}

func (c heardConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if n > 0 {
		c.state.heard()
	}
	return n, err
}
