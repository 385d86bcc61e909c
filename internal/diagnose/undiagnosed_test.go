package diagnose_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/foreign"
)

// TestADiagnosisThatTakesTooLong: where the rules took the time, the application is too large. Where Argo CD did, nothing is known of the
// application. Either way no rule is asked after the time is over.
func TestADiagnosisThatTakesTooLong(t *testing.T) {
	for what, c := range map[string]struct {
		latency, work time.Duration
		tooLarge      string
	}{
		"slow rules":     {latency: time.Second, work: 30 * time.Second, tooLarge: "its rules were not done after 1 min"},
		"a slow Argo CD": {latency: 50 * time.Second, work: 11 * time.Second},
	} {
		t.Run(what, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				asked := 0
				slow := func(*diagnose.In) diagnose.Outcome {
					asked++
					time.Sleep(c.work)
					return diagnose.Outcome{}
				}
				e, err := diagnose.New([]*diagnose.Rule{rule("hook/a", slow), rule("hook/b", slow), rule("hook/c", slow), rule("hook/d", slow)})
				if err != nil {
					t.Fatal(err)
				}
				e.Timeout = time.Minute
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				_, err = e.Diagnose(ctx, &source{subject: app("Synced", "Healthy"), latency: c.latency}, time.Now())
				var tooLarge *foreign.TooLargeError
				switch {
				case asked == 4:
					t.Error("every rule was asked, although the time was over")
				case c.tooLarge == "" && (foreign.IsTooLarge(err) || !errors.Is(err, context.DeadlineExceeded)):
					t.Errorf("got %v", err)
				case c.tooLarge != "" && (!errors.As(err, &tooLarge) || tooLarge.What != c.tooLarge):
					t.Errorf("got %v", err)
				}
			})
		})
	}
}

// TestARuleIsEndedInTheMiddle, when it takes too many steps, or when the time is over. A panic that is a fault of ours stays one.
func TestARuleIsEndedInTheMiddle(t *testing.T) {
	looking := func(for1 func(*diagnose.In)) *diagnose.Engine {
		e, err := diagnose.New([]*diagnose.Rule{rule("hook/a", func(in *diagnose.In) diagnose.Outcome {
			for {
				for1(in)
			}
		})})
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	reads := &source{subject: app("Synced", "Healthy")}
	steps := 0
	e := looking(func(in *diagnose.In) { in.App() })
	e.Spent = func(n int) { steps = n }
	if _, err := e.Diagnose(t.Context(), reads, time.Now()); !foreign.IsTooLarge(err) || steps < 1_000_000 {
		t.Errorf("after %d steps: %v", steps, err)
	}
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		slow := looking(func(in *diagnose.In) {
			time.Sleep(time.Second)
			in.Spend(100_000)
		})
		began := time.Now()
		var tooLarge *foreign.TooLargeError
		if _, err := slow.Diagnose(ctx, reads, began); !errors.As(err, &tooLarge) || tooLarge.What != "its rules were not done after 1 min" || time.Since(began) > 80*time.Second {
			t.Errorf("after %s: %v", time.Since(began), err)
		}
	})
	defer func() {
		if recover() != "a fault" {
			t.Error("a fault of ours is not told")
		}
	}()
	_, _ = looking(func(*diagnose.In) { panic("a fault") }).Diagnose(t.Context(), reads, time.Now())
}
