package kube

import (
	"fmt"
	"net"
	"net/http"
	"net/url"
	"time"

	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/util/flowcontrol"
)

const (
	// A diagnosis reads a handful of things, most of them at once; more than that would be a fault of ours, which
	// must not burden the cluster.
	readsPerSecond, readBurst = 5, 20
	// dialTimeout: a cluster behind a VPN that is off swallows what is sent. The report is not worth waiting longer.
	dialTimeout = 3 * time.Second
)

// connection is a client of one cluster.
type connection struct {
	name    string // "context dev"
	host    string
	objects dynamic.Interface
	kinds   *kinds
}

func newConnection(name string, config *rest.Config, userAgent string, limit flowcontrol.RateLimiter) (*connection, error) {
	config = rest.CopyConfig(config)
	config.UserAgent = userAgent
	config.Timeout = 0 // each request ends with its context
	config.RateLimiter = limit
	config.WarningHandler = rest.NoWarnings{} // they would be logged; that an API is deprecated is not the application's failure
	config.Dial = (&net.Dialer{Timeout: dialTimeout}).DialContext
	if config.ExecProvider != nil {
		config.ExecProvider.StdinUnavailable = true
		config.ExecProvider.StdinUnavailableMessage = "the bot cannot enter a password"
	}
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		return nil, fmt.Errorf("read its credentials: %w", err)
	}
	client.Transport = contextTransport{client.Transport}
	objects, err := dynamic.NewForConfigAndClient(config, client)
	if err != nil {
		return nil, err
	}
	discoverer, err := discovery.NewDiscoveryClientForConfigAndClient(config, client)
	if err != nil {
		return nil, err
	}
	return &connection{name: name, host: hostOf(config.Host), objects: objects, kinds: newKinds(discoverer.RESTClient())}, nil
}

func hostOf(server string) string {
	if u, err := url.Parse(server); err == nil && u.Host != "" {
		return u.Host
	}
	return server
}

// contextTransport ends a request with its context even where it is not the network that is waited for: the kubeconfig may name a
// program that fetches the credentials, and client-go lets it take any time.
type contextTransport struct{ next http.RoundTripper }

// RoundTrip implements http.RoundTripper.
func (p contextTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	type answer struct {
		response *http.Response
		err      error
	}
	answers := make(chan answer)
	go func() {
		response, err := p.next.RoundTrip(r)
		select {
		case answers <- answer{response, err}:
		case <-r.Context().Done():
			if response != nil {
				_ = response.Body.Close() // too late: nobody reads it
			}
		}
	}()
	select {
	case a := <-answers:
		return a.response, a.err
	case <-r.Context().Done():
		return nil, r.Context().Err()
	}
}
