package kube

import (
	"cmp"
	"maps"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd/api"

	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/sanitize"
)

// Argo CD's names for the cluster that it runs in itself.
const (
	ownServer = "https://kubernetes.default.svc"
	ownName   = "in-cluster"
)

// endpoint is how to reach a cluster: through a context of the kubeconfig, or as the pod.
type endpoint struct {
	context string
	pod     *rest.Config
	// verify: only a look shows whether it is the right cluster.
	verify bool
}

// String is the endpoint as errors call it.
func (e endpoint) String() string {
	if e.pod != nil {
		return "the cluster of this pod"
	}
	return "context " + e.context
}

// endpoint chooses how to reach the cluster of a destination. Only one is tried: an account is not shown to clusters that
// nobody spoke of.
func (c *Clusters) endpoint(d evidence.Destination) (endpoint, error) {
	switch {
	case d.Server != "" && address(d.Server) == address(ownServer), d.Server == "" && d.Name == ownName:
		return c.ownEndpoint()
	case d.Server == "" && d.Name == "":
		return endpoint{}, &Error{Problem: NoAccess, what: "the application names no cluster (spec.destination)"}
	case d.Server == "":
		return endpoint{}, &Error{Problem: NoAccess, what: sanitize.Sprintf("the application names its cluster %q without an address, so no context can be matched to it", d.Name)}
	case isLoopback(d.Server):
		return endpoint{}, &Error{Problem: NoAccess, what: sanitize.Sprintf("%s is an address on Argo CD's own machine, which this program cannot reach", d.Server)}
	}
	return c.endpointAt(d.Server)
}

// ownEndpoint leads to the cluster of Argo CD itself, whose address says nothing outside of it.
func (c *Clusters) ownEndpoint() (endpoint, error) {
	if !c.named() {
		if config, err := c.podAccount(); err == nil {
			return endpoint{pod: config, verify: true}, nil
		}
	}
	config, err := c.kubeconfig()
	if err != nil {
		return endpoint{}, &Error{Problem: NoAccess, what: sanitize.Sprintf("the kubeconfig %s", err), Err: err}
	}
	switch name := cmp.Or(c.options.Context, config.CurrentContext); {
	case len(config.Contexts) == 0:
		return endpoint{}, &Error{Problem: NoAccess, what: "there is no kubeconfig", todo: "use --kubeconfig FILE"}
	case name == "":
		return endpoint{}, &Error{Problem: NoAccess, what: "the kubeconfig has no current context", todo: "use --kube-context NAME"}
	default:
		return endpoint{context: name, verify: true}, nil
	}
}

// endpointAt leads to an address. Two clusters cannot share one, so a context of the same address is the right one.
func (c *Clusters) endpointAt(server string) (endpoint, error) {
	config, err := c.kubeconfig()
	if err != nil {
		return endpoint{}, &Error{Problem: NoAccess, what: sanitize.Sprintf("the kubeconfig %s", err), Err: err}
	}
	leadsThere := func(name string) bool { return address(serverOf(config, name)) == address(server) }
	if name := c.options.Context; name != "" {
		if !leadsThere(name) {
			return endpoint{}, &Error{Problem: OtherCluster, what: sanitize.Sprintf("context %s leads to %s, but the application is on %s", name, serverOf(config, name), server)}
		}
		return endpoint{context: name}, nil
	}
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(config.Contexts)), func(name string) bool { return !leadsThere(name) })
	switch {
	case len(names) == 0:
		return endpoint{}, &Error{Problem: NoAccess, what: sanitize.Sprintf("no kubeconfig context leads to %s", server), todo: "use --kubeconfig FILE"}
	case slices.Contains(names, config.CurrentContext): // of several accounts the one that is in use
		return endpoint{context: config.CurrentContext}, nil
	}
	return endpoint{context: names[0]}, nil
}

func serverOf(config *api.Config, context string) string {
	if at := config.Contexts[context]; at != nil && config.Clusters[at.Cluster] != nil {
		return config.Clusters[at.Cluster].Server
	}
	return ""
}

// address is a server's URL in the one form in which equal addresses are equal texts.
func address(server string) string {
	u, err := url.Parse(strings.TrimSpace(server))
	if err != nil || u.Host == "" {
		return server
	}
	port := u.Port()
	switch {
	case port != "":
	case strings.EqualFold(u.Scheme, "http"):
		port = "80"
	default:
		port = "443"
	}
	return strings.ToLower(u.Scheme) + "://" + strings.ToLower(u.Hostname()) + ":" + port + strings.TrimRight(u.Path, "/")
}

func isLoopback(server string) bool {
	u, err := url.Parse(server)
	if err != nil {
		return false
	}
	ip, err := netip.ParseAddr(u.Hostname())
	return strings.EqualFold(u.Hostname(), "localhost") || err == nil && (ip.IsLoopback() || ip.IsUnspecified())
}
