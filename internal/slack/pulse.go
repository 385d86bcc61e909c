package slack

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
	// greetingWithin is how long a new connection may go without Slack's hello: no payload comes before it.
	greetingWithin = 20 * time.Second
	// reconnectWithin is how long a reconnect may take before readiness tells of it: Slack asks for one every few hours,
	// and a readiness that flaps with it helps nobody.
	reconnectWithin = 20 * time.Second
)

// pulse is what is known of the connection to Slack.
type pulse struct {
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

func newPulse() *pulse { return &pulse{lost: time.Now()} }

func (p *pulse) down(trouble error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.greeted.IsZero() {
		p.lost = time.Now()
	}
	p.opened, p.greeted = time.Time{}, time.Time{}
	if trouble != nil {
		p.trouble = trouble
	}
}

// open notes a connection and reports whether it is not the first.
func (p *pulse) open() (again bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.opened, p.greeted = time.Now(), time.Time{}
	p.connections++
	return p.connections > 1
}

func (p *pulse) greet() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.greeted, p.trouble, p.worked = time.Now(), nil, true
}

func (p *pulse) heard() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.read = time.Now()
}

// dead says why a connection that is open should be given up; "" if it should not.
func (p *pulse) dead() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.opened.IsZero():
		return ""
	case p.greeted.IsZero() && time.Since(p.opened) > greetingWithin:
		return "no-hello"
	case !p.greeted.IsZero() && time.Since(p.lastRead()) > maxSilence:
		return "silent"
	}
	return ""
}

// lastRead is never before the connection: a read of the one before says nothing of this one.
func (p *pulse) lastRead() time.Time {
	if p.read.Before(p.opened) {
		return p.opened
	}
	return p.read
}

// alive is nil while payloads can be expected to come.
func (p *pulse) alive() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case !p.greeted.IsZero() && time.Since(p.lastRead()) > maxSilence:
		return fmt.Errorf("slack: the socket is open, but nothing was heard on it for %s", time.Since(p.lastRead()).Round(time.Second))
	case !p.greeted.IsZero():
		return nil
	case p.worked && time.Since(p.lost) < reconnectWithin:
		return nil
	case p.trouble != nil:
		return fmt.Errorf("slack: not connected for %s: %w", time.Since(p.lost).Round(time.Second), p.trouble)
	}
	return fmt.Errorf("slack: not connected for %s", time.Since(p.lost).Round(time.Second))
}

// dial is a dial function that notes whatever is read: slack-go answers pings itself and does not tell of them.
func (p *pulse) dial(dial func(ctx context.Context, network, addr string) (net.Conn, error)) func(ctx context.Context, network, addr string) (net.Conn, error) {
	return func(ctx context.Context, network, addr string) (net.Conn, error) {
		conn, err := dial(ctx, network, addr)
		if err != nil {
			return nil, err
		}
		return heardConn{conn, p}, nil
	}
}

type heardConn struct {
	net.Conn
	pulse *pulse
}

func (c heardConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if n > 0 {
		c.pulse.heard()
	}
	return n, err
}
