package page_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/gorilla/websocket"
	"github.com/slack-go/slack"
	"github.com/slack-go/slack/socketmode"

	"github.com/argo-why/argo-why/internal/workspace"
	"github.com/argo-why/argo-why/internal/workspace/page"
	"github.com/argo-why/argo-why/internal/workspace/workspacetest"
)

// scene is a channel with two people and a bot, and the page that shows it.
type scene struct {
	*workspace.Workspace
	app     workspace.App
	alice   workspace.User
	deploys *workspace.Channel
	client  *slack.Client
	site    *httptest.Server
}

func newScene(t *testing.T, options ...func(*page.Options)) *scene {
	t.Helper()
	w := workspacetest.New(t)
	s := &scene{
		Workspace: w, app: w.AddApp(workspace.App{Name: "argo", Commands: []string{"/argo"}}), alice: w.AddUser(workspace.User{Name: "alice"}),
	}
	w.AddUser(workspace.User{Name: "bob"})
	s.deploys = w.AddChannel("deploys", "alice", "bob", "argo")
	s.client = slack.New(s.app.BotToken, slack.OptionAPIURL("http://slack.test/api/"), slack.OptionAppLevelToken(s.app.AppToken),
		slack.OptionHTTPClient(&http.Client{Transport: w.Transport()}))
	opt := page.Options{Workspace: w, People: []page.Person{{Name: "alice", Role: "developer"}, {Name: "bob", Role: "on-call"}}}
	for _, set := range options {
		set(&opt)
	}
	s.site = httptest.NewServer(page.New(opt))
	t.Cleanup(s.site.Close)
	return s
}

// connect lets the bot hear of what people do.
func (s *scene) connect(t *testing.T) *socketmode.Client {
	t.Helper()
	client := socketmode.New(s.client, socketmode.OptionDialer(&websocket.Dialer{NetDialContext: s.DialContext}))
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

// next waits for an event of a kind and skips the others.
func next(t *testing.T, client *socketmode.Client, kind socketmode.EventType) socketmode.Event {
	t.Helper()
	for {
		select {
		case e := <-client.Events:
			if e.Type == kind {
				return e
			}
		case <-t.Context().Done():
			t.Fatalf("no %s arrived", kind)
		}
	}
}

// post lets the bot write a message with buttons.
func (s *scene) post(t *testing.T) (ts string) {
	t.Helper()
	var list slack.Blocks
	if err := json.Unmarshal([]byte(buttons), &list); err != nil {
		t.Fatal(err)
	}
	_, ts, err := s.client.PostMessageContext(t.Context(), s.deploys.ID(), slack.MsgOptionText("text", false), slack.MsgOptionBlocks(list.BlockSet...))
	if err != nil {
		t.Fatal(err)
	}
	return ts
}

func (s *scene) postAttachment(t *testing.T, attachment map[string]string) {
	t.Helper()
	raw, err := json.Marshal([]any{attachment})
	if err != nil {
		t.Fatal(err)
	}
	option := slack.UnsafeMsgOptionEndpoint("http://slack.test/api/chat.postMessage", func(v url.Values) { v.Set("attachments", string(raw)) })
	if _, _, err := s.client.PostMessageContext(t.Context(), s.deploys.ID(), option); err != nil {
		t.Fatal(err)
	}
}

// get is the page at a path.
func (s *scene) get(t *testing.T, path string) string {
	t.Helper()
	return s.body(t, s.request(t, http.MethodGet, path, nil), http.StatusOK)
}

// send does what a form of the page does.
func (s *scene) send(t *testing.T, path string, want int, form ...string) string {
	t.Helper()
	values := url.Values{"as": {"alice"}, "channel": {s.deploys.ID()}}
	for i := 0; i < len(form); i += 2 {
		values.Add(form[i], form[i+1])
	}
	r := s.request(t, http.MethodPost, path, strings.NewReader(values.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return s.body(t, r, want)
}

func (s *scene) request(t *testing.T, method, path string, body io.Reader) *http.Request {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, s.site.URL+path, body)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func (s *scene) body(t *testing.T, r *http.Request, want int) string {
	t.Helper()
	answer, err := s.site.Client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	raw, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	if answer.StatusCode != want {
		t.Fatalf("%s %s: %s, want %d: %s", r.Method, r.URL.Path, answer.Status, want, raw)
	}
	return string(raw)
}

func wants(t *testing.T, html string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if !strings.Contains(html, text) {
			t.Errorf("%q is not in\n%s", text, html)
		}
	}
}

func wantsNone(t *testing.T, html string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if strings.Contains(html, text) {
			t.Errorf("%q is in\n%s", text, html)
		}
	}
}
