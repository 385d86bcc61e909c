package config

import (
	"fmt"
	"net"
	"net/url"
	"strings"
)

// refuseTwice finds Argo CDs that are listed twice: each of their failures would get two threads.
func (c *Config) refuseTwice(f *findings) {
	for i := range c.ArgoCD {
		for other := range c.ArgoCD[:i] {
			a, b := &c.ArgoCD[i], &c.ArgoCD[other]
			at := fmt.Sprintf("argocd[%d]", i)
			switch {
			case sameAddress(browserURL(a), browserURL(b)):
				f.add(at+".server", "argocd[%d] (%s) is the same Argo CD, so each failure would be posted twice: remove one of the two", other, b.Name)
			case sameAddress(a.URL, b.URL):
				f.add(at+".url", "argocd[%d] (%s) has the same address, and is the same Argo CD if that is right: remove one of the two, or correct url", other, b.Name)
			}
		}
	}
}

// sameAddress compares addresses as what connects to them does. What is not an address is like no other.
func sameAddress(a, b string) bool {
	first := normalAddress(a)
	return first != "" && first == normalAddress(b)
}

// normalAddress is an address with the port, and with the shortest name of a Service.
func normalAddress(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" || u.Scheme != "https" && u.Scheme != "http" {
		return ""
	}
	host := strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
	if service, ok := strings.CutSuffix(host, ".cluster.local"); ok {
		host = service
	}
	port := u.Port()
	switch {
	case port != "":
	case u.Scheme == "http":
		port = "80"
	default:
		port = "443"
	}
	return net.JoinHostPort(strings.TrimSuffix(host, ".svc"), port) + "/" + strings.Trim(u.Path, "/")
}
