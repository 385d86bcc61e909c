package argo

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/argo-why/argo-why/internal/sanitize"

	"github.com/argoproj/argo-cd/v2/common"
	"github.com/argoproj/argo-cd/v2/pkg/apiclient"
	accountpkg "github.com/argoproj/argo-cd/v2/pkg/apiclient/account"
	applicationpkg "github.com/argoproj/argo-cd/v2/pkg/apiclient/application"
	clusterpkg "github.com/argoproj/argo-cd/v2/pkg/apiclient/cluster"
	projectpkg "github.com/argoproj/argo-cd/v2/pkg/apiclient/project"
	repositorypkg "github.com/argoproj/argo-cd/v2/pkg/apiclient/repository"
	sessionpkg "github.com/argoproj/argo-cd/v2/pkg/apiclient/session"
	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/keepalive"
)

// Client is one connection to one Argo CD. It is safe for parallel use.
type Client struct {
	login        *login
	conn         *grpc.ClientConn // nil over gRPC-web
	closers      []io.Closer
	applications applicationpkg.ApplicationServiceClient
	projects     projectpkg.ProjectServiceClient
	repositories repositorypkg.RepositoryServiceClient
	clusters     clusterpkg.ClusterServiceClient
	accounts     accountpkg.AccountServiceClient
	sessions     sessionpkg.SessionServiceClient
	// web is made when it is needed first: reading one application does without.
	web func() (*webAPI, error)
}

// Connect finds out where Argo CD is and starts to connect. It does not wait for the connection: the first request
// reports that it failed, and a request costs nothing beside itself. The exception is a login of the argocd command that has
// expired and can be renewed: that happens here.
func Connect(ctx context.Context, o Options) (*Client, error) {
	l, err := resolve(o)
	if err != nil {
		return nil, err
	}
	c := &Client{login: l}
	c.web = sync.OnceValues(func() (*webAPI, error) { return newWebAPI(c.login) })
	if l.refreshable {
		if err := c.renew(ctx); err != nil {
			return nil, err
		}
	}
	if l.grpcWeb {
		err = c.dialWeb()
	} else {
		err = c.dial()
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("connect to %s: %w", c.server(), err), c.Close())
	}
	return c, nil
}

// Close ends the connection.
func (c *Client) Close() error {
	var errs []error
	for _, closer := range c.closers {
		errs = append(errs, closer.Close())
	}
	c.closers = nil
	return errors.Join(errs...)
}

// Server is host:port of the Argo CD that is read.
func (c *Client) Server() string { return c.login.server }

// server is the address as a sentence names it.
func (c *Client) server() sanitize.Clean { return sanitize.Line(c.login.server) }

// dial opens the one connection that all requests share. Not through apiclient.NewClient: that asks the server for its
// version first, without a time-out, and then dials again for each service.
func (c *Client) dial() error {
	creds := insecure.NewCredentials()
	if !c.login.plainText {
		config, err := c.login.tlsConfig()
		if err != nil {
			return err
		}
		creds = credentials.NewTLS(config)
	}
	// "passthrough" leaves the name to the dialer: a proxy of the environment must get the name, not an address.
	conn, err := grpc.NewClient("passthrough:///"+c.login.server,
		grpc.WithTransportCredentials(creds),
		grpc.WithPerRPCCredentials(token(c.login.token)),
		grpc.WithUserAgent(c.login.userAgent),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(apiclient.MaxGRPCMessageSize)),
		// gRPC waits up to two minutes between attempts: too long for who waits for Argo CD to come back.
		grpc.WithConnectParams(grpc.ConnectParams{
			Backoff:           backoff.Config{BaseDelay: time.Second, Multiplier: 1.6, Jitter: 0.2, MaxDelay: 5 * time.Second},
			MinConnectTimeout: max(c.login.connectTimeout, 10*time.Second),
		}),
		grpc.WithKeepaliveParams(keepalive.ClientParameters{Time: common.GetGRPCKeepAliveTime()}),
	)
	if err != nil {
		return err
	}
	conn.Connect() // now rather than with the first request
	c.conn, c.closers = conn, append(c.closers, conn)
	c.applications = applicationpkg.NewApplicationServiceClient(conn)
	c.projects = projectpkg.NewProjectServiceClient(conn)
	c.repositories = repositorypkg.NewRepositoryServiceClient(conn)
	c.clusters = clusterpkg.NewClusterServiceClient(conn)
	c.accounts = accountpkg.NewAccountServiceClient(conn)
	c.sessions = sessionpkg.NewSessionServiceClient(conn)
	return nil
}

// dialWeb speaks gRPC-web through the proxy that apiclient runs inside the process.
func (c *Client) dialWeb() error {
	api, err := apiclient.NewClient(c.login.clientOptions())
	if err != nil {
		return err
	}
	keep := func(closer io.Closer, err error) error {
		if err == nil {
			c.closers = append(c.closers, closer)
		}
		return err
	}
	var closer io.Closer
	closer, c.applications, err = api.NewApplicationClient()
	if err := keep(closer, err); err != nil {
		return err
	}
	closer, c.projects, err = api.NewProjectClient()
	if err := keep(closer, err); err != nil {
		return err
	}
	closer, c.repositories, err = api.NewRepoClient()
	if err := keep(closer, err); err != nil {
		return err
	}
	closer, c.clusters, err = api.NewClusterClient()
	if err := keep(closer, err); err != nil {
		return err
	}
	closer, c.accounts, err = api.NewAccountClient()
	if err := keep(closer, err); err != nil {
		return err
	}
	closer, c.sessions, err = api.NewSessionClient()
	return keep(closer, err)
}

// clientOptions are the same settings for apiclient.
func (l *login) clientOptions() *apiclient.ClientOptions {
	return &apiclient.ClientOptions{
		ServerAddr: l.server, AuthToken: l.token, PlainText: l.plainText, Insecure: l.insecure, CertFile: l.serverCrt,
		GRPCWeb: l.grpcWeb, GRPCWebRootPath: l.grpcWebRootPath, Headers: l.headers, UserAgent: l.userAgent,
		ConfigPath: l.configPath, Context: l.context,
	}
}

// renew gets a new token for an expired login through single sign-on, as the argocd command does, and writes it to the
// configuration file.
func (c *Client) renew(ctx context.Context) error {
	type result struct {
		token string
		err   error
	}
	done := make(chan result, 1)
	// apiclient takes no context here; when ours ends first, its attempt runs out by itself.
	go func() {
		o := c.login.clientOptions()
		o.AuthToken = "" // given one, apiclient would keep it
		api, err := apiclient.NewClient(o)
		if err != nil {
			done <- result{err: err}
			return
		}
		done <- result{token: api.ClientOptions().AuthToken}
	}()
	var r result
	select {
	case r = <-done:
	case <-ctx.Done():
		r.err = ctx.Err()
	}
	if r.err != nil {
		return &Error{
			Problem: NotLoggedIn, Operation: string("renew the login to " + c.server()), Err: r.err,
			what: sanitize.Sprintf("the token has expired, and renewing it failed (%s)", message(r.err)),
			todo: "run argocd login " + c.server() + " --sso",
		}
	}
	c.login.token = r.token
	return nil
}

func (l *login) tlsConfig() (*tls.Config, error) {
	config := &tls.Config{MinVersion: tls.VersionTLS12, InsecureSkipVerify: l.insecure} //nolint:gosec // G402: only where asked for
	if len(l.authority) > 0 {
		// Beside the system's authorities, as the argocd command does.
		pool, err := x509.SystemCertPool()
		if err != nil {
			pool = x509.NewCertPool()
		}
		if !pool.AppendCertsFromPEM(l.authority) {
			return nil, errors.New("the file with the server's certificate contains no PEM certificate: check --server-crt (serverCrt)")
		}
		config.RootCAs = pool
	}
	if l.clientCert != nil {
		config.Certificates = []tls.Certificate{*l.clientCert}
	}
	return config, nil
}

// token is sent with each request, as the argocd command sends it.
type token string

// GetRequestMetadata implements credentials.PerRPCCredentials.
func (t token) GetRequestMetadata(context.Context, ...string) (map[string]string, error) {
	if t == "" {
		return nil, nil
	}
	return map[string]string{apiclient.MetaDataTokenKey: string(t)}, nil
}

// RequireTransportSecurity is false: inside a cluster argocd-server often runs without TLS.
func (t token) RequireTransportSecurity() bool { return false }
