package workspace_test

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"github.com/slack-go/slack"
	"github.com/slack-go/slack/socketmode"

	"github.com/argo-why/argo-why/internal/workspace"
	"github.com/argo-why/argo-why/internal/workspace/workspacetest"
)

// scene is a workspace with a channel, two people in it and an app that was invited.
type scene struct {
	*workspace.Workspace
	app        workspace.App
	alice, bob workspace.User
	deploys    *workspace.Channel
	client     *slack.Client
}

func newScene(t *testing.T, options ...workspace.Options) *scene {
	t.Helper()
	w := workspacetest.New(t, options...)
	s := &scene{
		Workspace: w,
		app:       w.AddApp(workspace.App{Name: "argo", Commands: []string{"/argo"}}),
		alice:     w.AddUser(workspace.User{Name: "alice"}),
		bob:       w.AddUser(workspace.User{Name: "bob"}),
	}
	s.deploys = w.AddChannel("deploys", "alice", "bob", "argo")
	s.client = s.clientWith(s.app.BotToken)
	return s
}

func (s *scene) clientWith(token string) *slack.Client {
	return slack.New(token,
		slack.OptionAPIURL("http://slack.test/api/"),
		slack.OptionAppLevelToken(s.app.AppToken),
		slack.OptionHTTPClient(&http.Client{Transport: s.Transport()}),
	)
}

func (s *scene) dialer() *websocket.Dialer {
	return &websocket.Dialer{NetDialContext: s.DialContext}
}

// dial opens a bare socket that ends with the test.
func (s *scene) dial(t *testing.T, url string) (*websocket.Conn, error) {
	t.Helper()
	conn, response, err := s.dialer().DialContext(t.Context(), url, nil)
	if response != nil {
		_ = response.Body.Close()
	}
	if err == nil {
		t.Cleanup(func() { _ = conn.Close() })
	}
	return conn, err
}

func ack(t *testing.T, client *socketmode.Client, e socketmode.Event, payload ...any) {
	t.Helper()
	if err := client.Ack(*e.Request, payload...); err != nil {
		t.Error(err)
	}
}

// connect runs slack-go's Socket Mode client until the test ends, and waits until it has been greeted.
func (s *scene) connect(t *testing.T) *socketmode.Client {
	t.Helper()
	client := socketmode.New(s.client, socketmode.OptionDialer(s.dialer()))
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- client.RunContext(ctx) }()
	t.Cleanup(func() {
		cancel()
		s.Close()
		if err := <-done; err != nil && !errors.Is(err, context.Canceled) {
			t.Errorf("socket mode client: %v", err)
		}
	})
	next(t, client, socketmode.EventTypeHello)
	return client
}

// next skips to the next event of a kind.
func next(t *testing.T, client *socketmode.Client, kind socketmode.EventType) socketmode.Event {
	t.Helper()
	deadline := time.After(10 * time.Minute) // of the bubble
	for {
		select {
		case e := <-client.Events:
			if e.Type == kind {
				return e
			}
		case <-deadline:
			t.Fatalf("no %s arrived", kind)
		}
	}
}

func post(t *testing.T, s *scene, options ...slack.MsgOption) string {
	t.Helper()
	_, ts, err := s.client.PostMessageContext(t.Context(), s.deploys.ID(), options...)
	if err != nil {
		t.Fatal(err)
	}
	return ts
}

func wantError(t *testing.T, err error, code string) {
	t.Helper()
	if err == nil || err.Error() != code {
		t.Errorf("got error %v, want %s", err, code)
	}
}
