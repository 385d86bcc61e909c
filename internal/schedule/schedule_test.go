package schedule_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/argo-why/argo-why/internal/schedule"
)

var quiet = slog.New(slog.DiscardHandler)

// results keeps what was reported.
type results struct {
	mu  sync.Mutex
	all []schedule.Result
}

func (r *results) add(one schedule.Result) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.all = append(r.all, one)
}

func (r *results) words() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var out []string
	for _, one := range r.all {
		text := "ok"
		if one.Err != nil {
			text = one.Err.Error()
		}
		out = append(out, one.Job+" "+one.Took.String()+" "+text)
	}
	return strings.Join(out, "\n")
}

// run runs one job for a time and returns what was reported.
func run(t *testing.T, length time.Duration, log *slog.Logger, job schedule.Job) *results {
	t.Helper()
	var r results
	s, err := schedule.New(log, r.add, job)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), length)
	defer cancel()
	s.Run(ctx)
	return &r
}

func TestJobsRunWhenDue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		// The clock of a bubble begins at midnight UTC.
		r := run(t, 11*time.Minute, quiet, schedule.Job{Name: "sweep", Spec: "*/5 * * * *", Timeout: time.Minute, Run: func(context.Context) error {
			time.Sleep(2 * time.Second)
			return nil
		}})
		if got, want := r.words(), "sweep 2s ok\nsweep 2s ok"; got != want {
			t.Errorf("reported\n%s\nwant\n%s", got, want)
		}
		if at := r.all[0].Started.UTC().Format("15:04:05"); at != "00:05:00" {
			t.Errorf("first run at %s, want 00:05:00", at)
		}
	})
}

func TestJobStillUnderWayIsSkipped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := run(t, 3*time.Minute+30*time.Second, quiet, schedule.Job{Name: "sweep", Spec: "@every 1m", Timeout: time.Hour, Run: func(context.Context) error {
			time.Sleep(90 * time.Second)
			return nil
		}})
		want := "sweep 0s skipped: the previous run is still in progress\nsweep 1m30s ok\nsweep 1m30s ok"
		if got := r.words(); got != want {
			t.Errorf("reported\n%s\nwant\n%s", got, want)
		}
	})
}

func TestJobEndsWithItsTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := run(t, 75*time.Second, quiet, schedule.Job{Name: "sweep", Spec: "@every 1m", Timeout: 10 * time.Second, Run: func(ctx context.Context) error {
			<-ctx.Done()
			return ctx.Err()
		}})
		if got, want := r.words(), "sweep 10s not finished within 10s: context deadline exceeded"; got != want {
			t.Errorf("reported\n%s\nwant\n%s", got, want)
		}
	})
}

// TestAJobThatFailsIsTriedAgain with back-off, and not after the time when it is due anyway.
func TestAJobThatFailsIsTriedAgain(t *testing.T) {
	for _, c := range []struct {
		spec   string
		length time.Duration
		want   string
	}{
		{"0 * * * *", 131 * time.Minute, "01:00:00 01:00:10 01:00:30 01:01:10 01:02:30 01:05:10 01:10:30 01:20:30 01:30:30 01:40:30 01:50:30 " +
			"02:00:00 02:00:10 02:00:30 02:01:10 02:02:30 02:05:10 02:10:30"},
		{"@every 1m", 131 * time.Second, "00:01:00 00:01:10 00:01:30 00:02:00 00:02:10"},
		{"@every 5m", 641 * time.Second, "00:05:00 00:05:10 00:05:30 00:06:10 00:07:30 00:10:00 00:10:10 00:10:30"},
	} {
		synctest.Test(t, func(t *testing.T) {
			r := run(t, c.length, quiet, schedule.Job{Name: "sweep", Spec: c.spec, Timeout: time.Second, Run: func(context.Context) error {
				return errors.New("refused")
			}})
			var got []string
			for _, one := range r.all {
				got = append(got, one.Started.UTC().Format("15:04:05"))
			}
			if strings.Join(got, " ") != c.want {
				t.Errorf("%s: tried at\n%s\nwant\n%s", c.spec, strings.Join(got, " "), c.want)
			}
			if strings.Contains(r.words(), "skipped") {
				t.Errorf("%s: %s", c.spec, r.words())
			}
		})
	}
}

func TestPanicIsLoggedAndTheNextRunComes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var text bytes.Buffer
		runs := 0
		r := run(t, 150*time.Second, slog.New(slog.NewTextHandler(&text, nil)), schedule.Job{Name: "sweep", Spec: "@every 1m", Timeout: time.Second, Run: func(context.Context) error {
			if runs++; runs == 1 {
				panic("nil map")
			}
			return nil
		}})
		if got, want := r.words(), "sweep 0s panic: nil map\nsweep 0s ok\nsweep 0s ok"; got != want {
			t.Errorf("reported\n%s\nwant\n%s", got, want)
		}
		if !strings.Contains(text.String(), "TestPanicIsLogged") {
			t.Errorf("no stack in the log: %s", text.String())
		}
	})
}

func TestRunWaitsForTheJobUnderWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ended := false
		r := run(t, 61*time.Second, quiet, schedule.Job{Name: "sweep", Spec: "@every 1m", Timeout: time.Hour, Run: func(ctx context.Context) error {
			<-ctx.Done()
			time.Sleep(3 * time.Second) // it tidies up
			ended = true
			return nil
		}})
		if !ended || r.words() != "sweep 4s ok" {
			t.Errorf("ended %v, reported %s", ended, r.words())
		}
	})
}

func TestBadJobsAreAllToldAtOnce(t *testing.T) {
	nothing := func(context.Context) error { return nil }
	_, err := schedule.New(quiet, nil,
		schedule.Job{Name: "sweep", Spec: "every 5 minutes", Timeout: time.Minute, Run: nothing},
		schedule.Job{Name: "digest", Spec: "0 0 30 2 *", Timeout: time.Minute, Run: nothing},
		schedule.Job{Name: "watch", Spec: "@hourly", Run: nothing},
		schedule.Job{Name: "good", Spec: "CRON_TZ=Europe/Vienna 0 9 * * 1-5", Timeout: time.Minute, Run: nothing},
	)
	if err == nil {
		t.Fatal("bad jobs were taken")
	}
	for _, want := range []string{`job "sweep": schedule "every 5 minutes": `, `or "@every 5m"`, `job "digest": schedule "0 0 30 2 *": it never runs, there is no such day`, `job "watch": it has no time-out`} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%v\nlacks %s", err, want)
		}
	}
	if strings.Contains(err.Error(), "good") {
		t.Errorf("%v complains of the good one", err)
	}
	if _, err := schedule.Parse("@every 5m"); err != nil {
		t.Error(err)
	}
}
