package webhook

import (
	"context"
	"crypto/sha256"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus" // what every cluster's monitoring reads
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"golang.org/x/sync/errgroup"
	"golang.org/x/time/rate"
	"k8s.io/apimachinery/pkg/util/validation"
)

// What a client may take. A hook is a few hundred bytes from a machine nearby.
const (
	headerTimeout   = 5 * time.Second
	readTimeout     = 10 * time.Second
	writeTimeout    = 15 * time.Second
	idleTimeout     = 30 * time.Second
	maxHeader       = 16 << 10
	shutdownTimeout = 5 * time.Second
	// minToken is the least length of a token: 16 characters of `openssl rand -hex` are 64 bits.
	minToken = 16
)

// Options describe a server.
type Options struct {
	// Address is for Argo CD's notifications, ":8080"; MetricsAddress is for probes and Prometheus, ":9090".
	Address, MetricsAddress string
	// TLS is what both show; nil is without TLS.
	TLS *Files

	Hooks []Hook
	Sink  Sink
	// Checks decide about /readyz.
	Checks []Check
	// Registry is what /metrics shows; the metrics of the hooks are added to it.
	Registry *prometheus.Registry
	Log      *slog.Logger
}

// Server is made by [New]. It has two addresses, because metrics and checks name the Argo CD instances, and the address for hooks is
// often open to machines outside the cluster.
type Server struct {
	hooks, metrics endpoint
	log            *slog.Logger
}

// endpoint is what is served at one address.
type endpoint struct {
	address string
	setting string // its key in the configuration
	handler http.Handler
	tls     *certificate // nil without
}

// New checks the options, and reports every problem there is.
func New(o Options) (*Server, error) {
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
	var shown *certificate
	if o.TLS != nil {
		var err error
		shown, err = newCertificate(*o.TLS, o.Log)
		if err != nil {
			errs = append(errs, err)
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
	receiver := http.NewServeMux()
	receiver.Handle("/hooks/argocd/{instance}", &hooks{
		credentials: credentials, instances: known, sink: o.Sink, slots: make(chan struct{}, maxAtOnce), metrics: m, log: o.Log,
		strangers: rate.Sometimes{First: 3, Interval: time.Minute},
	})
	return &Server{
		hooks:   endpoint{o.Address, "http.listen", receiver, shown},
		metrics: endpoint{o.MetricsAddress, "http.metrics", inside(o), shown},
		log:     o.Log,
	}, nil
}

// inside is what the cluster asks the bot.
func inside(o Options) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { line(w, http.StatusOK, "ok") })
	mux.Handle("GET /readyz", readiness(o.Checks))
	mux.Handle("GET /metrics", promhttp.HandlerFor(o.Registry, promhttp.HandlerOpts{
		MaxRequestsInFlight: 4, Timeout: writeTimeout - time.Second, ErrorLog: slog.NewLogLogger(o.Log.Handler(), slog.LevelError),
	}))
	return mux
}

// Hooks serves /hooks/.
func (s *Server) Hooks() http.Handler { return s.hooks.handler }

// Metrics serves /metrics, /healthz and /readyz.
func (s *Server) Metrics() http.Handler { return s.metrics.handler }

// Run listens and serves until the context ends; then requests under way have 5 seconds to end. An error is one of
// listening, or says that they did not.
func (s *Server) Run(ctx context.Context) error {
	hooks, err := s.hooks.listen(ctx)
	if err != nil {
		return err
	}
	metrics, err := s.metrics.listen(ctx)
	if err != nil {
		return errors.Join(err, hooks.Close())
	}
	return s.Serve(ctx, hooks, metrics)
}

// Serve is Run on two listeners, which it closes.
func (s *Server) Serve(ctx context.Context, hooks, metrics net.Listener) error {
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error { return s.hooks.serve(ctx, hooks, s.log) })
	group.Go(func() error { return s.metrics.serve(ctx, metrics, s.log) })
	return group.Wait()
}

func (e *endpoint) listen(ctx context.Context) (net.Listener, error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", e.address)
	if err != nil {
		return nil, fmt.Errorf("webhook: %w: set %s to a free address, or stop the process that uses it", err, e.setting)
	}
	return listener, nil
}

func (e *endpoint) serve(ctx context.Context, listener net.Listener, log *slog.Logger) error {
	server := &http.Server{
		Handler: e.handler, ReadHeaderTimeout: headerTimeout, ReadTimeout: readTimeout, WriteTimeout: writeTimeout,
		IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeader,
		// Handshakes of port scanners and the like: no error of ours.
		ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelDebug),
	}
	var visitors net.Listener = newCrowd(listener, log)
	if e.tls != nil {
		visitors = tls.NewListener(visitors, e.tls.config())
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve(visitors) }()
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
