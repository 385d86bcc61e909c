package remedy

import (
	"context"
	"errors"
	"sync"
	"time"
)

// How often the records are looked at.
const (
	tick = 2 * time.Second
	// Reading all records takes at most one shareOfTime-th of the time, and happens at least every slowest.
	shareOfTime = 20
	slowest     = 15 * time.Second
	// compareEvery is how often the plan of what waits for approval is made anew, for which Argo CD compares with Git. Where the
	// application is said to have changed that is done sooner, but not more often than compareAgain.
	compareEvery = time.Minute
	compareAgain = 15 * time.Second
	// tellAgain is when something that could not be told is tried again, and workAgain when what could not be begun or
	// looked at is.
	tellAgain = 10 * time.Second
	workAgain = 2 * time.Second
	// sayAgain is when it is logged again that the logs cannot be read, for the same reason.
	sayAgain = time.Minute
	// tellTimeout is below the lease that a claim gives.
	tellTimeout = 20 * time.Second
	// announceTimeout is for the Event.
	announceTimeout = 10 * time.Second
	// drainFor is how long what has begun may take after the end was asked for; Kubernetes gives a pod 30 s.
	drainFor = 15 * time.Second
)

// Run does what is ready, looks after what waits, finds out what became of what others left half done, and tells it all,
// until the context ends. Then it begins nothing any more, finishes the call that is under way, and leaves the rest to
// whoever comes next. It may run in several processes on one Journal.
func (d *Desk) Run(ctx context.Context) error {
	// A call that is half through is not broken off by the end, but by its own time-out.
	working, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	var turns sync.WaitGroup
	turns.Go(func() { d.rights.keepFresh(ctx) })
	ticker := time.NewTicker(tick)
	defer ticker.Stop()
	var next time.Time
	said, saidAt := "", time.Time{}
	for ctx.Err() == nil {
		logs, err := d.news(working, &next)
		if err != nil && (err.Error() != said || time.Since(saidAt) >= sayAgain) {
			d.log.Warn("action logs not read, will try again", "error", err)
			said, saidAt = err.Error(), time.Now()
		}
		d.round(working, ctx.Done(), logs, &turns)
		select {
		case <-ctx.Done():
		case <-d.wake:
		case <-ticker.C:
		}
	}
	defer time.AfterFunc(drainFor, stop).Stop()
	turns.Wait()
	return nil
}

// news are all logs when it is time for that, and in between those of the applications that there was a hint about. Where it
// takes long to read them all, because there are many, that is done less often. Along with an error come those that could be
// read; a hint about one that could not stays.
func (d *Desk) news(ctx context.Context, next *time.Time) ([]*ActionLog, error) {
	d.mu.Lock()
	hinted := d.hinted
	d.hinted = map[App]bool{}
	d.mu.Unlock()
	var logs []*ActionLog
	var unread error
	if began := time.Now(); !began.Before(*next) {
		logs, unread = d.list(ctx)
		*next = began.Add(min(max(tick, shareOfTime*time.Since(began)), slowest))
		if unread == nil {
			return logs, nil
		}
	}
	for _, l := range logs {
		delete(hinted, l.App)
	}
	ctx, cancel := context.WithTimeout(ctx, journalTimeout)
	defer cancel()
	for app := range hinted {
		l, err := d.read(ctx, app)
		if err != nil {
			if unread == nil {
				unread = err
			}
			d.mu.Lock()
			d.hinted[app] = true
			d.mu.Unlock()
			continue
		}
		logs = append(logs, l)
	}
	return logs, unread
}

// list reads all logs.
func (d *Desk) list(ctx context.Context) ([]*ActionLog, error) {
	ctx, cancel := context.WithTimeout(ctx, journalTimeout)
	defer cancel()
	return d.journal.List(ctx)
}

// round begins whatever is due.
func (d *Desk) round(ctx context.Context, stopping <-chan struct{}, logs []*ActionLog, turns *sync.WaitGroup) {
	now := time.Now()
	for _, l := range logs {
		d.noteWaiting(l, now)
		for _, r := range l.Records {
			work := d.due(r, now)
			if work == nil || !d.take(r.ID) {
				continue
			}
			turns.Go(func() {
				defer d.release(r)
				defer func() { d.rescue(ctx, r, recover()) }()
				work(ctx, stopping, r)
			})
		}
	}
}

// noteWaiting remembers which applications have a waiting record, for Changed.
func (d *Desk) noteWaiting(l *ActionLog, now time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	_, known := d.waiting[l.App]
	waits := l.find(func(r *Record) bool { return r.State == Waiting }) != nil
	switch {
	case !waits:
		delete(d.waiting, l.App)
	case !known:
		d.waiting[l.App] = comparison{last: now}
	}
}

// comparison is when the plan of a waiting record was made last, and whether the application has changed since.
type comparison struct {
	last    time.Time
	changed bool
}

func (c comparison) due(now time.Time) bool {
	if c.changed {
		return !now.Before(c.last.Add(compareAgain))
	}
	return !now.Before(c.last.Add(compareEvery))
}

// due is what is to be done about a record now; nil when nothing is.
func (d *Desk) due(r *Record, now time.Time) func(context.Context, <-chan struct{}, *Record) {
	d.mu.Lock()
	defer d.mu.Unlock()
	review := func(ctx context.Context, _ <-chan struct{}, r *Record) { d.review(ctx, r) }
	switch {
	case now.Before(d.again[r.ID]):
		return nil
	case r.State == Ready && r.free(d.holder, now), r.State == Running && r.free("", now):
		return d.doIt
	case r.State == Waiting && !now.Before(r.Approval.Expires):
		return review
	case r.State == Waiting && r.Kind.confirmed() && d.waiting[r.App].due(now):
		d.waiting[r.App] = comparison{last: now}
		return review
	case r.State != Running && len(r.Notes) > 0 && r.free(d.holder, now):
		return d.catchUp
	}
	return nil
}

// later has a record left alone for a while.
func (d *Desk) later(r *Record, by time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.again[r.ID] = time.Now().Add(by)
}

// take reserves a record for a goroutine of this process.
func (d *Desk) take(id string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.inHand[id] {
		return false
	}
	d.inHand[id] = true
	return true
}

func (d *Desk) release(r *Record) {
	d.mu.Lock()
	delete(d.inHand, r.ID)
	if !time.Now().Before(d.again[r.ID]) {
		delete(d.again, r.ID)
	}
	d.mu.Unlock()
	d.hint(r.App) // there may be more to do about it
}

// errHeld: another process works on the record.
var errHeld = errors.New("another process works on it")

// How long a record is held by a process that says nothing, and how much later somebody else takes it: clocks differ.
const (
	leaseFor   = 30 * time.Second
	leaseGrace = 10 * time.Second
)

// free reports whether somebody may work on the record: nobody else does, or has fallen silent.
func (r *Record) free(holder string, now time.Time) bool {
	return r.Lease.IsZero() || holder != "" && r.Holder == holder || now.After(r.Lease.Add(leaseGrace))
}

// hold makes the record a process's own for a while.
func (r *Record) hold(holder string, now time.Time) { r.Holder, r.Lease = holder, now.Add(leaseFor) }

// catchUp tells what is not told yet of a record that nobody works on otherwise. That it is over stands on the Application
// first: this does not wait for a Slack that does not answer.
func (d *Desk) catchUp(ctx context.Context, _ <-chan struct{}, r *Record) {
	if r.State.Over() {
		d.announce(ctx, r)
	}
	err := d.tell(ctx, r, true)
	if err == nil {
		return
	}
	d.later(r, tellAgain)
	if !errors.Is(err, errHeld) {
		d.log.Warn("action not told, will try again", "id", r.ID, "app", r.App, "error", err)
	}
}

// tell tells the notes of a record in their order, and takes each from the record once it is told. Two processes must not
// tell at once, or both would post before either sees the other's message: who does not hold the record claims it first.
func (d *Desk) tell(ctx context.Context, r *Record, claim bool) error {
	for len(r.Notes) > 0 {
		if claim {
			claimed, err := d.amend(ctx, r.App, r.ID, func(r *Record) error {
				now := time.Now()
				if !r.free(d.holder, now) || r.State == Running {
					return errHeld
				}
				r.hold(d.holder, now)
				return nil
			})
			if err != nil {
				return err
			}
			if r = claimed; len(r.Notes) == 0 {
				break
			}
		}
		n := r.Notes[0]
		if err := d.say(ctx, r, n); err != nil {
			return err
		}
		told, err := d.amend(ctx, r.App, r.ID, func(r *Record) error { return r.told(n.Number) })
		if err != nil && !errors.Is(err, errStay) {
			return err
		}
		r = told
	}
	return nil
}

// say brings one note to people.
func (d *Desk) say(ctx context.Context, r *Record, n Note) error {
	ctx, cancel := context.WithTimeout(ctx, tellTimeout)
	defer cancel()
	return d.teller.Tell(ctx, r, n)
}

// told takes a note from a record, and lets go of the record with the last one.
func (r *Record) told(number int) error {
	n := len(r.Notes)
	for i, note := range r.Notes {
		if note.Number == number {
			r.Notes = append(r.Notes[:i:i], r.Notes[i+1:]...)
			break
		}
	}
	if len(r.Notes) == n {
		return errStay
	}
	if len(r.Notes) == 0 && r.State != Running {
		r.Lease = time.Time{}
	}
	return nil
}
