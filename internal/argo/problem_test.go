package argo_test

import (
	"context"
	"encoding/pem"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/argo-why/argo-why/internal/argo"
	"github.com/argo-why/argo-why/internal/argo/argotest"
	"github.com/argo-why/argo-why/internal/evidence"
)

func problemOf(err error) argo.Problem {
	var e *argo.Error
	if errors.As(err, &e) {
		return e.Problem
	}
	return ""
}

func replace(s, old, by string) string { return strings.ReplaceAll(s, old, by) }

func port(address string) string { return address[strings.LastIndex(address, ":")+1:] }

// webServer is something that is no Argo CD: HTTP, with or without TLS and HTTP/2, answering with one status.
func webServer(t *testing.T, answer int, withTLS, http2 bool) *httptest.Server {
	t.Helper()
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(answer) }))
	s.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError) // it complains of the handshakes that these tests are about
	s.EnableHTTP2 = http2
	if withTLS {
		s.StartTLS()
	} else {
		s.Start()
	}
	t.Cleanup(s.Close)
	return s
}

func address(s *httptest.Server) string { return s.Listener.Addr().String() }

// resetting accepts connections and resets them, as argocd-server --insecure does on TLS.
func resetting(t *testing.T) string {
	t.Helper()
	l := listen(t)
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			if tcp, ok := conn.(*net.TCPConn); ok {
				_ = tcp.SetLinger(0)
			}
			_, _ = conn.Read(make([]byte, 1))
			_ = conn.Close()
		}
	}()
	return l.Addr().String()
}

// silent accepts connections and never says a word.
func silent(t *testing.T) string {
	t.Helper()
	return listen(t).Addr().String()
}

func listen(t *testing.T) net.Listener {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l
}

// TestProblemsOfTheConnection: each class, and the one line that people read.
func TestProblemsOfTheConnection(t *testing.T) {
	t.Parallel()
	tls := webServer(t, 404, true, true)
	for _, tc := range []struct {
		name    string
		options argo.Options
		problem argo.Problem
		want    string
	}{
		{"closed port", argo.Options{Server: "127.0.0.1:1", PlainText: true}, argo.Unreachable, "HOST does not answer (connection refused): check the address, the network and the proxy"},
		{"silence", argo.Options{Server: silent(t)}, argo.Unreachable, "HOST does not answer (the connection timed out): check the address, the network and the proxy"},
		{"certificate", argo.Options{Server: address(tls)}, argo.BadTLS, "the certificate of HOST is signed by an unknown authority: give the CA certificate with --server-crt FILE, or add --insecure"},
		{"certificate of another name", argo.Options{Server: "localhost:" + port(address(tls)), ServerCrt: certificate(t, tls)}, argo.BadTLS, "TLS with HOST failed (failed to verify certificate: x509: certificate is valid for example.com, *.example.com, not localhost): fix the certificate or the address, or add --insecure"},
		{"trusted, but the web", argo.Options{Server: address(tls), ServerCrt: certificate(t, tls)}, argo.WrongServer, "HOST answers, but not as an Argo CD API server (HTTP 404): check the address; behind a proxy without HTTP/2 add --grpc-web, under a path --grpc-web-root-path PATH"},
		{"not verified, but the web", argo.Options{Server: address(tls), Insecure: true}, argo.WrongServer, "HOST answers, but not as an Argo CD API server (HTTP 404): check the address; behind a proxy without HTTP/2 add --grpc-web, under a path --grpc-web-root-path PATH"},
		{"proxy without a backend", argo.Options{Server: address(webServer(t, 502, true, true)), Insecure: true}, argo.Unreachable, "the proxy in front of HOST does not reach Argo CD (HTTP 502): check the pods of argocd-server, and the proxy"},
		{"proxy that wants a login", argo.Options{Server: address(webServer(t, 403, true, true)), Insecure: true}, argo.WrongServer, "a proxy in front of HOST refuses the request (HTTP 403): log in to the proxy, or use an address behind it"},
		{"no HTTP/2 over TLS", argo.Options{Server: address(webServer(t, 200, true, false)), Insecure: true}, argo.WrongServer, "HOST does not speak HTTP/2, so it is not an Argo CD, or is behind a proxy: check the address, or add --grpc-web"},
		{"no HTTP/2", argo.Options{Server: address(webServer(t, 200, false, false)), PlainText: true}, argo.WrongServer, "HOST is a web server, not an Argo CD API server (it answers HTTP 200 to /api/version): check the address and the port"},
		{"TLS to a plaintext server", argo.Options{Server: address(webServer(t, 404, false, false))}, argo.WrongServer, "HOST is a web server, not an Argo CD API server (it answers HTTP 404 to /api/version): check the address and the port"},
		{"TLS to a plaintext server that wants a login", argo.Options{Server: address(webServer(t, 401, false, false))}, argo.BadTLS, "HOST speaks plaintext, not TLS: add --plaintext"},
		{"TLS to a plaintext Argo CD", argo.Options{Server: address(versioned(t))}, argo.BadTLS, "HOST speaks plaintext, not TLS: add --plaintext"},
		{"Argo CD behind a proxy without HTTP/2", argo.Options{Server: address(versioned(t)), PlainText: true}, argo.WrongServer, "HOST is an Argo CD behind a proxy without HTTP/2: add --grpc-web"},
		{"web server that breaks off HTTP/2", argo.Options{Server: address(breaking(t)), PlainText: true}, argo.WrongServer, "HOST is a web server, not an Argo CD API server (it answers HTTP 404 to /api/version): check the address and the port"},
		{"TLS to argocd-server --insecure", argo.Options{Server: resetting(t)}, argo.BadTLS, "HOST ends the TLS handshake and probably speaks plaintext: add --plaintext, or use the port that speaks TLS"},
		{"plaintext to a TLS server", argo.Options{Server: address(tls), PlainText: true}, argo.BadTLS, "HOST does not speak plaintext gRPC, but probably TLS: leave --plaintext out"},
		{"gRPC-web to the web", argo.Options{Server: address(tls), Insecure: true, GRPCWeb: true}, argo.WrongServer, "HOST answers, but not as an Argo CD API server (HTTP 404): check the address; behind a proxy without HTTP/2 add --grpc-web, under a path --grpc-web-root-path PATH"},
		{"gRPC-web to a page", argo.Options{Server: address(webServer(t, 200, false, false)), PlainText: true, GRPCWeb: true}, argo.WrongServer, "HOST answers, but not as an Argo CD API server: check the address; if Argo CD is served under a path, add --grpc-web-root-path PATH"},
		{"gRPC-web to a page under a path", argo.Options{Server: address(webServer(t, 200, false, false)) + "/argocd", PlainText: true}, argo.WrongServer, "HOST/argocd is not the address of an Argo CD API server: remove the path from the address, or give the path that Argo CD is served under with --grpc-web-root-path"},
		{"gRPC-web, closed port", argo.Options{Server: "127.0.0.1:1/argocd", PlainText: true}, argo.Unreachable, "HOST does not answer (connection refused): check the address, the network and the proxy"},
		{"gRPC-web, no such host", argo.Options{Server: "argocd.invalid:443/argocd"}, argo.Unreachable, "HOST does not answer (no such host): check the address, the network and the proxy"},
		{"gRPC-web, certificate", argo.Options{Server: address(tls), GRPCWeb: true}, argo.BadTLS, "the certificate of HOST is signed by an unknown authority: give the CA certificate with --server-crt FILE, or add --insecure"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			c := open(t, tc.options)
			limit := time.Minute
			if tc.name == "silence" { // nothing else ends it
				limit = 500 * time.Millisecond
			}
			ctx, cancel := context.WithTimeout(t.Context(), limit)
			defer cancel()
			_, err := c.App("web", "", "").Subject(ctx)
			expect(t, c, err, tc.problem, "read application web: "+tc.want)
		})
	}
}

// expect compares an error's class and line, with HOST for the address.
func expect(t *testing.T, c *argo.Client, err error, problem argo.Problem, want string) {
	t.Helper()
	if err == nil {
		t.Fatal("no error")
	}
	if got := problemOf(err); got != problem {
		t.Errorf("problem %q, want %q", got, problem)
	}
	if got := replace(err.Error(), c.Server(), "HOST"); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func certificate(t *testing.T, s *httptest.Server) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "ca.pem")
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// versioned answers as Argo CD does, but over HTTP/1 alone.
func versioned(t *testing.T) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/api/version" && r.Header.Get("Authorization") == "" && r.Header.Get("Cookie") == "" {
			_, _ = w.Write([]byte(`{"Version":"v2.14.21"}`))
		}
	}))
	t.Cleanup(s.Close)
	return s
}

// breaking is a web server that answers HTTP/2 with nothing, as Python's does.
func breaking(t *testing.T) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == "PRI" {
			panic(http.ErrAbortHandler)
		}
		w.WriteHeader(http.StatusNotFound)
	}))
	t.Cleanup(s.Close)
	return s
}

// TestTheTimeOutIsNamed: that it was the caller's own, how long it was, and how to raise it.
func TestTheTimeOutIsNamed(t *testing.T) {
	t.Parallel()
	slow := argotest.NewServer(t, readCase(t, "sync-window"))
	slow.Delay("Get", time.Hour)
	for _, tc := range []struct {
		name    string
		options argo.Options
		after   time.Duration
		problem argo.Problem
		want    string
	}{
		{"silence", argo.Options{Server: silent(t)}, 66_666_666, argo.Unreachable, "no connection to HOST within 67ms: raise --timeout, or check the address, the network and the proxy"},
		{"silence in plaintext", argo.Options{Server: silent(t), PlainText: true}, 1_033_333_333, argo.Unreachable, "no connection to HOST within 1s: check the address, the network and the proxy, or raise --timeout"},
		{"slow", argo.Options{Server: slow.Address, PlainText: true, AuthToken: argotest.Token}, 1_234_567_890, argo.TooSlow, "HOST did not answer within 1.2s: raise --timeout; if it stays slow, check the load of argocd-server and its Redis"},
		{"gRPC-web", argo.Options{Server: silent(t), PlainText: true, GRPCWeb: true}, 66_666_666, argo.TooSlow, "HOST did not answer within 67ms: raise --timeout; if it stays slow, check the load of argocd-server and its Redis"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			c := open(t, tc.options)
			if tc.options.Server == slow.Address { // connected: that is not what takes its time
				if _, err := c.App(syncWindow, "", "").Tree(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			ctx, cancel := context.WithTimeoutCause(t.Context(), tc.after, &argo.Limit{After: tc.after, Raise: "raise --timeout"})
			defer cancel()
			_, err := c.App(syncWindow, "", "").Subject(ctx)
			expect(t, c, err, tc.problem, "read application inventory: "+tc.want)
			if !errors.Is(err, context.DeadlineExceeded) {
				t.Error("is no time-out")
			}
		})
	}
}

// TestProblemsOfTheRequest: what Argo CD answers.
func TestProblemsOfTheRequest(t *testing.T) {
	subject := func(ctx context.Context, a *argo.App) error { _, err := a.Subject(ctx); return err }
	tree := func(ctx context.Context, a *argo.App) error { _, err := a.Tree(ctx); return err }
	window := func(ctx context.Context, a *argo.App) error {
		if _, err := a.Subject(ctx); err != nil {
			return err
		}
		_, err := a.Project(ctx)
		return err
	}
	for _, tc := range []struct {
		name, app, project, token string
		method                    string
		err                       error
		delay                     time.Duration
		do                        func(context.Context, *argo.App) error
		problem                   argo.Problem
		want                      string
	}{
		{name: "expired", token: "expired", do: subject, problem: argo.NotLoggedIn, want: "read application inventory: the token has expired: run argocd login HOST or set ARGOCD_AUTH_TOKEN"},
		{name: "foreign token", token: "x", do: subject, problem: argo.NotLoggedIn, want: "read application inventory: HOST does not accept the token (token signature is invalid: signature is invalid): run argocd login HOST or set ARGOCD_AUTH_TOKEN"},
		{name: "no token", token: " ", do: subject, problem: argo.NotLoggedIn, want: "read application inventory: not logged in to HOST: run argocd login HOST or set ARGOCD_AUTH_TOKEN"},
		{name: "unknown or forbidden", app: "nope", do: subject, problem: argo.UnknownApplication, want: "read application nope: HOST has no such application, or this account has no access to it: check its name and namespace (-n), or get the right to get applications in its project"},
		{name: "unknown in the project", app: syncWindow, project: "other", do: tree, problem: argo.UnknownApplication, want: "read resource tree of inventory: HOST has no such application in this project: check its name, namespace and project"},
		{
			name: "forbidden", method: "project.Get", do: window, problem: argo.Forbidden,
			err:  status.Error(codes.PermissionDenied, "permission denied: projects, get, frozen, sub: ci:apiKey, iat: 2026-11-20T10:10:15Z"),
			want: "read project frozen of inventory: no permission to get projects in frozen: add to policy.ci.csv in argocd-rbac-cm: p, ci:apiKey, projects, get, frozen, allow",
		},
		{name: "slow", method: "Get", delay: time.Hour, do: subject, problem: argo.TooSlow, want: "read application inventory: HOST did not answer in time: try again; if it stays slow, check the load of argocd-server and its Redis"},
		{name: "not Argo CD's API", method: "Get", err: status.Error(codes.Unimplemented, "unknown service application.ApplicationService"), do: subject, problem: argo.WrongServer, want: "read application inventory: HOST speaks gRPC but is not an Argo CD API server: use the address of argocd-server, not of another component"},
		{name: "Argo CD's cluster", method: "Get", err: status.Error(codes.Internal, "etcdserver: leader changed"), do: subject, problem: argo.Failed, want: "read application inventory: etcdserver: leader changed"},
		{name: "Argo CD's Redis", method: "ResourceTree", err: status.Error(codes.Unavailable, "dial tcp 10.0.0.5:6379: connect: connection refused"), do: tree, problem: argo.Failed, want: "read resource tree of inventory: dial tcp 10.0.0.5:6379: connect: connection refused"},
		{name: "broken off", method: "Get", err: status.Error(codes.Unavailable, "error reading from server: EOF"), do: subject, problem: argo.Unreachable, want: "read application inventory: HOST closed the connection: try again"},
		{name: "Argo CD's own", method: "ResourceTree", err: status.Error(codes.Unknown, "error getting cached app resource tree:\ncache: key is missing"), do: tree, problem: argo.Failed, want: "read resource tree of inventory: error getting cached app resource tree: cache: key is missing"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := argotest.NewServer(t, readCase(t, "sync-window"))
			s.Fail(tc.method, tc.err)
			c := connect(t, s, argo.Options{AuthToken: tc.token})
			app := c.App(syncWindow, "", tc.project)
			if tc.app != "" {
				app = c.App(tc.app, "", tc.project)
			}
			ctx := t.Context()
			if tc.delay > 0 {
				if _, err := app.Tree(ctx); err != nil { // the connection stands
					t.Fatal(err)
				}
				s.Delay(tc.method, tc.delay)
				short, cancel := context.WithTimeout(ctx, 100*time.Millisecond)
				defer cancel()
				ctx = short
			}
			err := tc.do(ctx, app)
			expect(t, c, err, tc.problem, tc.want)
			if errors.Is(err, context.DeadlineExceeded) != (tc.delay > 0) {
				t.Errorf("is a time-out: %v", errors.Is(err, context.DeadlineExceeded))
			}
		})
	}
}

// TestRefusalIsEvidence: what Argo CD says about the application itself is for the diagnosis, and goes into the case file.
func TestRefusalIsEvidence(t *testing.T) {
	s := argotest.NewServer(t, readCase(t, "sync-window"))
	s.Fail("Get", status.Error(codes.InvalidArgument, `app is not allowed in project "gone", or the project does not exist`))
	app := connect(t, s, argo.Options{}).App(syncWindow, "", "")
	app.Record = &evidence.Recording{}
	want := `rpc error: code = InvalidArgument desc = app is not allowed in project "gone", or the project does not exist`
	subject, err := app.Subject(t.Context())
	if err != nil || subject.Refusal != want || subject.Application != nil {
		t.Errorf("%+v, %v, want the refusal", subject, err)
	}
	encoded, err := app.Record.Encode(time.Unix(0, 0), "")
	if err != nil {
		t.Fatal(err)
	}
	if got := decode(t, encoded).APIError; got != want {
		t.Errorf("recorded %q", got)
	}
}

func TestCancelled(t *testing.T) {
	s := argotest.NewServer(t, readCase(t, "sync-window"))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := connect(t, s, argo.Options{}).App(syncWindow, "", "").Subject(ctx)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want context.Canceled", err)
	}
}
