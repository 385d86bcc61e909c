package simulator

import (
	"bufio"
	"net"
	"sync"
	"time"
)

// port divides the connections to one address, as argocd-server does: those that begin like HTTP/1.1 go to its HTTP API, all others to
// gRPC, which knows what to say to them.
type port struct {
	net.Listener
	web, grpc *half
}

// sniffTime is how long a connection may take to say how it begins.
const sniffTime = 10 * time.Second

func divide(l net.Listener) *port {
	p := &port{Listener: l, web: newHalf(l), grpc: newHalf(l)}
	go func() {
		defer p.web.end()
		defer p.grpc.end()
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go p.sort(conn)
		}
	}()
	return p
}

// sort hands a connection on by its first byte: HTTP/1.1 begins with GET here, HTTP/2 with PRI, TLS with a byte that is not a letter.
func (p *port) sort(conn net.Conn) {
	_ = conn.SetReadDeadline(time.Now().Add(sniffTime)) // if it fails, so does the reading
	r := bufio.NewReader(conn)
	first, err := r.Peek(1)
	if err != nil || conn.SetReadDeadline(time.Time{}) != nil {
		_ = conn.Close()
		return
	}
	to := p.grpc
	if first[0] == 'G' {
		to = p.web
	}
	select {
	case to.conns <- &begun{Conn: conn, r: r}:
	case <-to.ended:
		_ = conn.Close()
	}
}

// half is the listener of one protocol.
type half struct {
	address net.Addr
	conns   chan net.Conn
	ended   chan struct{}
	end     func()
}

func newHalf(l net.Listener) *half {
	ended := make(chan struct{})
	return &half{address: l.Addr(), conns: make(chan net.Conn), ended: ended, end: sync.OnceFunc(func() { close(ended) })}
}

// Accept implements net.Listener.
func (h *half) Accept() (net.Conn, error) {
	select {
	case conn := <-h.conns:
		return conn, nil
	case <-h.ended:
		return nil, net.ErrClosed
	}
}

// Close leaves the port open, which belongs to both halves.
func (h *half) Close() error {
	h.end()
	return nil
}

// Addr implements net.Listener.
func (h *half) Addr() net.Addr { return h.address }

// begun is a connection whose beginning was read.
type begun struct {
	net.Conn
	r *bufio.Reader
}

// Read implements net.Conn.
func (b *begun) Read(p []byte) (int, error) { return b.r.Read(p) }
