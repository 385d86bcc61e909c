package workspace_test

import (
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/slack-go/slack"
	"github.com/slack-go/slack/socketmode"

	"github.com/argo-why/argo-why/internal/workspace"
)

func TestPersonSeesACommandTimeOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		if err := s.Command("alice", "deploys", "/argo", "help"); err != nil {
			t.Fatal(err)
		}
		client := s.connect(t)
		if err := s.Command("alice", "deploys", "/argo", "help"); err != nil {
			t.Fatal(err)
		}
		next(t, client, socketmode.EventTypeSlashCommand)
		start := time.Now()
		s.await(t, func() bool { return len(s.Timeouts()) == 2 })
		if took := time.Since(start); took != 3*time.Second {
			t.Errorf("failed after %s", took)
		}
		want := []workspace.Failure{
			{Kind: "slash_commands", Name: "/argo", User: s.alice.ID, Reason: "dispatch_failed"},
			{Kind: "slash_commands", Name: "/argo", User: s.alice.ID, Reason: "operation_timeout"},
		}
		for i, got := range s.Timeouts() {
			if got != want[i] {
				t.Errorf("alice saw %+v, want %+v", got, want[i])
			}
		}
	})
}

func TestEventComesAgainUntilItIsAcknowledged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		client := s.connect(t)
		if _, err := s.Say("alice", "deploys", "hello", ""); err != nil {
			t.Fatal(err)
		}
		for attempt := range 3 {
			e := next(t, client, socketmode.EventTypeEventsAPI)
			if e.Request.RetryAttempt != attempt {
				t.Errorf("attempt %d came as %d (%s)", attempt, e.Request.RetryAttempt, e.Request.RetryReason)
			}
			if attempt == 2 {
				ack(t, client, e)
			}
		}
		time.Sleep(10 * time.Minute)
		if failures := s.Timeouts(); len(failures) != 0 {
			t.Errorf("given up: %+v", failures)
		}
	})
}

func TestEnvelopeGoesToOneSocketAndTwiceWhenScripted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		one, two := s.connect(t), s.connect(t)
		if n := s.Sockets(s.app); n != 2 {
			t.Fatalf("%d sockets", n)
		}
		var mu sync.Mutex
		seen := map[string]int{} // by envelope
		for _, client := range []*socketmode.Client{one, two} {
			go func() {
				for {
					var e socketmode.Event
					select {
					case e = <-client.Events:
					case <-t.Context().Done():
						return
					}
					if e.Type == socketmode.EventTypeSlashCommand {
						ack(t, client, e)
						mu.Lock()
						seen[e.Request.EnvelopeID]++
						mu.Unlock()
					}
				}
			}()
		}
		for range 4 {
			if err := s.Command("alice", "deploys", "/argo", "help"); err != nil {
				t.Fatal(err)
			}
		}
		synctest.Wait()
		if len(seen) != 4 {
			t.Errorf("saw %v", seen)
		}
		s.DuplicateEnvelopes(1)
		if err := s.Command("alice", "deploys", "/argo", "help"); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		total := 0
		for _, n := range seen {
			total += n
		}
		if len(seen) != 5 || total != 6 {
			t.Errorf("saw %v", seen)
		}
	})
}

func TestClientComesBackAfterEveryKindOfLoss(t *testing.T) {
	for name, lose := range map[string]func(*scene){
		"refresh": func(s *scene) { s.Disconnect("refresh_requested") },
		"warning": func(s *scene) { s.Disconnect("warning") },
		"cut":     func(s *scene) { s.CutSockets() },
		"silence": func(s *scene) { s.Silence() },
		"refused": func(s *scene) { s.RefuseSockets(2); s.CutSockets() },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newScene(t)
				client := s.connect(t)
				lose(s)
				next(t, client, socketmode.EventTypeHello)
				synctest.Wait() // until the workspace, too, has noticed that the old one is gone
				if err := s.Command("alice", "deploys", "/argo", "help"); err != nil {
					t.Fatal(err)
				}
				ack(t, client, next(t, client, socketmode.EventTypeSlashCommand))
				synctest.Wait()
				if failures := s.Timeouts(); len(failures) != 0 {
					t.Errorf("alice saw %+v", failures)
				}
			})
		})
	}
}

func TestEleventhSocketIsSentAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		for range 10 {
			s.connect(t)
		}
		client := socketmode.New(s.client, socketmode.OptionDialer(s.dialer()))
		_, url, err := client.Open()
		if err != nil {
			t.Fatal(err)
		}
		conn, err := s.dial(t, url)
		if err != nil {
			t.Fatal(err)
		}
		var message struct{ Type, Reason string }
		if err := conn.ReadJSON(&message); err != nil || message.Type != "disconnect" || message.Reason != "too_many_websockets" {
			t.Errorf("got %+v, %v", message, err)
		}
		if _, err := s.dial(t, url); err == nil {
			t.Error("the ticket was good for a second connection")
		}
	})
}

func TestLongAcknowledgementClosesTheSocket(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		client := socketmode.New(s.client)
		_, url, err := client.Open()
		if err != nil {
			t.Fatal(err)
		}
		conn, err := s.dial(t, url)
		if err != nil {
			t.Fatal(err)
		}
		// The server may hang up in the middle of it.
		_ = conn.WriteJSON(map[string]any{"envelope_id": "x", "payload": make([]byte, 20<<10)})
		for err == nil {
			_, _, err = conn.ReadMessage()
		}
		synctest.Wait()
		if n := s.Sockets(s.app); n != 0 {
			t.Errorf("%d sockets are open", n)
		}
	})
}

func TestModalOpensOnceWithinThreeSeconds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		client := s.connect(t)
		trigger := func() string {
			if err := s.Command("alice", "deploys", "/argo", "help"); err != nil {
				t.Fatal(err)
			}
			e := next(t, client, socketmode.EventTypeSlashCommand)
			ack(t, client, e)
			command, ok := e.Data.(slack.SlashCommand)
			if !ok {
				t.Fatalf("got %T", e.Data)
			}
			return command.TriggerID
		}
		view := slack.ModalViewRequest{
			Type: "modal", CallbackID: "silence", Title: slack.NewTextBlockObject("plain_text", "Silence", false, false),
			Submit: slack.NewTextBlockObject("plain_text", "Do it", false, false),
			Blocks: slack.Blocks{BlockSet: []slack.Block{slack.NewInputBlock("reason",
				slack.NewTextBlockObject("plain_text", "Reason", false, false), nil,
				slack.NewPlainTextInputBlockElement(nil, "text"))}},
		}
		good := trigger()
		if _, err := s.client.OpenViewContext(t.Context(), good, view); err != nil {
			t.Fatal(err)
		}
		_, err := s.client.OpenViewContext(t.Context(), good, view)
		wantError(t, err, "exchanged_trigger_id")
		late := trigger()
		time.Sleep(4 * time.Second)
		_, err = s.client.OpenViewContext(t.Context(), late, view)
		wantError(t, err, "expired_trigger_id")

		open := s.Views("alice")
		if len(open) != 1 || open[0].Title != "Silence" {
			t.Fatalf("alice sees %+v", open)
		}
		answer := map[string]map[string]any{"reason": {"text": map[string]any{"type": "plain_text_input", "value": "planned"}}}
		if err := s.Submit("alice", open[0].ID, answer); err != nil {
			t.Fatal(err)
		}
		e := next(t, client, socketmode.EventTypeInteractive)
		ack(t, client, e, map[string]any{"response_action": "errors", "errors": map[string]string{"reason": "say more"}})
		s.await(t, func() bool { return s.Views("alice")[0].Errors["reason"] == "say more" })
		if err := s.Submit("alice", open[0].ID, answer); err != nil {
			t.Fatal(err)
		}
		ack(t, client, next(t, client, socketmode.EventTypeInteractive))
		s.await(t, func() bool { return len(s.Views("alice")) == 0 })
	})
}
