package remedy

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// turn is one record being done by this process, which holds its lease.
type turn struct {
	*Desk
	world World
	// stopping: the process is about to end.
	stopping <-chan struct{}
	// fence ends the context of the turn shortly before somebody else may take the record.
	fence *time.Timer
	// begun: something was done, or may have been.
	begun bool

	// writing has one write at a time: the renewal of the lease, or a step.
	writing chan struct{}
	mu      sync.Mutex
	rec     *Record
}

const (
	renewEvery = 10 * time.Second
	renewAgain = 2 * time.Second
	// fenceBefore is how long before the end of the lease this process stops of itself.
	fenceBefore = 5 * time.Second
)

var (
	// errLost: somebody else may have the record by now.
	errLost = errors.New("the lease is lost")
	// errStopping: the process is about to end.
	errStopping = errors.New("the process ends")
)

// outcome is how a record ends.
type outcome struct {
	state State
	text  string
}

func ends(state State, format string, args ...any) (outcome, error) {
	return outcome{state: state, text: fmt.Sprintf(format, args...)}, nil
}

// doIt does a record that is ready, or finds out what became of one that somebody has left half done.
func (d *Desk) doIt(ctx context.Context, stopping <-chan struct{}, r *Record) {
	log := d.log.With("id", r.ID, "kind", r.Kind, "app", r.App)
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	t := &turn{Desk: d, stopping: stopping, world: d.worlds[r.App.Instance], rec: r, writing: make(chan struct{}, 1),
		fence: time.AfterFunc(leaseFor-fenceBefore, func() { cancel(errLost) })}
	defer t.fence.Stop()
	resumed, err := t.begin(ctx)
	if err != nil {
		d.later(r, workAgain)
		if !errors.Is(err, errHeld) {
			log.Warn("action not begun, will try again", "error", err)
		}
		return
	}
	d.teller.Show(t.record())
	beating := make(chan struct{})
	go func() { defer close(beating); t.renew(ctx, cancel) }()
	out, err := t.outcome(ctx, resumed)
	if err == nil {
		err = t.finish(ctx, out)
	}
	cancel(nil)
	<-beating
	if errors.Is(err, errStopping) {
		err = t.handOver(context.WithoutCancel(ctx))
	}
	if err != nil {
		log.Warn("action left, somebody will find out what became of it", "error", err)
	}
}

// outcome is what comes of it.
func (t *turn) outcome(ctx context.Context, resumed bool) (outcome, error) {
	switch {
	case t.world == nil:
		return ends(Failed, "This bot knows no Argo CD %q any more, so nothing was done.", t.rec.App.Instance)
	case resumed:
		return t.findOut(ctx)
	}
	// That it was asked for is told first, but nothing waits for a Slack that does not answer.
	if err := t.tell(ctx, t.record(), false); err != nil {
		t.log.Warn("action not told before it is done, will try again", "id", t.id(), "error", err)
	}
	return t.perform(ctx)
}

// record is the record as we wrote it last. It is never changed.
func (t *turn) record() *Record {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.rec
}

func (t *turn) wrote(r *Record) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.rec = r
}

func (t *turn) id() string { return t.record().ID }

// begin makes the record this process's own. It reports whether somebody had begun it before.
func (t *turn) begin(ctx context.Context) (resumed bool, err error) {
	var began time.Time
	for range 3 {
		err = t.try(ctx, func(r *Record, now time.Time) error {
			switch {
			case r.State == Ready && r.free(t.holder, now):
				r.State, r.Step, r.Started = Running, StepCheck, now
				began = now
			case r.State == Running && r.Holder == t.holder && r.Started.Equal(began): // a write that seemed to fail
			case r.State == Running && r.free("", now):
				resumed = true
			default:
				return errHeld
			}
			return nil
		})
		if err == nil || errors.Is(err, errHeld) || pause(ctx, workAgain) != nil {
			break
		}
	}
	return resumed, err
}

// try writes the record once, and with it a new lease.
func (t *turn) try(ctx context.Context, edit func(*Record, time.Time) error) error {
	select {
	case t.writing <- struct{}{}:
		defer func() { <-t.writing }()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	r, now := t.record(), time.Now()
	r, err := t.amend(ctx, r.App, r.ID, func(r *Record) error {
		if err := edit(r, now); err != nil {
			return err
		}
		r.hold(t.holder, now)
		return nil
	})
	if err != nil {
		return err
	}
	t.wrote(r)
	t.fence.Reset(time.Until(r.Lease) - fenceBefore)
	return nil
}

// write edits the record while it is ours, until that has come through or the lease is lost.
func (t *turn) write(ctx context.Context, edit func(*Record, time.Time)) error {
	for {
		err := t.try(ctx, func(r *Record, now time.Time) error {
			if r.State != Running || r.Holder != t.holder {
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
		t.log.Warn("action not written down, will try again", "id", t.id(), "error", err)
		if err := pause(ctx, renewAgain); err != nil {
			return err
		}
	}
}

// renew keeps the lease. Where that is impossible for so long that somebody else may take the record, the fence ends the
// context of the turn, and with it whatever was to be done next.
func (t *turn) renew(ctx context.Context, cancel context.CancelCauseFunc) {
	for {
		if pause(ctx, renewEvery) != nil {
			return
		}
		if err := t.write(ctx, func(*Record, time.Time) {}); err != nil {
			cancel(err)
			return
		}
	}
}

// step writes down what is about to be done. It returns an error if it must not be.
func (t *turn) step(ctx context.Context, s Step) error {
	select {
	case <-t.stopping:
		return errStopping
	default:
	}
	if err := t.write(ctx, func(r *Record, _ time.Time) { r.Step = s }); err != nil {
		return err
	}
	t.begun = t.begun || s != StepCheck
	t.teller.Show(t.record())
	return context.Cause(ctx)
}

// wait waits between two looks.
func (t *turn) wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-t.stopping:
		return errStopping
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// finish writes the end, and tells it: on the Application first.
func (t *turn) finish(ctx context.Context, o outcome) error {
	now := time.Now()
	err := t.write(ctx, func(r *Record, _ time.Time) { r.end(o.state, o.text, now) })
	if errors.Is(err, errLost) { // or a write that seemed to fail had come through
		l, readErr := t.read(ctx, t.record().App)
		if readErr != nil {
			return errors.Join(err, readErr)
		}
		r := l.record(t.id())
		if r == nil || r.State != o.state || !r.Ended.Equal(now) {
			return err
		}
		t.wrote(r)
		err = nil
	}
	if err != nil {
		return err
	}
	t.ended(t.record())
	t.announce(ctx, t.record())
	if err := t.tell(ctx, t.record(), false); err != nil {
		t.later(t.record(), tellAgain)
		return fmt.Errorf("it is over, but not told: %w", err)
	}
	return nil
}

// handOver lets go of the record, so that the next process need not wait for the lease to end. What was not begun is ready
// again.
func (t *turn) handOver(ctx context.Context) error {
	r := t.record()
	_, err := t.amend(ctx, r.App, r.ID, func(r *Record) error {
		if r.State != Running || r.Holder != t.holder {
			return errLost
		}
		r.Lease = time.Time{}
		if !t.begun && r.Step == StepCheck {
			r.State, r.Step, r.Started = Ready, "", time.Time{}
		}
		return nil
	})
	return err
}
