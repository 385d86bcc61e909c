package deliver_test

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/slack/render"
	"github.com/argo-why/argo-why/internal/workspace"
)

// early is when to come again, of an attempt that met no room; it fails if there was room, or something else was wrong.
func early(t *testing.T, err error) time.Duration {
	t.Helper()
	var known *incident.NotifyError
	if !errors.As(err, &known) || known.Code != "ratelimited" || !known.Certain || known.Permanent {
		t.Fatalf("got %v", err)
	}
	return known.After
}

func changed(i *incident.Incident, headline string) *incident.Incident {
	r := *i.Report
	r.Headline = headline
	i.Report = &r
	return i
}

// TestEditsThatSlackRefusesWaitInAllChannelsAndHoldUpNoPost: its limits are those of a method in the workspace.
func TestEditsThatSlackRefusesWaitInAllChannelsAndHoldUpNoPost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		web, bills := failing("web"), failing("bills")
		bills.Channel = s.billing.ID()
		s.told(t, web, false)
		s.told(t, bills, false)
		s.Fault(workspace.Fault{Method: "chat.update", Status: 429, RetryAfter: time.Minute})
		start := time.Now()
		_, err := s.sender.Notify(t.Context(), changed(web, "web: in another way"), incident.Correction, false)
		if after := early(t, err); after != time.Minute {
			t.Errorf("come again after %v", after)
		}
		_, err = s.sender.Notify(t.Context(), changed(bills, "bills: in another way"), incident.Correction, false)
		if after := early(t, err); after != time.Minute || s.Calls("chat.update") != 1 {
			t.Errorf("come again after %v, %d calls", after, s.Calls("chat.update"))
		}
		if room := s.sender.Room("deploys", incident.NewRoot); room != 0 {
			t.Errorf("room for a new failure in %v", room)
		}
		s.told(t, failing("new"), false)
		if _, err := s.sender.Answer(t.Context(), s.deploys.ID(), "", render.Message{Text: "asked"}); err != nil {
			t.Error(err)
		}
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("posted after %v", took)
		}
		time.Sleep(s.sender.Room("deploys", incident.Correction))
		s.told(t, web, false)
		if updates := thread(t, s.billing)[0].Updates; updates != 0 || time.Since(start) != time.Minute {
			t.Errorf("%d updates, after %v", updates, time.Since(start))
		}
	})
}

// TestPostsThatSlackRefusesInTwoChannelsWaitInAll: then it is the limit of the workspace.
func TestPostsThatSlackRefusesInTwoChannelsWaitInAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		third := s.AddChannel("third", "alice", "argo")
		post := func(channel *workspace.Channel) error {
			i := failing("web-" + channel.Name())
			i.Channel = channel.ID()
			_, err := s.sender.Notify(t.Context(), i, incident.NewRoot, false)
			return err
		}
		s.Fault(workspace.Fault{Method: "chat.postMessage", Status: 429, RetryAfter: 30 * time.Second, Times: 2})
		early(t, post(s.deploys))
		if room := s.sender.Room(third.ID(), incident.NewRoot); room != 0 {
			t.Errorf("after one refusal: room in %v", room)
		}
		early(t, post(s.billing))
		if after := early(t, post(third)); after != 30*time.Second || s.Calls("chat.postMessage") != 2 {
			t.Errorf("come again after %v, %d calls", after, s.Calls("chat.postMessage"))
		}
	})
}

// TestAPersonsAnswerGoesBeforeWhatWaits: who asked waits in line, and the threads of incidents come again.
func TestAPersonsAnswerGoesBeforeWhatWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t, workspace.Options{Pace: true})
		for range 3 { // the burst
			if _, err := s.sender.Answer(t.Context(), s.deploys.ID(), "", render.Message{Text: "asked"}); err != nil {
				t.Fatal(err)
			}
		}
		start := time.Now()
		done := make(chan time.Duration, 1)
		go func() {
			if _, err := s.sender.Answer(t.Context(), s.deploys.ID(), "", render.Message{Text: "asked"}); err != nil {
				t.Error(err)
			}
			done <- time.Since(start)
		}()
		synctest.Wait()
		_, err := s.sender.Notify(t.Context(), failing("web"), incident.NewRoot, false)
		if after := early(t, err); after < 2*time.Second || after > 3*time.Second {
			t.Errorf("come again after %v, want the turn after the answer", after)
		}
		if took := <-done; took > 1200*time.Millisecond {
			t.Errorf("answered after %v", took)
		}
	})
}

// TestAfterARefusalThePaceIsKept: all that waited for the end of a Retry-After would come at once.
func TestAfterARefusalThePaceIsKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t, workspace.Options{Pace: true})
		s.Fault(workspace.Fault{Method: "chat.postMessage", Status: 429, RetryAfter: 20 * time.Second})
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		done := make(chan error)
		for range 12 {
			go func() {
				_, err := s.sender.Answer(ctx, s.deploys.ID(), "", render.Message{Text: "asked"})
				done <- err
			}()
		}
		for range 12 {
			if err := <-done; err != nil {
				t.Error(err)
			}
		}
		refused := 0
		for _, call := range s.Log("chat.postMessage") {
			if call.Status == http.StatusTooManyRequests {
				refused++
			}
		}
		if refused > 3 || len(s.deploys.Messages()) != 12 { // three were on their way when Slack said so the first time
			t.Errorf("refused %d times, %d messages", refused, len(s.deploys.Messages()))
		}
	})
}

// TestASearchWithoutRoomIsNoSearch: who may have posted does not post again before having looked.
func TestASearchWithoutRoomIsNoSearch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		s.told(t, failing("web"), false)
		s.sender = s.newSender(t)
		s.Fault(workspace.Fault{Method: "conversations.history", Status: 429, RetryAfter: 30 * time.Second})
		start := time.Now()
		_, err := s.sender.Notify(t.Context(), failing("web"), incident.NewRoot, true)
		if after := early(t, err); after != 30*time.Second || time.Since(start) > time.Second {
			t.Errorf("come again after %v, having waited %v", after, time.Since(start))
		}
		s.told(t, failing("other"), false) // meanwhile
		s.told(t, failing("web"), true)
		if n := len(s.deploys.Messages()); n != 2 {
			t.Errorf("%d threads", n)
		}
	})
}

// TestAnEditOfManyThreadsLeavesRoomForCorrections: a button that no longer works goes at once.
func TestAnEditOfManyThreadsLeavesRoomForCorrections(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t, workspace.Options{Pace: true})
		web := failing("web")
		s.told(t, web, false)
		for n := range 20 {
			r := *web.Report
			r.Context = diagnose.Context{Attempt: int64(n + 2), Attempts: 99}
			web.Report = &r
			if _, err := s.sender.Notify(t.Context(), web, incident.Refresh, false); err != nil {
				early(t, err)
				break
			}
		}
		if room := s.sender.Room("deploys", incident.Correction); room != 0 {
			t.Errorf("room for a correction in %v", room)
		}
		_, err := s.sender.Notify(t.Context(), changed(web, "web: in another way"), incident.Correction, false)
		if err != nil {
			t.Error(err)
		}
	})
}
