package workspace_test

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/slack-go/slack"

	"github.com/argo-why/argo-why/internal/workspace"
	"github.com/argo-why/argo-why/internal/workspace/workspacetest"
)

func TestRateLimitSaysWhenToComeBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		s.Fault(workspace.Fault{Method: "chat.postMessage", Skip: 1, Status: 429, RetryAfter: 7 * time.Second})
		post(t, s, slack.MsgOptionText("one", false))
		_, _, err := s.client.PostMessageContext(t.Context(), s.deploys.ID(), slack.MsgOptionText("two", false))
		var limited *slack.RateLimitedError
		if !errors.As(err, &limited) || limited.RetryAfter != 7*time.Second {
			t.Errorf("got %v", err)
		}
		post(t, s, slack.MsgOptionText("two", false))
		if n := len(s.deploys.Messages()); n != 2 {
			t.Errorf("the channel shows %d messages", n)
		}
		if log := s.Log("chat.postMessage"); len(log) != 3 || log[1].Status != 429 || log[1].Error != "ratelimited" {
			t.Errorf("calls %+v", log)
		}
	})
}

func TestServerErrorsHaveNoEffect(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		s.Fault(workspace.Fault{Method: "chat.postMessage", Status: 503})
		s.Fault(workspace.Fault{Method: "chat.postMessage", Drop: true})
		s.Fault(workspace.Fault{Method: "chat.postMessage", Error: "internal_error"})
		for range 3 {
			if _, _, err := s.client.PostMessageContext(t.Context(), s.deploys.ID(), slack.MsgOptionText("x", false)); err == nil {
				t.Error("no error arrived")
			}
		}
		if n := len(s.deploys.Messages()); n != 0 {
			t.Errorf("the channel shows %d messages", n)
		}
	})
}

func TestAnswerIsLostButTheMessageStands(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		s.Fault(workspace.Fault{Method: "chat.postMessage", LoseAnswer: true})
		_, _, err := s.client.PostMessageContext(t.Context(), s.deploys.ID(), slack.MsgOptionText("x", false))
		if err == nil {
			t.Error("the answer arrived")
		}
		if n := len(s.deploys.Messages()); n != 1 {
			t.Errorf("the channel shows %d messages", n)
		}
	})
}

func TestSilenceLastsUntilTheClientGivesUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		s.Fault(workspace.Fault{Method: "auth.test", Hang: true})
		s.Fault(workspace.Fault{Method: "auth.test", Delay: 4 * time.Second})
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		start := time.Now()
		if _, err := s.client.AuthTestContext(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
		if took := time.Since(start); took != 5*time.Second {
			t.Errorf("gave up after %s", took)
		}
		start = time.Now()
		if _, err := s.client.AuthTestContext(t.Context()); err != nil || time.Since(start) != 4*time.Second {
			t.Errorf("got %v after %s", err, time.Since(start))
		}
	})
}

func TestPaceOfOneMessagePerSecondAndChannel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t, workspace.Options{Pace: true})
		limited := 0
		for range 8 {
			if _, _, err := s.client.PostMessageContext(t.Context(), s.deploys.ID(), slack.MsgOptionText("x", false)); err != nil {
				limited++
			}
		}
		if limited != 3 {
			t.Errorf("%d of 8 messages were refused", limited)
		}
		time.Sleep(time.Second)
		post(t, s, slack.MsgOptionText("x", false))
	})
}

func TestPaceOfATierAndMinute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t, workspace.Options{Pace: true})
		ts := post(t, s, slack.MsgOptionText("x", false))
		update := func() error {
			_, _, _, err := s.client.UpdateMessageContext(t.Context(), s.deploys.ID(), ts, slack.MsgOptionText("y", false))
			return err
		}
		for range 50 {
			if err := update(); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Second)
		}
		var limited *slack.RateLimitedError
		if err := update(); !errors.As(err, &limited) || limited.RetryAfter != 10*time.Second {
			t.Fatalf("the 51st of a minute: %v", err)
		}
		if log := s.Log("chat.update"); log[50].Status != http.StatusTooManyRequests || log[49].Status != http.StatusOK {
			t.Errorf("the log has %d, and then %d", log[49].Status, log[50].Status)
		}
		post(t, s, slack.MsgOptionText("x", false)) // is counted by itself
		time.Sleep(limited.RetryAfter)
		if err := update(); err != nil {
			t.Error(err)
		}
	})
}

// Over a port connections are kept and used again, and Go's transport repeats what it holds for safe to repeat.
func TestLostAnswerOverAPortIsOneMessage(t *testing.T) {
	w, url := workspacetest.Start(t)
	app := w.AddApp(workspace.App{})
	deploys := w.AddChannel("deploys", "argo")
	client := slack.New(app.BotToken, slack.OptionAPIURL(url+"/api/"))
	if _, err := client.AuthTestContext(t.Context()); err != nil {
		t.Fatal(err)
	}
	w.Fault(workspace.Fault{Method: "chat.postMessage", LoseAnswer: true})
	if _, _, err := client.PostMessageContext(t.Context(), deploys.ID(), slack.MsgOptionText("x", false)); err == nil {
		t.Error("the answer arrived")
	}
	if n, calls := len(deploys.Messages()), w.Calls("chat.postMessage"); n != 1 || calls != 1 {
		t.Errorf("the channel shows %d messages after %d calls", n, calls)
	}
}
