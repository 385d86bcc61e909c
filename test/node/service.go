//go:build live

package node

import (
	"fmt"
	"math/rand/v2"
	"net/http/httptest"
	"net/http/httputil"
	"slices"
)

// Service is the address of a Service that leads to the port of that name of the pods that are ready.
func (n *Node) Service(port string) string {
	proxy := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.Out.URL.Scheme, r.Out.URL.Host = "http", ""
		if p := n.anyReady(); p != nil {
			r.Out.URL.Host = fmt.Sprintf("%s:%d", p.IP, p.port(port))
		}
	}}
	server := httptest.NewServer(proxy)
	n.t.Cleanup(server.Close)
	return server.URL
}

func (n *Node) anyReady() *Pod {
	pods := slices.DeleteFunc(n.Pods(), func(p *Pod) bool { return !p.Ready() })
	if len(pods) == 0 {
		return nil // the request fails, as it does at a Service without endpoints
	}
	return pods[rand.IntN(len(pods))] //nolint:gosec // which replica gets a request is no secret
}
