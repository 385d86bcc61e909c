package answered_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/argo-why/argo-why/internal/slack/answered"
)

var errDown = errors.New("no answer from Slack")

// slack answers with the number of the call, or not at all.
type slack struct {
	mu    sync.Mutex
	calls int
	down  bool
}

func (s *slack) ask(context.Context) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls++
	if s.down {
		return 0, errDown
	}
	return s.calls, nil
}

func TestAnAnswerCountsForAWhile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var answers answered.Answers[int]
		s := &slack{}
		want := func(maxAge time.Duration, value int, fails bool) {
			t.Helper()
			got, err := answers.Get(t.Context(), "U1", maxAge, s.ask)
			if got != value || errors.Is(err, errDown) != fails {
				t.Errorf("after %d calls: %d, %v, want %d, failing: %t", s.calls, got, err, value, fails)
			}
		}
		want(answered.Stale, 1, false)
		time.Sleep(answered.Fresh - time.Second)
		s.down = true
		want(answered.Fresh, 1, false)
		time.Sleep(2 * time.Second)
		want(answered.Stale, 1, false) // to look
		want(answered.Fresh, 0, true)  // to act
		time.Sleep(answered.Stale)
		want(answered.Stale, 0, true)
		s.down = false
		want(answered.Fresh, s.calls+1, false)
	})
}

func TestSlackIsAskedOnceForAll(t *testing.T) {
	var answers answered.Answers[int]
	s := &slack{}
	asked, answer := make(chan struct{}), make(chan struct{})
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			got, err := answers.Get(t.Context(), "U1", answered.Fresh, func(ctx context.Context) (int, error) {
				close(asked) // a second call panics
				<-answer
				return s.ask(ctx)
			})
			if got != 1 || err != nil {
				t.Errorf("%d, %v", got, err)
			}
		})
	}
	<-asked
	close(answer)
	all.Wait()
}

func TestAskingEndsInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var answers answered.Answers[int]
		_, err := answers.Get(t.Context(), "U1", answered.Stale, func(ctx context.Context) (int, error) {
			<-ctx.Done()
			return 0, ctx.Err()
		})
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
	})
}
