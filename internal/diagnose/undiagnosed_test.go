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
