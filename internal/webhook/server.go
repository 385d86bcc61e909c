package webhook

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus" // what every cluster's monitoring reads
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"golang.org/x/time/rate"
	"k8s.io/apimachinery/pkg/util/validation"
)

// What a client may take. A hook is a few hundred bytes from a machine nearby.
const (
	headerTimeout   = 5 * time.Second
	readTimeout     = 10 * time.Second
	writeTimeout    = 15 * time.Second
	idleTimeout     = 90 * time.Second
	maxHeader       = 16 << 10
	shutdownTimeout = 5 * time.Second
	// minToken is the least length of a token: 16 characters of `openssl rand -hex` are 64 bits.
	minToken = 16
)

// Options describe a server.
type Options struct {
	// Address to listen on: ":8080".
	Address string
	Hooks   []Hook
	Sink    Sink
	// Checks decide about /readyz.
	Checks []Check
	// Registry is what /metrics shows; the metrics of the hooks are added to it.
	Registry *prometheus.Registry
	Log      *slog.Logger
}

// Server is made by [New].
type Server struct {
	address string
	log     *slog.Logger
	handler http.Handler
}

// New checks the options, and reports every problem there is.
func New(o Options) (*Server, error) {
	s := &Server{address: o.Address, log: o.Log}
	var credentials []credential
	instances, known := []string{}, map[string]bool{}
	var errs []error
	for _, hook := range o.Hooks {
		token := strings.TrimSpace(hook.Token)
		switch {
		case len(validation.IsDNS1123Label(hook.Instance)) > 0:
			errs = append(errs, fmt.Errorf("webhook: instance %q: the name is part of the URL: use only a-z, 0-9 and -", hook.Instance))
		case len(token) < minToken:
			errs = append(errs, fmt.Errorf("webhook: instance %s: the token is shorter than %d characters: create one with openssl rand -hex 32", hook.Instance, minToken))
		}
		credentials = append(credentials, credential{sha256.Sum256([]byte(hook.Instance)), sha256.Sum256([]byte(token))})
		if !known[hook.Instance] {
			known[hook.Instance], instances = true, append(instances, hook.Instance)
		}
	}
	m := newMetrics(instances)
	for _, collector := range []prometheus.Collector{m.received, m.seconds} {
		if err := o.Registry.Register(collector); err != nil {
			errs = append(errs, fmt.Errorf("webhook: metrics: %w", err))
		}
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	mux := http.NewServeMux()
	mux.Handle("/hooks/argocd/{instance}", &hooks{
		credentials: credentials, instances: known, sink: o.Sink, slots: make(chan struct{}, maxAtOnce), metrics: m, log: o.Log,
		strangers: rate.Sometimes{First: 3, Interval: time.Minute},
	})
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { line(w, http.StatusOK, "ok") })
	mux.Handle("GET /readyz", readiness(o.Checks))
	mux.Handle("GET /metrics", promhttp.HandlerFor(o.Registry, promhttp.HandlerOpts{
		MaxRequestsInFlight: 4, Timeout: writeTimeout - time.Second, ErrorLog: slog.NewLogLogger(o.Log.Handler(), slog.LevelError),
	}))
	s.handler = mux
	return s, nil
}

// Handler serves all paths.
func (s *Server) Handler() http.Handler { return s.handler }

// Run listens and serves until the context ends; then requests under way have 5 seconds to end. An error is one of
// listening, or says that they did not.
func (s *Server) Run(ctx context.Context) error {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", s.address)
	if err != nil {
		return fmt.Errorf("webhook: %w: set http.listen to a free address, or stop the process that uses it", err)
	}
	return s.Serve(ctx, listener)
}

// Serve is Run on a listener, which it closes.
func (s *Server) Serve(ctx context.Context, listener net.Listener) error {
	server := &http.Server{
		Handler: s.handler, ReadHeaderTimeout: headerTimeout, ReadTimeout: readTimeout, WriteTimeout: writeTimeout,
		IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeader,
		// Handshakes of port scanners and the like: no error of ours.
		ErrorLog: slog.NewLogLogger(s.log.Handler(), slog.LevelDebug),
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	select {
	case err := <-served:
		return fmt.Errorf("webhook: serve: %w", err)
	case <-ctx.Done():
	}
	bounded, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTimeout)
	defer cancel()
	if err := server.Shutdown(bounded); err != nil {
		return errors.Join(fmt.Errorf("webhook: requests still in progress after %s: %w", shutdownTimeout, err), server.Close())
	}
	return nil
}

// line answers with one line of text.
func line(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	fmt.Fprintln(w, text)
}
