package webhook

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/argo-why/argo-why/internal/text"
)

// checkTimeout is for one check: kubelet gives a probe 1 second by default, so a check should look at what is known
// already rather than ask others.
const checkTimeout = 900 * time.Millisecond

// Check is a part of the bot that can be in order or not.
type Check struct {
	Name string // "slack", "argocd/prod"
	// Ready says in one line why it is not.
	Ready func(context.Context) error
}

// readiness answers 200 with "ok" when every check is good, else 503; below, one line for each: "ok NAME" or
// "failed NAME: REASON".
func readiness(checks []Check) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), checkTimeout)
		defer cancel()
		errs := make([]error, len(checks))
		var wg sync.WaitGroup
		for i := range checks {
			wg.Go(func() { errs[i] = ask(ctx, checks[i]) })
		}
		wg.Wait()
		status, failed := http.StatusOK, 0
		var lines strings.Builder
		for i, err := range errs {
			if err == nil {
				fmt.Fprintf(&lines, "ok %s\n", checks[i].Name)
				continue
			}
			status = http.StatusServiceUnavailable
			failed++
			fmt.Fprintf(&lines, "failed %s: %s\n", checks[i].Name, text.OneLine(err.Error()))
		}
		head := "ok"
		if failed > 0 {
			head = fmt.Sprintf("not ready: %d of %d checks failed", failed, len(checks))
		}
		line(w, status, strings.TrimSuffix(head+"\n"+lines.String(), "\n"))
	})
}

// ask gives a check up after its time, also one that does not look at its context.
func ask(ctx context.Context, c Check) error {
	answer := make(chan error, 1)
	go func() { answer <- c.Ready(ctx) }()
	select {
	case err := <-answer:
		return err
	case <-ctx.Done():
		return fmt.Errorf("no answer within %s", checkTimeout)
	}
}
