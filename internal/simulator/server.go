package simulator

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/argoproj/argo-cd/v2/pkg/apiclient"
	accountpkg "github.com/argoproj/argo-cd/v2/pkg/apiclient/account"
	applicationpkg "github.com/argoproj/argo-cd/v2/pkg/apiclient/application"
	clusterpkg "github.com/argoproj/argo-cd/v2/pkg/apiclient/cluster"
	projectpkg "github.com/argoproj/argo-cd/v2/pkg/apiclient/project"
	repositorypkg "github.com/argoproj/argo-cd/v2/pkg/apiclient/repository"
	sessionpkg "github.com/argoproj/argo-cd/v2/pkg/apiclient/session"
	"golang.org/x/sync/errgroup"
	"google.golang.org/grpc"

	"github.com/argo-why/argo-why/internal/evidence"
)

// Options are what a server is made of.
type Options struct {
	// Address is where it listens; "" for a free port of the loopback interface.
	Address string
	// Token is the only one that it accepts. Required: a bot that forgets its token must not go unnoticed.
	Token string
	// ReadOnly makes it refuse, as a mistake of the caller, whatever changes something.
	ReadOnly bool
	// Reactions say what happens when somebody acts.
	Reactions Reactions
	// Now is the clock of what happens here; nil for time.Now.
	Now func() time.Time
	// SyncTakes is how long an operation runs that ends as Git makes it end; 0: it has ended when the request is answered.
	SyncTakes time.Duration
	// Recent moves the times of the cases so that each was recorded when it is taken in, and failed just before.
	Recent bool
	// TLS is the configuration of the port, with its certificate; nil for plaintext.
	TLS *tls.Config
	// Whole gives an application that was compared the managed resources that its case lacks, as Argo CD has them always.
	Whole bool
}

// Server is a simulated Argo CD. Its methods may be called at any time, in parallel with requests.
type Server struct {
	address string
	token   string
	now     func() time.Time
	recent  bool
	whole   bool
	// syncTakes is how long an operation runs that ends as Git makes it end.
	syncTakes time.Duration
	tls       *tls.Config
	calls     calls

	mu      sync.Mutex
	apps    applications
	account string
	denied  map[string]bool
	// connections are those that Connect named.
	connections map[string]evidence.Connection
	// controllerStopped is when the application controller stopped reporting; zero where it does not.
	controllerStopped evidence.Time
	// issued are the tokens that Issue named.
	issued    []IssuedToken
	watches   watches
	moved     chan struct{} // closed with the next change; nil: nobody waits for it
	readOnly  bool
	reactions Reactions
	acts      acts
	proxy     func(http.Handler) http.Handler

	life   sync.Mutex // guards what follows; never taken while mu is held
	stop   func() error
	ended  chan struct{} // closed by Close
	closed bool
}

// New starts a server without applications. It answers until Close.
func New(o Options) (*Server, error) {
	if o.Token == "" {
		return nil, errors.New("simulate Argo CD: a token is required")
	}
	s := &Server{
		address: o.Address, token: o.Token, now: o.Now, recent: o.Recent, whole: o.Whole, syncTakes: o.SyncTakes, readOnly: o.ReadOnly, reactions: o.Reactions,
		tls: o.TLS, calls: newCalls(), account: Account, denied: map[string]bool{}, watches: newWatches(), ended: make(chan struct{}),
	}
	if s.address == "" {
		s.address = "127.0.0.1:0"
	}
	if s.now == nil {
		s.now = time.Now
	}
	if err := s.Start(); err != nil {
		return nil, err
	}
	return s, nil
}

// Run waits until the context ends or the server is closed, and closes it.
func (s *Server) Run(ctx context.Context) error {
	select {
	case <-ctx.Done():
	case <-s.ended:
	}
	return s.Close()
}

// Close ends the server for good.
func (s *Server) Close() error {
	s.life.Lock()
	if !s.closed {
		s.closed = true
		close(s.ended)
	}
	s.life.Unlock()
	return s.Stop()
}

// Address is host:port. It stays the same when the server is stopped and started again.
func (s *Server) Address() string {
	s.life.Lock()
	defer s.life.Unlock()
	return s.address
}

// Stop makes Argo CD absent: all connections end, and new ones are refused until Start.
func (s *Server) Stop() error {
	s.life.Lock()
	defer s.life.Unlock()
	if s.stop == nil {
		return nil
	}
	stop := s.stop
	s.stop = nil
	return stop()
}

// Start makes the server answer again after Stop.
func (s *Server) Start() error {
	s.life.Lock()
	defer s.life.Unlock()
	if s.closed || s.stop != nil {
		return fmt.Errorf("simulate Argo CD at %s: it is already running or closed", s.address)
	}
	// Not of a request: it ends with Stop.
	listener, err := new(net.ListenConfig).Listen(context.Background(), "tcp", s.address)
	if err != nil {
		return fmt.Errorf("simulate Argo CD: %w", err)
	}
	s.address = listener.Addr().String()
	web, err := s.newGateway(s.address)
	if err != nil {
		return errors.Join(fmt.Errorf("simulate Argo CD: %w", err), listener.Close())
	}
	if s.tls != nil {
		config := s.tls.Clone()
		config.NextProtos = []string{"http/1.1", "h2"} // in argocd-server's order
		listener = tls.NewListener(listener, config)
	}
	port, g := divide(listener), s.newGRPC()
	var serving errgroup.Group
	serving.Go(func() error { return g.Serve(port.grpc) })
	serving.Go(func() error { return web.serve(port.web) })
	s.stop = func() error {
		g.Stop()
		if err := errors.Join(web.close(), port.Close(), serving.Wait()); err != nil && !errors.Is(err, grpc.ErrServerStopped) { // stopped before it served
			return fmt.Errorf("simulate Argo CD at %s: %w", listener.Addr(), err)
		}
		return nil
	}
	return nil
}

func (s *Server) newGRPC() *grpc.Server {
	g := grpc.NewServer(grpc.UnaryInterceptor(s.unary), grpc.StreamInterceptor(s.stream), grpc.MaxSendMsgSize(apiclient.MaxGRPCMessageSize))
	applicationpkg.RegisterApplicationServiceServer(g, &applicationService{s: s})
	projectpkg.RegisterProjectServiceServer(g, &projectService{s: s})
	repositorypkg.RegisterRepositoryServiceServer(g, &repositoryService{s: s})
	clusterpkg.RegisterClusterServiceServer(g, &clusterService{s: s})
	accountpkg.RegisterAccountServiceServer(g, &accountService{s: s})
	sessionpkg.RegisterSessionServiceServer(g, &sessionService{s: s})
	return g
}
