package slack_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/argo-why/argo-why/internal/slack"
	"github.com/argo-why/argo-why/internal/workspace/workspacetest"
)

func TestStoppingFinishesWhatHasBegun(t *testing.T) {
	play(t, nil, func(t *testing.T, s *scene) {
		s.backend.hold = make(chan struct{})
		s.must(s.Command("dana", "deploys", "/argo", "why courier-api"))
		s.settle()
		s.stop()
		synctest.Wait()
		s.must(s.Command("erin", "deploys", "/argo", "why courier-api"))
		s.settle()
		if got := s.deploys.Ephemerals("erin"); len(got) != 1 || !strings.Contains(read(got[0]), "just restarting") {
			t.Errorf("erin sees %v", got)
		}
		close(s.backend.hold)
		<-s.stopped
		if n := len(s.deploys.All()); n != 2 { // root and details
			t.Errorf("%d messages\n%s", n, s.all())
		}
	})
}

func TestStoppingDoesNotWaitForEver(t *testing.T) {
	play(t, nil, func(t *testing.T, s *scene) {
		s.backend.hold = make(chan struct{})
		s.must(s.Command("dana", "deploys", "/argo", "why courier-api"))
		s.settle()
		began := time.Now()
		s.stop()
		<-s.stopped
		if took := time.Since(began); took > 20*time.Second {
			t.Errorf("stopped after %s", took)
		}
		s.shows(s.alone("deploys"), "I was restarted before I had the answer: please ask again in a moment.")
	})
}

func TestTwoReplicasShareTheQuestions(t *testing.T) {
	play(t, nil, func(t *testing.T, s *scene) {
		o := s.options
		o.Registry = nil
		other, err := slack.New(o)
		s.must(err)
		stop := s.run(other)
		s.await("both to connect", func() bool { return s.Sockets(s.bot) == 2 })
		for range 6 {
			s.slash("deploys", "history courier-api")
		}
		s.backend.also("staging", "argocd", "courier-api", "default")
		s.slash("deploys", "history courier-api")
		s.must(s.Click("dana", "deploys", s.menu().TS, "prod/argocd/courier-api"))
		s.settle()
		if n := len(s.deploys.Messages()); n != 7 {
			t.Errorf("%d answers to 7 questions\n%s", n, s.all())
		}
		stop()
	})
}

// What people wait for, over a real port and in real time: the promise is 100 ms in 99 of 100 cases.
func TestAcknowledgementsTakeLessThan100Milliseconds(t *testing.T) {
	w, url := workspacetest.Start(t)
	s := newScene(t, w, url)
	s.backend.hold = make(chan struct{}) // Argo CD does not answer at all
	s.start(nil)
	var took []time.Duration
	for n := range 100 {
		began := time.Now()
		s.must(s.Command("dana", "deploys", "/argo", fmt.Sprintf("why app-%d", n)))
		s.await("the acknowledgement", func() bool { return len(s.deploys.Ephemerals("dana")) > n })
		took = append(took, time.Since(began))
	}
	close(s.backend.hold)
	s.end()
	slices.Sort(took)
	t.Logf("median %s, p99 %s", took[50], took[98])
	if p99 := took[98]; p99 > 100*time.Millisecond {
		t.Errorf("p99 %s", p99)
	}
}

// run starts another bot and returns what stops it.
func (s *scene) run(app *slack.App) (stop func()) {
	ctx, cancel := context.WithCancel(s.t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := app.Run(ctx); err != nil {
			s.t.Error(err)
		}
	}()
	return func() {
		cancel()
		<-done
	}
}
