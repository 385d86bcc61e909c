// Package argotest starts a simulated Argo CD ([simulator.Server]) for a test: it ends with the test, and its errors fail the
// test. It is read-only until the test lets it act.
package argotest

import (
	"testing"

	"github.com/argo-why/argo-why/internal/simulator"
)

const (
	// Token is the only one that the server accepts.
	Token = "argotest-token"
	// Account is the account that it belongs to.
	Account = simulator.Account
)

type (
	// Operation is a sync that was accepted.
	Operation = simulator.Operation
	// Outcome is how an operation goes.
	Outcome = simulator.Outcome
)

// Acting says what happens when somebody acts.
type Acting struct {
	// OnSync says how an operation goes that was accepted. Without it each succeeds.
	OnSync func(Operation) Outcome
	// OnRefresh is called before a refresh is answered: it may Put what Argo CD finds.
	OnRefresh func(app string, hard bool)
	// Target is what the target revision of every application means; "" for the revision that was last compared.
	Target string
}

// Server is a running server. Its methods may be called at any time, in parallel with requests.
type Server struct {
	*simulator.Server
	// Address is host:port; the server speaks gRPC and HTTP in plaintext.
	Address string

	t testing.TB
}

// NewServer starts a server that knows the applications of the case files. It stops with the test.
func NewServer(t testing.TB, cases ...[]byte) *Server {
	t.Helper()
	s, err := simulator.New(simulator.Options{Token: Token, ReadOnly: true})
	must(t, err)
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("argotest: %v", err)
		}
	})
	for _, text := range cases {
		must(t, s.Put(text))
	}
	return &Server{Server: s, Address: s.Address(), t: t}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("argotest: %v", err)
	}
}

// Stop ends the server and all connections to it; Start lets it come back at the same address.
func (s *Server) Stop() {
	s.t.Helper()
	must(s.t, s.Server.Stop())
}

// Start begins to answer again after Stop.
func (s *Server) Start(t testing.TB) {
	t.Helper()
	must(t, s.Server.Start())
}

// Put takes in a case file, in place of the one of the same application, and tells whoever watches.
func (s *Server) Put(t testing.TB, text []byte) {
	t.Helper()
	must(t, s.Server.Put(text))
}

// Remove deletes an application, and tells whoever watches.
func (s *Server) Remove(t testing.TB, namespace, name string) {
	t.Helper()
	must(t, s.Server.Remove(simulator.Name{Namespace: namespace, Name: name}))
}

// Act makes the server take what changes something, from now on. Without it, that is an error: a diagnosis only reads.
func (s *Server) Act(on Acting) {
	s.t.Helper()
	r := simulator.Reactions{Sync: on.OnSync}
	if r.Sync == nil {
		r.Sync = simulator.Succeed
	}
	if on.OnRefresh != nil {
		r.Refresh = func(app simulator.Name, hard bool) { on.OnRefresh(app.String(), hard) }
	}
	if on.Target != "" {
		for _, name := range s.Names() {
			must(s.t, s.Push(name, simulator.Commit{Revision: on.Target}))
		}
	}
	s.React(r)
	s.SetReadOnly(false)
}

// Render makes these the manifests (JSON) of an application, whatever the revision. Without it they are the target states of
// its managed resources.
func (s *Server) Render(app string, manifests ...string) {
	s.t.Helper()
	must(s.t, s.Server.Render(s.name(s.t, app), manifests...))
}

// Finish ends the operation that is running.
func (s *Server) Finish(t testing.TB, app string, o Outcome) {
	t.Helper()
	must(t, s.Server.Finish(s.name(t, app), o))
}

// name is the full name of an application.
func (s *Server) name(t testing.TB, app string) simulator.Name {
	t.Helper()
	for _, name := range s.Names() {
		if name.Name == app {
			return name
		}
	}
	t.Fatalf("argotest: there is no application %s", app)
	return simulator.Name{}
}

// AwaitWatch waits until the nth stream (from 1, since the server was made) is open.
func (s *Server) AwaitWatch(t testing.TB, n int) {
	t.Helper()
	must(t, s.Server.AwaitWatch(t.Context(), n))
}

// Log records another log in the first case, as it is: JSON could not hold every byte of one.
func (s *Server) Log(namespace, pod, container string, previous bool, text string) {
	s.t.Helper()
	log := simulator.Log{Namespace: namespace, Pod: pod, Container: container, Previous: previous, Text: text}
	must(s.t, s.AddLog(s.Names()[0], log))
}
