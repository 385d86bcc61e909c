package workspace

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"
)

// Server is a workspace on a TCP port.
type Server struct {
	URL  string // http://127.0.0.1:41234, the API below /api/
	http *http.Server
	done chan struct{}
}

// Start serves the workspace until the context ends or Close is called. The address is like "127.0.0.1:0".
func Start(ctx context.Context, addr string, w *Workspace) (*Server, error) {
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("listen for the workspace: %w", err)
	}
	s := &Server{
		URL:  "http://" + listener.Addr().String(),
		http: newHTTPServer(w),
		done: make(chan struct{}),
	}
	w.do(func() { w.url = s.URL })
	go func() {
		defer close(s.done)
		// Serve always returns an error; after Close it says no more than that.
		_ = s.http.Serve(listener)
	}()
	context.AfterFunc(ctx, func() { _ = s.Close() })
	return s, nil
}

// Close ends the port. The workspace lives on.
func (s *Server) Close() error {
	err := s.http.Close()
	<-s.done
	if err != nil {
		return fmt.Errorf("close the workspace's port: %w", err)
	}
	return nil
}

// newHTTPServer has no write time-out: sockets stay open, and a scripted silence is longer than any.
func newHTTPServer(w *Workspace) *http.Server {
	return &http.Server{Handler: w.Handler(), ReadHeaderTimeout: 10 * time.Second}
}

// memory connects clients within the process, through net.Pipe, with the same HTTP server as on a port.
type memory struct {
	w     *Workspace
	start sync.Once
	conns chan net.Conn
	done  chan struct{}
	ended chan struct{}
	http  *http.Server
}

func newMemory(w *Workspace) *memory {
	return &memory{w: w, conns: make(chan net.Conn), done: make(chan struct{}), ended: make(chan struct{})}
}

// DialContext connects to the workspace whatever the address. As NetDialContext of a websocket.Dialer it lets a Socket
// Mode client in.
func (w *Workspace) DialContext(ctx context.Context, _, _ string) (net.Conn, error) {
	return w.memory.dial(ctx)
}

// Transport is for an http.Client that reaches the workspace in memory, whatever the host of its URL. Plain http only.
func (w *Workspace) Transport() http.RoundTripper {
	// A connection per call: none is left open behind a test.
	return &http.Transport{DialContext: w.DialContext, DisableKeepAlives: true}
}

func (m *memory) dial(ctx context.Context) (net.Conn, error) {
	m.start.Do(func() {
		m.http = newHTTPServer(m.w)
		go func() {
			defer close(m.ended)
			_ = m.http.Serve(m)
		}()
	})
	ours, theirs := net.Pipe()
	select {
	case m.conns <- ours:
		return theirs, nil
	case <-m.done:
		return nil, errors.New("dial the workspace: it is closed")
	case <-ctx.Done():
		return nil, fmt.Errorf("dial the workspace: %w", context.Cause(ctx))
	}
}

func (m *memory) close() {
	close(m.done)
	m.start.Do(func() { close(m.ended) })
	if m.http != nil {
		_ = m.http.Close()
	}
	<-m.ended
}

// Accept, Close and Addr make it a net.Listener.
func (m *memory) Accept() (net.Conn, error) {
	select {
	case conn := <-m.conns:
		return conn, nil
	case <-m.done:
		return nil, net.ErrClosed
	}
}

func (m *memory) Close() error { return nil }

func (m *memory) Addr() net.Addr { return memoryAddr{} }

type memoryAddr struct{}

func (memoryAddr) Network() string { return "memory" }
func (memoryAddr) String() string  { return "workspace" }
