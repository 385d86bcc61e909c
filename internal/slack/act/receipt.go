package act

import (
	"context"
	"sync"
	"time"
)

// ackTime is how long the acknowledgement of a submission may take to arrive: it replaces what the modal shows, goes another way than
// the calls that do so, and the one that comes last stays.
const ackTime = 300 * time.Millisecond

// receipt is the acknowledgement of a click: it is sent when what was clicked is on record. A bot that is killed before has confirmed
// nothing, and Slack says so to the person.
type receipt struct {
	recorded     chan struct{}
	acknowledged chan struct{}
	record, ack  func()
}

func newReceipt() *receipt {
	r := &receipt{recorded: make(chan struct{}), acknowledged: make(chan struct{})}
	r.record = sync.OnceFunc(func() { close(r.recorded) })
	r.ack = sync.OnceFunc(func() { close(r.acknowledged) })
	return r
}

// onRecord is called when a click is on record, or when there is nothing to record.
func (c *click) onRecord() {
	if c.receipt != nil {
		c.receipt.record()
	}
}

// shown waits until the acknowledgement of a submission shows.
func (c *click) shown(ctx context.Context) error {
	if c.receipt == nil || !c.submitted {
		return nil
	}
	select {
	case <-c.receipt.acknowledged:
	case <-ctx.Done():
		return ctx.Err()
	}
	timer := time.NewTimer(ackTime)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
