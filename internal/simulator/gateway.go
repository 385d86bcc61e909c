package simulator

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/argoproj/argo-cd/v2/pkg/apiclient"
	applicationpkg "github.com/argoproj/argo-cd/v2/pkg/apiclient/application"
	"github.com/grpc-ecosystem/grpc-gateway/runtime"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
)

// gateway is the HTTP API of the applications. It is Argo CD's own: generated code with its handling of fields, and like
// argocd-server's a client of its own gRPC port, so that a list or a stream costs here what it costs there.
type gateway struct {
	server *http.Server
	conn   *grpc.ClientConn
}

func (s *Server) newGateway(address string) (*gateway, error) {
	creds := insecure.NewCredentials()
	if s.tls != nil {
		config := s.tls.Clone()
		config.InsecureSkipVerify = true // it calls itself, as argocd-server does
		creds = credentials.NewTLS(config)
	}
	conn, err := grpc.NewClient("passthrough:///"+address, grpc.WithTransportCredentials(creds),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(apiclient.MaxGRPCMessageSize)))
	if err != nil {
		return nil, fmt.Errorf("connect the HTTP API: %w", err)
	}
	mux := runtime.NewServeMux(runtime.WithMarshalerOption(runtime.MIMEWildcard, &runtime.JSONBuiltin{}))
	// Not of a request: it ends with the connection.
	if err := applicationpkg.RegisterApplicationServiceHandler(context.Background(), mux, conn); err != nil {
		return nil, errors.Join(fmt.Errorf("register the HTTP API: %w", err), conn.Close())
	}
	root := http.NewServeMux()
	root.Handle("/api/v1/", mux)
	root.HandleFunc("GET /api/version", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"Version":"v2.14.21+simulator"}`)) // whoever asked may have left
	})
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		proxy := s.proxy
		s.mu.Unlock()
		if proxy != nil {
			proxy(root).ServeHTTP(w, r)
			return
		}
		root.ServeHTTP(w, r)
	})
	return &gateway{conn: conn, server: &http.Server{Handler: handler, ReadHeaderTimeout: time.Minute}}, nil
}

func (g *gateway) serve(l net.Listener) error {
	if err := g.server.Serve(l); !errors.Is(err, net.ErrClosed) && !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

func (g *gateway) close() error { return errors.Join(g.server.Close(), g.conn.Close()) }

// Proxy puts something between the callers and the HTTP API, such as a proxy that lets only gRPC through; nil takes it away.
func (s *Server) Proxy(around func(api http.Handler) http.Handler) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.proxy = around
}
