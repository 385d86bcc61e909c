package remedy

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/argo-why/argo-why/internal/action"
)

// claim is the right of this process to work on one record: it holds the record's lease, and every write renews that. Before
// somebody else may take the record, the fence ends the context that the work runs in.
type claim struct {
	store  store
	holder string
	show   func(*action.Record)
	log    *slog.Logger
	// stopping: the process is about to end.
	stopping <-chan struct{}
	fence    *time.Timer
	// begun: something was done, or may have been.
	begun bool

	// writing has one write at a time: the renewal of the lease, or a step.
	writing chan struct{}
	mu      sync.Mutex
	rec     *action.Record
}

const (
	renewInterval   = 10 * time.Second
	retryWriteAfter = 2 * time.Second
	// fenceBefore is how long before the end of the lease this process stops of itself.
	fenceBefore = 5 * time.Second
)

var (
	// errHeld: another process works on the record.
	errHeld = errors.New("another process is working on it")
	// errLost: somebody else may have the record by now.
	errLost = errors.New("the lease is lost")
	// errStopping: the process is about to end.
	errStopping = errors.New("the process is stopping")
)

// newClaim prepares a claim on a record; begin makes it. lose is called when the lease can no longer be relied on.
func (s *Service) newClaim(r *action.Record, stopping <-chan struct{}, lose func(error)) *claim {
	return &claim{
		store: s.store, holder: s.holder, show: s.notifier.Show, log: s.log, stopping: stopping, rec: r, writing: make(chan struct{}, 1),
		fence: time.AfterFunc(action.LeaseFor-fenceBefore, func() { lose(errLost) }),
	}
}

// record is the record as we wrote it last. It is never changed.
func (c *claim) record() *action.Record {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.rec
}

func (c *claim) wrote(r *action.Record) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.rec = r
}

func (c *claim) id() string { return c.record().ID }

// begin makes the record this process's own. It reports whether somebody had begun it before.
func (c *claim) begin(ctx context.Context) (resumed bool, err error) {
	var began time.Time
	for range 3 {
		err = c.tryWrite(ctx, func(r *action.Record, now time.Time) error {
			switch {
			case r.State == action.Ready && r.Free(c.holder, now):
				r.State, r.Step, r.Started = action.Running, action.StepCheck, now
				began = now
			case r.State == action.Running && r.Holder == c.holder && r.Started.Equal(began): // a write that seemed to fail
			case r.State == action.Running && r.Free("", now):
				resumed = true
			default:
				return errHeld
			}
			return nil
		})
		if err == nil || errors.Is(err, errHeld) || pause(ctx, retryWorkAfter) != nil {
			break
		}
	}
	return resumed, err
}

// tryWrite writes the record once, and with it a new lease.
func (c *claim) tryWrite(ctx context.Context, edit func(*action.Record, time.Time) error) error {
	select {
	case c.writing <- struct{}{}:
		defer func() { <-c.writing }()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	r, now := c.record(), time.Now()
	r, err := c.store.amend(ctx, r.App, r.ID, func(r *action.Record) error {
		if err := edit(r, now); err != nil {
			return err
		}
		r.Hold(c.holder, now)
		return nil
	})
	if err != nil {
		return err
	}
	c.wrote(r)
	c.fence.Reset(time.Until(r.Lease) - fenceBefore)
	return nil
}

// write edits the record while it is ours, until that has come through or the lease is lost.
func (c *claim) write(ctx context.Context, edit func(*action.Record, time.Time)) error {
	for {
		err := c.tryWrite(ctx, func(r *action.Record, now time.Time) error {
			if r.State != action.Running || r.Holder != c.holder {
				return errLost
			}
			edit(r, now)
			return nil
		})
		switch {
		case err == nil, errors.Is(err, errLost):
			return err
		case ctx.Err() != nil:
			return context.Cause(ctx)
		}
		c.log.Warn("action not saved, will try again", "id", c.id(), "error", err)
		if err := pause(ctx, retryWriteAfter); err != nil {
			return err
		}
	}
}

// renew keeps the lease until the context ends. Where that is impossible for so long that somebody else may take the record, the
// fence ends the context of the work, and with it whatever was to be done next.
func (c *claim) renew(ctx context.Context, lose context.CancelCauseFunc) {
	for {
		if pause(ctx, renewInterval) != nil {
			return
		}
		if err := c.write(ctx, func(*action.Record, time.Time) {}); err != nil {
			lose(err)
			return
		}
	}
}

// step writes down what is about to be done. It returns an error if it must not be.
func (c *claim) step(ctx context.Context, s action.Step) error {
	select {
	case <-c.stopping:
		return errStopping
	default:
	}
	if err := c.write(ctx, func(r *action.Record, _ time.Time) { r.Step = s }); err != nil {
		return err
	}
	c.begun = c.begun || s != action.StepCheck
	c.show(c.record())
	if err := context.Cause(ctx); err != nil {
		return err
	}
	return c.held(time.Now())
}

// held says whether the lease is still ours. The fence is a timer, and a process that was stopped for a while may go on before it fires.
func (c *claim) held(now time.Time) error {
	if end := c.record().Lease.Add(-fenceBefore); !now.Before(end) {
		return errLost
	}
	return nil
}

// wait waits between two looks.
func (c *claim) wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-c.stopping:
		return errStopping
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// end writes down how it ended. An answer that did not come says nothing about the write: what is on record counts.
func (c *claim) end(ctx context.Context, res *result) error {
	now := time.Now()
	err := c.write(ctx, func(r *action.Record, _ time.Time) { r.End(res.state, res.text, now) })
	if !errors.Is(err, errLost) {
		return err
	}
	l, unread := c.store.read(ctx, c.record().App)
	if unread != nil {
		return errors.Join(err, unread)
	}
	r := l.Record(c.id())
	if r == nil || r.State != res.state || !r.Ended.Equal(now) {
		return err
	}
	c.wrote(r)
	return nil
}

// handOver lets go of the record, so that the next process need not wait for the lease to end. What was not begun is ready
// again.
func (c *claim) handOver(ctx context.Context) error {
	r := c.record()
	_, err := c.store.amend(ctx, r.App, r.ID, func(r *action.Record) error {
		if r.State != action.Running || r.Holder != c.holder {
			return errLost
		}
		r.Lease = time.Time{}
		if !c.begun && r.Step == action.StepCheck {
			r.State, r.Step, r.Started = action.Ready, "", time.Time{}
		}
		return nil
	})
	return err
}
