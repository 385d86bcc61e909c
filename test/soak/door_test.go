package soak_test

import (
	"io"
	"net"
	"sync"
)

// door is the way of one replica to the API server. While it is shut nothing comes through, and nobody says so: as in a network that is cut.
type door struct {
	listener net.Listener
	to       string

	mu     sync.Mutex
	opened *sync.Cond
	closed bool
}

func newDoor(to string) (*door, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // it lives as long as the test
	if err != nil {
		return nil, err
	}
	d := &door{listener: l, to: to}
	d.opened = sync.NewCond(&d.mu)
	go d.serve()
	return d, nil
}

func (d *door) address() string { return d.listener.Addr().String() }

func (d *door) shut(closed bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.closed = closed
	d.opened.Broadcast()
}

// pass waits while the door is shut.
func (d *door) pass() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for d.closed {
		d.opened.Wait()
	}
}

func (d *door) serve() {
	for {
		in, err := d.listener.Accept()
		if err != nil {
			return
		}
		go d.through(in)
	}
}

func (d *door) through(in net.Conn) {
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
func (d *door) carry(to, from net.Conn) {
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
			_ = err == io.EOF //nolint:errorlint // either way it has ended
			return
		}
	}
}
