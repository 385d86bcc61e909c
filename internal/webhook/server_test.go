package webhook_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/webhook"
)

const (
	token    = "0123456789abcdef0123456789abcdef"
	newToken = "fedcba9876543210fedcba9876543210"
	refused  = "no Argo CD with this name and this bearer token: check the end of the URL, and the key in argocd-notifications-secret"
	body     = `{"app": "shop", "namespace": "team-a"}`
)

var quiet = slog.New(slog.DiscardHandler)

// notes is a Sink that keeps what it is given.
type notes struct {
	mu   sync.Mutex
	apps []diagnose.AppName
	err  error
}

func (n *notes) take(_ context.Context, app diagnose.AppName) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.err == nil {
		n.apps = append(n.apps, app)
	}
	return n.err
}

func newServer(t testing.TB, sink webhook.Sink, checks ...webhook.Check) *webhook.Server {
	t.Helper()
	s, err := webhook.New(webhook.Options{
		Hooks: []webhook.Hook{{Instance: "prod", Token: token + "\n"}, {Instance: "prod", Token: newToken}, {Instance: "test", Token: newToken + "-test"}},
		Sink:  sink, Checks: checks, Registry: prometheus.NewRegistry(), Log: quiet,
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// hook is a request as Argo CD sends it, changed by whoever wants it otherwise.
func hook(t *testing.T, change func(*http.Request)) *http.Request {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/hooks/argocd/prod", strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer "+token)
	r.Header.Set("Content-Type", "application/json")
	if change != nil {
		change(r)
	}
	return r
}

func answer(s *webhook.Server, r *http.Request) (status int, text string) {
	return answerOf(s.Hooks(), r)
}

func answerOf(h http.Handler, r *http.Request) (status int, text string) {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Code, strings.TrimSuffix(w.Body.String(), "\n")
}

func get(t *testing.T, s *webhook.Server, path string) (status int, text string) {
	t.Helper()
	return answerOf(s.Metrics(), here(httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, http.NoBody)))
}

// here makes a request one from the same machine.
func here(r *http.Request) *http.Request {
	r.RemoteAddr, r.Host = "127.0.0.1:40000", "localhost:9090"
	return r
}

func withBody(text string) func(*http.Request) {
	return func(r *http.Request) { r.Body = io.NopCloser(strings.NewReader(text)) }
}

func withHeader(name, value string) func(*http.Request) {
	return func(r *http.Request) { r.Header.Set(name, value) }
}

func withPath(path string) func(*http.Request) {
	return func(r *http.Request) { r.URL.Path = path }
}

func TestHookAnswers(t *testing.T) {
	for name, x := range map[string]struct {
		change func(*http.Request)
		status int
		text   string
	}{
		"good":                  {nil, 202, "noted"},
		"good, with more in it": {withBody(`{"app": "shop", "namespace": "team-a", "message": "a \"quote\"\nand a line", "revision": null}`), 202, "noted"},
		"good, with a charset":  {withHeader("Content-Type", "application/json; charset=utf-8"), 202, "noted"},
		"the other token":       {withHeader("Authorization", "bearer "+newToken), 202, "noted"},
		"GET":                   {func(r *http.Request) { r.Method = http.MethodGet }, 405, "use POST"},
		"unknown instance":      {withPath("/hooks/argocd/nonsense"), 401, refused},
		"no token":              {func(r *http.Request) { r.Header.Del("Authorization") }, 401, refused},
		"half a token":          {withHeader("Authorization", "Bearer "+token[:16]), 401, refused},
		"an unresolved secret":  {withHeader("Authorization", "Bearer $argo-why-token"), 401, refused},
		"another's token":       {withPath("/hooks/argocd/test"), 401, refused},
		"basic":                 {withHeader("Authorization", "Basic "+token), 401, refused},
		"a form":                {withHeader("Content-Type", "application/x-www-form-urlencoded"), 415, "send application/json"},
		"no type":               {func(r *http.Request) { r.Header.Del("Content-Type") }, 415, "send application/json"},
		"too large":             {withBody(`{"app": "` + strings.Repeat("x", 64<<10) + `"}`), 413, "body is larger than 64 KiB"},
		"no JSON":               {withBody("app=shop"), 400, "body is not the expected JSON: invalid character 'a' looking for beginning of value"},
		"two documents":         {withBody(body + body), 400, "body is not the expected JSON: invalid character '{' after top-level value"},
		"no namespace":          {withBody(`{"app": "shop"}`), 400, `body lacks "app" or "namespace"`},
		"a path as a name":      {withBody(`{"app": "../secrets", "namespace": "team-a"}`), 400, `"app" is not a valid application name`},
		"a line in a namespace": {withBody(`{"app": "shop", "namespace": "team-a\nteam-b"}`), 400, `"namespace" is not a valid namespace name`},
	} {
		t.Run(name, func(t *testing.T) {
			var n notes
			status, text := answer(newServer(t, n.take), hook(t, x.change))
			if status != x.status || text != x.text {
				t.Errorf("answered %d %q, want %d %q", status, text, x.status, x.text)
			}
			want := x.status == 202
			if noted := len(n.apps) == 1 && n.apps[0] == (diagnose.AppName{Instance: "prod", Namespace: "team-a", Name: "shop"}); noted != want {
				t.Errorf("noted %v, want prod team-a/shop: %v", n.apps, want)
			}
		})
	}
}

func TestHookThatCannotBeNotedIsSentAgain(t *testing.T) {
	n := notes{err: errors.New("disk full")}
	if status, text := answer(newServer(t, n.take), hook(t, nil)); status != 503 || text != "could not be queued: try again" {
		t.Errorf("answered %d %q", status, text)
	}
}

func TestHookThatTakesTooLongToNoteIsSentAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		started := time.Now()
		stuck := func(ctx context.Context, _ diagnose.AppName) error {
			<-ctx.Done()
			return ctx.Err()
		}
		if status, _ := answer(newServer(t, stuck), hook(t, nil)); status != 503 || time.Since(started) != 2*time.Second {
			t.Errorf("answered %d after %s, want 503 after 2s", status, time.Since(started))
		}
	})
}

func TestHookIsNotedAlthoughTheSenderHangsUp(t *testing.T) {
	gone, hangUp := context.WithCancel(t.Context())
	hangUp()
	var noted error
	sink := func(ctx context.Context, _ diagnose.AppName) error {
		noted = ctx.Err()
		return noted
	}
	if status, _ := answer(newServer(t, sink), hook(t, nil).WithContext(gone)); status != 202 || noted != nil {
		t.Errorf("answered %d, the sink saw %v", status, noted)
	}
}

func TestTooManyHooksAtOnceAreSentAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		open := make(chan struct{})
		s := newServer(t, func(context.Context, diagnose.AppName) error {
			<-open
			return nil
		})
		statuses := make(chan int, 65)
		for range 65 {
			go func() {
				status, _ := answer(s, hook(t, nil))
				statuses <- status
			}()
		}
		synctest.Wait()
		if got := <-statuses; got != 503 {
			t.Errorf("the first answer is %d, want 503", got)
		}
		close(open)
		for range 64 {
			if got := <-statuses; got != 202 {
				t.Errorf("answered %d, want 202", got)
			}
		}
	})
}

func TestMetricsCountByInstanceAndOutcome(t *testing.T) {
	var n notes
	s := newServer(t, n.take)
	answer(s, hook(t, nil))
	answer(s, hook(t, withHeader("Authorization", "Bearer nonsense")))
	answer(s, hook(t, withPath("/hooks/argocd/made-up-by-a-stranger")))
	status, text := get(t, s, "/metrics")
	if status != 200 {
		t.Fatalf("answered %d", status)
	}
	for _, want := range []string{
		`argo_why_hooks_received_total{instance="prod",outcome="accepted"} 1`,
		`argo_why_hooks_received_total{instance="test",outcome="accepted"} 0`,
		`argo_why_hooks_received_total{instance="prod",outcome="unauthorized"} 1`,
		`argo_why_hooks_received_total{instance="",outcome="unknown_instance"} 1`,
		`argo_why_hook_duration_seconds_count 3`,
	} {
		if !strings.Contains(text+"\n", want+"\n") {
			t.Errorf("/metrics lacks %s:\n%s", want, text)
		}
	}
	if strings.Contains(text, "made-up") {
		t.Error("a stranger's name became a label")
	}
}

func TestStrangersDoNotFillTheLog(t *testing.T) {
	var text bytes.Buffer
	s, err := webhook.New(webhook.Options{
		Hooks: []webhook.Hook{{Instance: "prod", Token: token}}, Registry: prometheus.NewRegistry(), Log: slog.New(slog.NewTextHandler(&text, nil)),
	})
	if err != nil {
		t.Fatal(err)
	}
	for range 1000 {
		answer(s, hook(t, withHeader("Authorization", "Bearer guessed-"+newToken)))
	}
	if lines := strings.Count(text.String(), "\n"); lines != 3 {
		t.Errorf("%d lines in the log, want 3", lines)
	}
	if strings.Contains(text.String(), newToken) {
		t.Errorf("a token is in the log: %s", text.String())
	}
}

func TestReadyNamesWhatFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		good := webhook.Check{Name: "journal", Ready: func(context.Context) error { return nil }}
		bad := webhook.Check{Name: "slack", Ready: func(context.Context) error { return errors.New("socket is down\nsince 10:00") }}
		deaf := webhook.Check{Name: "argocd/prod", Ready: func(context.Context) error { time.Sleep(time.Minute); return nil }}
		if status, text := get(t, newServer(t, nil, good), "/readyz"); status != 200 || text != "ok\nok journal" {
			t.Errorf("answered %d %q", status, text)
		}
		status, text := get(t, newServer(t, nil, good, bad, deaf), "/readyz")
		const want = "not ready: 2 of 3 checks failed\nok journal\nfailed slack: socket is down since 10:00\nfailed argocd/prod: no answer within 900ms"
		if status != 503 || text != want {
			t.Errorf("answered %d %q, want 503 %q", status, text, want)
		}
		if status, text := get(t, newServer(t, nil, bad), "/healthz"); status != 200 || text != "ok" {
			t.Errorf("/healthz answered %d %q", status, text)
		}
		time.Sleep(time.Minute) // in the bubble: let the deaf check end
	})
}

func TestShutdownLetsAHookEnd(t *testing.T) {
	entered, leave := make(chan struct{}), make(chan struct{})
	s := newServer(t, func(context.Context, diagnose.AppName) error {
		close(entered)
		<-leave
		return nil
	})
	address, stop, ended := serve(t, s)
	status := make(chan int, 1)
	go func() {
		code, err := post(t, http.DefaultClient, address)
		if err != nil {
			t.Error(err)
		}
		status <- code
	}()
	<-entered
	stop()
	close(leave)
	if got := <-status; got != 202 {
		t.Errorf("answered %d, want 202", got)
	}
	if err := <-ended; err != nil {
		t.Errorf("ended with %v", err)
	}
}

func TestRunSaysThatThePortIsTaken(t *testing.T) {
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	s, err := webhook.New(webhook.Options{Address: listener.Addr().String(), Registry: prometheus.NewRegistry(), Log: quiet})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Run(t.Context()); err == nil || !strings.HasPrefix(err.Error(), "webhook: listen tcp 127.0.0.1:") {
		t.Errorf("ended with %v", err)
	}
}

func TestNewTellsEveryProblem(t *testing.T) {
	_, err := webhook.New(webhook.Options{Registry: prometheus.NewRegistry(), Log: quiet, Hooks: []webhook.Hook{{Instance: "Prod/1", Token: token}, {Instance: "test", Token: "secret"}}})
	for _, want := range []string{`instance "Prod/1": the name is part of the URL`, "instance test: the token is shorter than 16 characters"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v\nlacks %s", err, want)
		}
	}
}

// serve runs a server on ports of its own.
func serve(t testing.TB, s *webhook.Server) (address string, stop func(), ended <-chan error) {
	t.Helper()
	hooks, metrics := listen(t), listen(t)
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx, hooks, metrics) }()
	return hooks.Addr().String(), cancel, done
}

func listen(t testing.TB) net.Listener {
	t.Helper()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return listener
}

func post(t testing.TB, client *http.Client, address string) (status int, err error) {
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+address+"/hooks/argocd/prod", bytes.NewReader([]byte(body)))
	if err != nil {
		return 0, err
	}
	r.Header.Set("Authorization", "Bearer "+token)
	r.Header.Set("Content-Type", "application/json")
	answer, err := client.Do(r)
	if err != nil {
		return 0, err
	}
	_, err = io.Copy(io.Discard, answer.Body)
	return answer.StatusCode, errors.Join(err, answer.Body.Close())
}
