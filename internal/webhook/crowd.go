package webhook

import (
	"container/list"
	"log/slog"
	"net"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// maxConnections is how many connections one address holds at a time. Each costs some memory before it has said who it is. Argo CD needs one
// for each of its notifications controllers, Prometheus and the kubelet a few.
const maxConnections = 256

// crowd is a listener that holds only so many connections. Where another one comes it closes the one that has been open for longest: whoever
// opens many and says nothing loses them, and a hook, which is answered within milliseconds, gets in at once. A limit that had it wait for
// its turn instead would let strangers hold up the notifications of Argo CD, which sends one at a time.
type crowd struct {
	net.Listener
	max int
	log *slog.Logger

	mu       sync.Mutex
	open     list.List // of *visitor, the oldest first
	reported rate.Sometimes
}

func newCrowd(l net.Listener, log *slog.Logger) *crowd {
	return &crowd{Listener: l, max: maxConnections, log: log, reported: rate.Sometimes{First: 1, Interval: time.Minute}}
}

// Accept implements net.Listener.
func (c *crowd) Accept() (net.Conn, error) {
	conn, err := c.Listener.Accept()
	if err != nil {
		return nil, err
	}
	v := &visitor{Conn: conn, of: c}
	c.mu.Lock()
	v.at = c.open.PushBack(v)
	var oldest *visitor
	if c.open.Len() > c.max {
		oldest, _ = c.open.Front().Value.(*visitor)
	}
	c.mu.Unlock()
	if oldest != nil {
		_ = oldest.Close() // whoever it was has had their time
		c.reported.Do(func() {
			c.log.Warn("too many open connections, closing the oldest", "address", c.Addr().String(), "limit", c.max)
		})
	}
	return v, nil
}

// visitor is one of the connections.
type visitor struct {
	net.Conn
	of *crowd
	at *list.Element
}

// Close implements net.Conn. Twice is once.
func (v *visitor) Close() error {
	v.of.mu.Lock()
	if v.at != nil {
		v.of.open.Remove(v.at)
		v.at = nil
	}
	v.of.mu.Unlock()
	return v.Conn.Close()
}
