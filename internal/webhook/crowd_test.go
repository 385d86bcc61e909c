package webhook_test

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/argo-why/argo-why/internal/webhook"
)

// pipes is a listener whose connections are in memory, so that time-outs take no time.
type pipes struct {
	waiting chan net.Conn
	closed  chan struct{}
}

func newPipes() *pipes { return &pipes{make(chan net.Conn), make(chan struct{})} }

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.waiting:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error { close(p.closed); return nil }

func (p *pipes) Addr() net.Addr { return &net.TCPAddr{} }

func (p *pipes) dial() net.Conn {
	here, there := net.Pipe()
	p.waiting <- there
	return here
}

// visit plays with a server whose connections are in memory.
func visit(t *testing.T, s *webhook.Server, act func(hooks *pipes)) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	hooks, metrics := newPipes(), newPipes()
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, hooks, metrics) }()
	act(hooks)
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// deliver sends a good hook on a connection of its own.
func deliver(t *testing.T, hooks *pipes) (status int, took time.Duration) {
	t.Helper()
	began := time.Now()
	conn := hooks.dial()
	defer func() { _ = conn.Close() }()
	go func() {
		_, _ = io.WriteString(conn, "POST /hooks/argocd/prod HTTP/1.1\r\nHost: bot\r\nAuthorization: Bearer "+token+
			"\r\nContent-Type: application/json\r\nContent-Length: 38\r\n\r\n"+body)
	}()
	answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	_ = answer.Body.Close()
	return answer.StatusCode, time.Since(began)
}

// TestManyConnectionsDoNotKeepAHookOut: strangers open them and say nothing, or begin a request and never end it.
func TestManyConnectionsDoNotKeepAHookOut(t *testing.T) {
	for name, says := range map[string]string{
		"silent": "", "a header without end": "POST /hooks/argocd/prod HTTP/1.1\r\nX-A: ", "a body without end": "POST /hooks/argocd/prod HTTP/1.1\r\nHost: bot\r\nAuthorization: Bearer " + token + "\r\nContent-Length: 38\r\n\r\n{",
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var noted notes
				visit(t, newServer(t, noted.take), func(hooks *pipes) {
					var ended atomic.Int32
					for range 1000 {
						conn := hooks.dial()
						go func() { _, _ = io.WriteString(conn, says) }()
						go func() { _, _ = io.Copy(io.Discard, conn); ended.Add(1) }()
						synctest.Wait()
					}
					if status, took := deliver(t, hooks); status != http.StatusAccepted || took > 0 {
						t.Errorf("a good hook was answered %d after %s", status, took)
					}
					if held := 1000 - ended.Load(); held > 256 {
						t.Errorf("%d connections are held", held)
					}
					time.Sleep(15 * time.Second)
					if held := 1000 - ended.Load(); held > 0 {
						t.Errorf("%d connections are held after the time-outs", held)
					}
				})
				if len(noted.apps) != 1 {
					t.Errorf("noted %v", noted.apps)
				}
			})
		})
	}
}
