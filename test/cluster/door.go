//go:build live

package cluster

import (
	"net"
	"net/url"
	"path/filepath"
	"sync"
	"testing"

	"k8s.io/client-go/tools/clientcmd"
)

// Door is the way of one replica to the API server. While it is shut nothing comes through, and nobody says so: as in a network that is cut.
type Door struct {
	listener net.Listener
	to       string

	mu     sync.Mutex
	opened *sync.Cond
	closed bool
}

// NewDoor makes an open one that leads to a host and port. It goes with the test.
func NewDoor(t *testing.T, to string) *Door {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // it lives as long as the test
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	d := &Door{listener: l, to: to}
	d.opened = sync.NewCond(&d.mu)
	go d.serve()
	return d
}

// Address is the host and port of the door itself.
func (d *Door) Address() string { return d.listener.Addr().String() }

// Shut shuts it, or opens it again.
func (d *Door) Shut(closed bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.closed = closed
	d.opened.Broadcast()
}

// pass waits while the door is shut.
func (d *Door) pass() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for d.closed {
		d.opened.Wait()
	}
}

func (d *Door) serve() {
	for {
		in, err := d.listener.Accept()
		if err != nil {
			return
		}
		go d.through(in)
	}
}

func (d *Door) through(in net.Conn) {
	d.pass()
	out, err := net.Dial("tcp", d.to) //nolint:noctx // as above
	if err != nil {
		_ = in.Close()
		return
	}
	var both sync.WaitGroup
	both.Go(func() { d.carry(out, in) })
	both.Go(func() { d.carry(in, out) })
	both.Wait()
}

// carry passes on what comes in, while the door is open.
func (d *Door) carry(to, from net.Conn) {
	defer func() { _, _ = to.Close(), from.Close() }()
	part := make([]byte, 32<<10)
	for {
		n, err := from.Read(part)
		d.pass()
		if n > 0 {
			if _, failed := to.Write(part[:n]); failed != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// Behind makes a door, and a kubeconfig of the account that leads through it.
func (c *Cluster) Behind(t *testing.T) (d *Door, kubeconfig string) {
	t.Helper()
	config, err := clientcmd.LoadFromFile(c.Kubeconfig)
	if err != nil {
		t.Fatal(err)
	}
	for _, to := range config.Clusters {
		server, err := url.Parse(to.Server)
		if err != nil {
			t.Fatal(err)
		}
		d = NewDoor(t, server.Host)
		server.Host = d.Address()
		to.Server = server.String()
	}
	kubeconfig = filepath.Join(t.TempDir(), "kubeconfig")
	if err := clientcmd.WriteToFile(*config, kubeconfig); err != nil {
		t.Fatal(err)
	}
	return d, kubeconfig
}
