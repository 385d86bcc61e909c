package deliver_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/slack-go/slack"

	"github.com/argo-why/argo-why/internal/audience"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/incident/posted"
	"github.com/argo-why/argo-why/internal/slack/deliver"
	"github.com/argo-why/argo-why/internal/slack/render"
	"github.com/argo-why/argo-why/internal/workspace"
	"github.com/argo-why/argo-why/internal/workspace/workspacetest"
)

func TestAnswerAndDetailsStandInOneThread(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		root, details := render.Report(posted.ReportTo(audience.All(), failing("web").Report), render.Links{}, render.Controls{})
		s.Fault(workspace.Fault{Method: "chat.postMessage", LoseAnswer: true})
		ts, err := s.sender.Answer(t.Context(), "#deploys", "", root, render.Message{}, details)
		if err != nil {
			t.Fatal(err)
		}
		if got := thread(t, s.deploys); len(got) != 2 || got[0].TS != ts {
			t.Errorf("%d messages", len(got))
		}
		if _, err := s.sender.Answer(t.Context(), s.deploys.ID(), ts, root); err != nil {
			t.Fatal(err)
		}
		if got := thread(t, s.deploys); len(got) != 3 {
			t.Errorf("%d messages", len(got))
		}
	})
}

func TestAHintIsSeenByOnePersonOnly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		root, _ := render.Report(posted.ReportTo(audience.All(), failing("web").Report), render.Links{}, render.Controls{})
		alice := s.Users()[slices.IndexFunc(s.Users(), func(u workspace.User) bool { return u.Name == "alice" })]
		if err := s.sender.Ephemeral(t.Context(), s.deploys.ID(), "", alice.ID, root); err != nil {
			t.Fatal(err)
		}
		if len(s.deploys.Ephemerals("alice")) != 1 || len(s.deploys.All()) != 0 {
			t.Error("everybody saw it, or nobody")
		}
	})
}

func TestShutdownLetsWhatHasBegunEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		s.Fault(workspace.Fault{Method: "chat.postMessage", Delay: 5 * time.Second})
		done := make(chan error, 1)
		go func() {
			_, err := s.sender.Notify(t.Context(), failing("web"), incident.NewRoot, false)
			done <- err
		}()
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if err := s.sender.Close(ctx); err != nil {
			t.Error(err)
		}
		if err := <-done; err != nil {
			t.Error(err)
		}
		if n := seqs(t, thread(t, s.deploys)); n != "0" {
			t.Errorf("messages %s", n)
		}
		if err := s.tell(t, failing("late"), false); !errors.Is(err, deliver.ErrClosed) {
			t.Errorf("after that: %v", err)
		}
	})
}

func TestShutdownDoesNotWaitForASilentSlack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		s.Fault(workspace.Fault{Method: "chat.postMessage", Hang: true, Times: -1})
		done := make(chan error, 1)
		go func() { done <- s.tell(t, failing("web"), false) }()
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
		defer cancel()
		if err := s.sender.Close(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
		if err := <-done; err == nil {
			t.Error("told although Slack was silent")
		}
	})
}

func TestOverARealPort(t *testing.T) {
	w, address := workspacetest.Start(t)
	app := w.AddApp(workspace.App{Name: "argo"})
	deploys := w.AddChannel("deploys", "argo")
	sender := deliver.New(deliver.Options{Client: slack.New(app.BotToken, slack.OptionAPIURL(address+"/api/"))}).Threads(nil)
	(&scene{sender: sender}).told(t, failing("web", reply(2, "first")), true)
	if n := seqs(t, thread(t, deploys)); n != "0 1 2" {
		t.Errorf("messages %s", n)
	}
	if err := sender.Close(t.Context()); err != nil {
		t.Error(err)
	}
}
