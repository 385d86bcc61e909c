package schedule

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	"github.com/robfig/cron/v3"
)

// Job is something to do again and again.
type Job struct {
	// Name is what logs and metrics call it.
	Name string
	// Spec says when: five fields ("*/5 * * * *": minute, hour, day of month, month, day of week), "@hourly" and the like, or
	// "@every 90s". The fields are in UTC, unless they begin with a zone: "CRON_TZ=Europe/Vienna 0 9 * * 1-5". See
	// https://pkg.go.dev/github.com/robfig/cron/v3#hdr-CRON_Expression_Format.
	Spec string
	// Timeout ends the context of one run.
	Timeout time.Duration
	// Run does it. It must return soon after its context ends: nothing can make it.
	Run func(context.Context) error
}

// Result is how one run ended.
type Result struct {
	Job     string
	Started time.Time
	Took    time.Duration
	// Err is the error of the job, its panic, or [ErrSkipped].
	Err error
}

// ErrSkipped is the result of a run that was due while the one before was still under way.
var ErrSkipped = errors.New("skipped: the previous run is still in progress")

// Schedule holds the jobs.
type Schedule struct {
	cron   *cron.Cron
	log    *slog.Logger
	report func(Result)
	// ctx is that of Run: cron calls a job without one.
	ctx context.Context
}

// New checks the jobs and reports every problem there is. Each run ends in a call of report, also one that was skipped;
// the calls may come in parallel. A report of nil is none.
func New(log *slog.Logger, report func(Result), jobs ...Job) (*Schedule, error) {
	if report == nil {
		report = func(Result) {}
	}
	s := &Schedule{cron: cron.New(cron.WithLocation(time.UTC)), log: log, report: report}
	var errs []error
	for i := range jobs {
		when, err := check(&jobs[i])
		if err != nil {
			errs = append(errs, fmt.Errorf("job %q: %w", jobs[i].Name, err))
			continue
		}
		s.cron.Schedule(when, &runner{schedule: s, job: jobs[i], when: when})
	}
	return s, errors.Join(errs...)
}

func check(j *Job) (cron.Schedule, error) {
	switch {
	case j.Name == "":
		return nil, errors.New("it has no name")
	case j.Run == nil:
		return nil, errors.New("it has no function to run")
	case j.Timeout <= 0:
		return nil, errors.New("it has no time-out")
	}
	return Parse(j.Spec)
}

// Parse reads a spec; see [Job]. One that never comes true, like the 30th of February, is an error, too.
func Parse(spec string) (cron.Schedule, error) {
	when, err := cron.ParseStandard(spec)
	if err != nil {
		return nil, fmt.Errorf(`schedule %q: %w: use five fields such as "*/5 * * * *", or "@every 5m"`, spec, err)
	}
	if when.Next(time.Now()).IsZero() {
		return nil, fmt.Errorf("schedule %q: it never runs, there is no such day", spec)
	}
	return when, nil
}

// Run does what is due until the context ends. Then it ends the contexts of the jobs under way and waits for them; nothing
// is left running when it returns.
func (s *Schedule) Run(ctx context.Context) {
	s.ctx = ctx
	s.cron.Start()
	<-ctx.Done()
	<-s.cron.Stop().Done()
}

const (
	// retryFirst is how long after a failure a job is tried again, and each time twice as long, up to retryLast: Argo CD may be restarting, which takes
	// less than a minute, or be away for hours.
	retryFirst = 10 * time.Second
	retryLast  = 10 * time.Minute
)

// runner is one job and whether it is under way.
type runner struct {
	schedule *Schedule
	job      Job
	when     cron.Schedule
	mu       sync.Mutex
}

// Run implements cron.Job. A job that fails is tried again, until it is due anyway.
func (r *runner) Run() {
	if !r.mu.TryLock() {
		r.schedule.report(r.log(Result{Job: r.job.Name, Started: time.Now(), Err: ErrSkipped}, 0))
		return
	}
	defer r.mu.Unlock()
	due := r.when.Next(time.Now()) // of "@every 5m" only at the time of a run
	for wait := retryFirst; ; wait = min(2*wait, retryLast) {
		result := Result{Job: r.job.Name, Started: time.Now()}
		result.Err = r.once()
		result.Took = time.Since(result.Started)
		again := result.Err != nil && due.After(time.Now().Add(wait)) && r.schedule.ctx.Err() == nil
		if !again {
			wait = 0
		}
		r.schedule.report(r.log(result, wait))
		if !again || !r.schedule.pause(wait) {
			return
		}
	}
}

// log logs a run that failed, and when the job is tried again, before it is due.
func (r *runner) log(result Result, again time.Duration) Result {
	if result.Err != nil {
		attributes := []any{"job", result.Job, "took", result.Took, "error", result.Err}
		if again > 0 {
			attributes = append(attributes, "again_in", again)
		}
		r.schedule.log.Warn("scheduled job failed", attributes...)
	}
	return result
}

// pause waits, and reports whether the schedule still runs.
func (s *Schedule) pause(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return s.ctx.Err() == nil
	case <-s.ctx.Done():
		return false
	}
}

// once runs the job within its time-out and makes an error of a panic: one bad sweep must not end the bot.
func (r *runner) once() error {
	ctx, cancel := context.WithTimeout(r.schedule.ctx, r.job.Timeout)
	defer cancel()
	err := Recovered(r.schedule.log, r.job.Name, func() error { return r.job.Run(ctx) })
	if err != nil && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return fmt.Errorf("not finished within %s: %w", r.job.Timeout, err)
	}
	return err
}

// Recovered does something and makes an error of a panic, whose stack is logged. What a job does in goroutines of its own needs it as well: a panic
// there would end the bot.
func Recovered(log *slog.Logger, job string, do func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			log.Error("scheduled job panicked", "job", job, "panic", p, "stack", string(debug.Stack()))
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	return do()
}
