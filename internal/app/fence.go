package app

import (
	"context"
	"net"
	"net/http"
	"time"

	"github.com/argo-why/argo-why/internal/incident"
)

// fencedJournal is a journal that only the leader writes to. A write that was on its way when this process lost the Lease changes nothing that
// somebody else has written since: each is bound to the version that was read.
type fencedJournal struct {
	incident.Journal
	leading func() error
}

// Put implements incident.Journal.
func (j *fencedJournal) Put(ctx context.Context, i *incident.Incident) error {
	if err := j.leading(); err != nil {
		return err
	}
	return j.Journal.Put(ctx, i)
}

// Delete implements incident.Journal.
func (j *fencedJournal) Delete(ctx context.Context, i *incident.Incident) error {
	if err := j.leading(); err != nil {
		return err
	}
	return j.Journal.Delete(ctx, i)
}

// fencedClient makes connections on which nothing is sent while this process does not lead. It asks right before each write: a process that was
// stopped in the middle of a request, and continued when another one leads, must not send the rest.
func fencedClient(leading func() error) *http.Client {
	dialer := &net.Dialer{Timeout: 10 * time.Second}
	transport := &http.Transport{Proxy: http.ProxyFromEnvironment, ForceAttemptHTTP2: true, IdleConnTimeout: 90 * time.Second, TLSHandshakeTimeout: 10 * time.Second}
	transport.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := dialer.DialContext(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return fencedConn{conn, leading}, nil
	}
	return &http.Client{Transport: transport}
}

type fencedConn struct {
	net.Conn
	leading func() error
}

// Write implements net.Conn.
func (c fencedConn) Write(p []byte) (int, error) {
	if err := c.leading(); err != nil {
		return 0, err
	}
	return c.Conn.Write(p)
}
