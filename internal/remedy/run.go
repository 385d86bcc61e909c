package remedy

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/argo-why/argo-why/internal/action"
)

// How often the records are looked at.
const (
	tick = 2 * time.Second
	// Reading all records takes at most one shareOfTime-th of the time, and happens at least every slowestTick.
	shareOfTime = 20
	slowestTick = 15 * time.Second
	// compareInterval is how often the plan of what waits for approval is made anew, for which Argo CD compares with Git. Where the
	// application is said to have changed that is done sooner, but not more often than recompareAfter.
	compareInterval = time.Minute
	recompareAfter  = 15 * time.Second
	// glanceInterval is how often at most the application alone is read where it is said to have changed.
	glanceInterval = time.Second
	// retryNotifyAfter is when something that people could not be notified of is tried again, and retryWorkAfter when what could
	// not be begun or looked at is.
	retryNotifyAfter = 10 * time.Second
	retryWorkAfter   = 2 * time.Second
	// relogAfter is when it is logged again that the logs cannot be read, for the same reason.
	relogAfter = time.Minute
	// forgetAtOnce is how many old logs are deleted in one round: nobody waits for that.
	forgetAtOnce = 10
	// forgetAgain is when that is tried again where the role, of a former version, does not allow it.
	forgetAgain = time.Hour
	// drainFor is how long what has begun may take after the end was asked for; Kubernetes gives a pod 30 s.
	drainFor = 15 * time.Second
)

// Run does what is ready, looks after what waits, finds out what became of what others left half done, and tells it all,
// until the context ends. Then it begins nothing any more, finishes the call that is under way, and leaves the rest to
// whoever comes next. It may run in several processes on one Journal.
func (s *Service) Run(ctx context.Context) error {
	// A call that is half through is not broken off by the end, but by its own time-out.
	working, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	var executions sync.WaitGroup
	executions.Go(func() { s.rights.keepFresh(ctx) })
	ticker := time.NewTicker(tick)
	defer ticker.Stop()
	var next time.Time
	logged, loggedAt := "", time.Time{}
	for ctx.Err() == nil {
		logs, err := s.readLogs(working, &next)
		if err != nil && (err.Error() != logged || time.Since(loggedAt) >= relogAfter) {
			s.log.Warn("action logs not read, will try again", "error", err)
			logged, loggedAt = err.Error(), time.Now()
		}
		s.round(working, ctx.Done(), logs, &executions)
		select {
		case <-ctx.Done():
		case <-s.wake:
		case <-ticker.C:
		}
	}
	defer time.AfterFunc(drainFor, stop).Stop()
	executions.Wait()
	return nil
}

// Standby keeps what is known of the bot's rights fresh, until the context ends: for a process that takes requests, which another one does.
func (s *Service) Standby(ctx context.Context) { s.rights.keepFresh(ctx) }

// readLogs reads all logs when it is time for that, and in between those of the applications that there was a hint about. Where it
// takes long to read them all, because there are many, that is done less often. Along with an error come those that could be
// read; a hint about one that could not stays.
func (s *Service) readLogs(ctx context.Context, next *time.Time) ([]*action.Log, error) {
	s.mu.Lock()
	hinted := s.hinted
	s.hinted = map[action.App]bool{}
	s.mu.Unlock()
	var logs []*action.Log
	var unread error
	if began := time.Now(); !began.Before(*next) {
		logs, unread = s.store.list(ctx)
		logs = slices.DeleteFunc(logs, func(l *action.Log) bool { return !s.owns(l.App) })
		s.metrics.kept(logs, unread)
		logs = s.forgetOutdated(ctx, logs, began)
		*next = began.Add(min(max(tick, shareOfTime*time.Since(began)), slowestTick))
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
		l, err := s.store.read(ctx, app)
		if err != nil {
			if unread == nil {
				unread = err
			}
			s.mu.Lock()
			s.hinted[app] = true
			s.mu.Unlock()
			continue
		}
		logs = append(logs, l)
	}
	return logs, unread
}

// forgetOutdated deletes a few logs that nobody needs any more, and returns the others.
func (s *Service) forgetOutdated(ctx context.Context, logs []*action.Log, now time.Time) []*action.Log {
	s.mu.Lock()
	early := now.Before(s.forgetNext)
	s.mu.Unlock()
	if early {
		return logs
	}
	deleted := 0
	return slices.DeleteFunc(logs, func(l *action.Log) bool {
		if deleted == forgetAtOnce || !l.Outdated(now) {
			return false
		}
		deleted++
		if err := s.store.forget(ctx, l); err != nil {
			s.log.Warn("old action log not deleted, will try again in an hour", "app", l.App, "error", err)
			deleted = forgetAtOnce
			s.mu.Lock()
			s.forgetNext = now.Add(forgetAgain)
			s.mu.Unlock()
			return false
		}
		return true
	})
}

// round begins whatever is due.
func (s *Service) round(ctx context.Context, stopping <-chan struct{}, logs []*action.Log, executions *sync.WaitGroup) {
	now := time.Now()
	for _, l := range logs {
		s.noteWaiting(l, now)
		for _, r := range l.Records {
			work := s.due(r, now)
			if work == nil || !s.claim(r.ID) {
				continue
			}
			executions.Go(func() {
				defer s.release(r)
				defer func() { s.rescue(ctx, r, recover()) }()
				work(ctx, stopping, r)
			})
		}
	}
}

// noteWaiting remembers which applications have a waiting record, for Changed, and when it expires: nobody should have to click to see
// that it has.
func (s *Service) noteWaiting(l *action.Log, now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range l.Records {
		if left := waitsFor(r, now); left > 0 && !s.alarms[r.ID] {
			s.alarms[r.ID] = true
			time.AfterFunc(left, func() { s.expires(r) })
		}
	}
	_, known := s.waiting[l.App]
	waits := l.Find(func(r *action.Record) bool { return r.State == action.Waiting }) != nil
	switch {
	case !waits:
		delete(s.waiting, l.App)
	case !known:
		s.waiting[l.App] = comparison{last: now}
	}
}

// waitsFor is how long a record may still be approved.
func waitsFor(r *action.Record, now time.Time) time.Duration {
	if r.State != action.Waiting {
		return 0
	}
	return r.Approval.Expires.Sub(now)
}

// expires has Run look at a record whose time is over.
func (s *Service) expires(r *action.Record) {
	s.mu.Lock()
	delete(s.alarms, r.ID)
	s.mu.Unlock()
	s.Hint(r.App)
}

// comparison is when the plan of a waiting record was made last, and whether the application has changed since.
type comparison struct {
	last    time.Time
	changed bool
	// glanced is when the application alone was read last; unseen: it has changed since.
	glanced time.Time
	unseen  bool
}

func (c comparison) due(now time.Time) bool {
	if c.changed {
		return !now.Before(c.last.Add(recompareAfter))
	}
	return !now.Before(c.last.Add(compareInterval))
}

func (c comparison) glanceDue(now time.Time) bool {
	return c.unseen && !now.Before(c.glanced.Add(glanceInterval))
}

// due is what is to be done about a record now; nil when nothing is.
func (s *Service) due(r *action.Record, now time.Time) func(context.Context, <-chan struct{}, *action.Record) {
	s.mu.Lock()
	defer s.mu.Unlock()
	review := func(ctx context.Context, _ <-chan struct{}, r *action.Record) { s.review(ctx, r) }
	switch {
	case now.Before(s.again[r.ID]):
		return nil
	case r.State == action.Ready && r.Free(s.holder, now), r.State == action.Running && r.Free("", now):
		return s.execute
	case r.State == action.Waiting && (!now.Before(r.Approval.Expires) || s.gateways[r.App.Instance] == nil):
		return review
	case r.State == action.Waiting && r.Kind.Confirmed() && s.waiting[r.App].due(now):
		s.waiting[r.App] = comparison{last: now}
		return review
	case r.State == action.Waiting && r.Kind.Confirmed() && s.waiting[r.App].glanceDue(now):
		c := s.waiting[r.App]
		c.glanced, c.unseen = now, false
		s.waiting[r.App] = c
		return func(ctx context.Context, _ <-chan struct{}, r *action.Record) { s.glance(ctx, r) }
	case r.State != action.Running && len(r.Notes) > 0 && r.Free(s.holder, now):
		return s.catchUp
	}
	return nil
}

// later has a record left alone for a while.
func (s *Service) later(r *action.Record, by time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.again[r.ID] = time.Now().Add(by)
}

// claim reserves a record for a goroutine of this process.
func (s *Service) claim(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.claimed[id] {
		return false
	}
	s.claimed[id] = true
	return true
}

func (s *Service) release(r *action.Record) {
	s.mu.Lock()
	delete(s.claimed, r.ID)
	if !time.Now().Before(s.again[r.ID]) {
		delete(s.again, r.ID)
	}
	s.mu.Unlock()
	s.Hint(r.App) // there may be more to do about it
}
