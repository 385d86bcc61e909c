// Package argotest is an Argo CD API server in the test's own process: real gRPC over a real port, answering from a case
// file as Argo CD 2.14 would. What it does not hold it answers as Argo CD does: in the words and with the codes of its
// server.
package argotest

import (
	"context"
	"encoding/json"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/argoproj/argo-cd/v2/pkg/apiclient"
	accountpkg "github.com/argoproj/argo-cd/v2/pkg/apiclient/account"
	applicationpkg "github.com/argoproj/argo-cd/v2/pkg/apiclient/application"
	projectpkg "github.com/argoproj/argo-cd/v2/pkg/apiclient/project"
	repositorypkg "github.com/argoproj/argo-cd/v2/pkg/apiclient/repository"
	sessionpkg "github.com/argoproj/argo-cd/v2/pkg/apiclient/session"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
)

// Token is the only one that the server accepts.
const Token = "argotest-token"

// Server is a running server. Its methods may be called at any time, in parallel with requests.
type Server struct {
	// Address is host:port; the server speaks plaintext gRPC.
	Address string

	mu      sync.Mutex
	docs    []*document
	calls   map[string]int
	latency map[string]time.Duration
	errs    map[string]error
	running int
	overlap int
	denied  map[string]bool
	watches watches
	acts    acts
	stop    func()
}

// NewServer starts a server that knows the applications of the case files. It stops with the test.
func NewServer(t testing.TB, cases ...[]byte) *Server {
	t.Helper()
	s := &Server{
		calls: map[string]int{}, latency: map[string]time.Duration{}, errs: map[string]error{}, denied: map[string]bool{},
		watches: watches{changed: make(chan struct{}), streams: map[int]*subscription{}},
	}
	for _, text := range cases {
		d := parse(t, text)
		s.docs = append(s.docs, d)
		s.docs = append(s.docs, d.children()...)
	}
	s.serve(t, "127.0.0.1:0")
	t.Cleanup(func() { s.stop() })
	return s
}

func parse(t testing.TB, text []byte) *document {
	t.Helper()
	d := &document{}
	if err := json.Unmarshal(text, d); err != nil {
		t.Fatalf("argotest: case: %v", err)
	}
	return d
}

// serve listens and answers until s.stop.
func (s *Server) serve(t testing.TB, address string) {
	t.Helper()
	listener, err := new(net.ListenConfig).Listen(context.WithoutCancel(t.Context()), "tcp", address)
	if err != nil {
		t.Fatalf("argotest: %v", err)
	}
	s.Address = listener.Addr().String()
	g := grpc.NewServer(grpc.UnaryInterceptor(s.unary), grpc.StreamInterceptor(s.stream), grpc.MaxSendMsgSize(apiclient.MaxGRPCMessageSize))
	applicationpkg.RegisterApplicationServiceServer(g, &applications{s: s})
	projectpkg.RegisterProjectServiceServer(g, &projects{s: s})
	repositorypkg.RegisterRepositoryServiceServer(g, &repositories{s: s})
	accountpkg.RegisterAccountServiceServer(g, &accounts{s: s})
	sessionpkg.RegisterSessionServiceServer(g, &sessions{})
	done := make(chan error, 1)
	go func() { done <- g.Serve(listener) }()
	s.stop = func() {
		g.Stop()
		if err := <-done; err != nil {
			t.Errorf("argotest: %v", err)
		}
		s.stop = func() {}
	}
}

// Stop ends the server and all connections to it; Start lets it come back at the same address.
func (s *Server) Stop() { s.stop() }

// Start begins to answer again after Stop.
func (s *Server) Start(t testing.TB) {
	t.Helper()
	s.serve(t, s.Address)
}

// Calls is how often each method was called since the last Reset, e.g. "Get", "ResourceTree"; "project.Get" and
// "repository.ListRepositories" carry their service.
func (s *Server) Calls() map[string]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := map[string]int{}
	for name, n := range s.calls {
		out[name] = n
	}
	return out
}

// Overlap is how many calls were under way at once, at most, since the last Reset.
func (s *Server) Overlap() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.overlap
}

// Reset forgets the counts.
func (s *Server) Reset() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls, s.overlap = map[string]int{}, 0
}

// Delay makes a method answer after d; "" means every method.
func (s *Server) Delay(method string, d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.latency[method] = d
}

// Fail makes a method answer with an error, usually a gRPC status; nil ends that.
func (s *Server) Fail(method string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.errs[method] = err
}

// enter counts a call, checks its token, waits and fails as told. The returned function ends the call.
func (s *Server) enter(ctx context.Context, fullMethod string) (func(), error) {
	name := methodName(fullMethod)
	s.mu.Lock()
	s.calls[name]++
	s.running++
	s.overlap = max(s.overlap, s.running)
	delay, ok := s.latency[name]
	if !ok {
		delay = s.latency[""]
	}
	err := s.errs[name]
	s.mu.Unlock()
	leave := func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.running--
	}
	if delay > 0 {
		select {
		case <-time.After(delay):
		case <-ctx.Done():
			return leave, ctx.Err()
		}
	}
	if err == nil {
		err = accept(ctx)
	}
	return leave, err
}

// accept answers as Argo CD's session manager. It is as strict about the content type as argocd-server, which routes by it
// and resets the connection on any other.
func accept(ctx context.Context) error {
	md, _ := metadata.FromIncomingContext(ctx)
	if kind := md.Get("content-type"); len(kind) != 1 || kind[0] != "application/grpc" {
		return status.Errorf(codes.Unavailable, "argotest: content type %q: Argo CD would reset the connection", kind)
	}
	switch given := md.Get(apiclient.MetaDataTokenKey); {
	case len(given) == 0 || given[0] == "":
		return status.Error(codes.Unauthenticated, "no session information")
	case given[0] == "expired":
		return status.Error(codes.Unauthenticated, "invalid session: token has invalid claims: token is expired")
	case given[0] != Token:
		return status.Error(codes.Unauthenticated, "invalid session: token signature is invalid: signature is invalid")
	}
	return nil
}

func (s *Server) unary(ctx context.Context, req any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (any, error) {
	leave, err := s.enter(ctx, info.FullMethod)
	defer leave()
	if err != nil {
		return nil, err
	}
	return handler(ctx, req)
}

func (s *Server) stream(srv any, ss grpc.ServerStream, info *grpc.StreamServerInfo, handler grpc.StreamHandler) error {
	leave, err := s.enter(ss.Context(), info.FullMethod)
	defer leave()
	if err != nil {
		return err
	}
	return handler(srv, ss)
}

// methodName shortens "/application.ApplicationService/Get" to "Get", and keeps the package of the other services.
func methodName(full string) string {
	service, method, _ := strings.Cut(strings.TrimPrefix(full, "/"), "/")
	if pkg, _, _ := strings.Cut(service, "."); pkg != "application" {
		return pkg + "." + method
	}
	return method
}

// Log records another log in the first case, as it is: JSON could not hold every byte of one.
func (s *Server) Log(namespace, pod, container string, previous bool, text string) {
	d := s.documents()[0]
	d.Logs = append(d.Logs, podLog{Namespace: namespace, Pod: pod, Container: container, Previous: previous, Text: text})
}
