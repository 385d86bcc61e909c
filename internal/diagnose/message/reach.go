package message

import (
	"strings"

	"github.com/argo-why/argo-why/internal/text"
)

// unresolved are the words in which programs say that a name has no address, beyond those of Go, git and curl: libpq, the clients of
// MySQL, JDBC, Node, Python, nginx, busybox. unreached are those in which they say that they cannot connect.
var (
	unresolved = []string{
		"could not translate host name", "enotfound", "eai_again", "bad address '", "unknownhostexception", "unknown host", "unknown mysql server host", "name resolution", "name or service", "nslookup: can't resolve", "can't resolve host", "server can't find", "host not found", "getaddrinfo",
	}
	unreached = []string{
		"can't reach database server", "can't connect to", "cannot connect to", "could not connect", "couldn't connect", "failed to connect", "unable to connect", "connection to server at", "connectexception",
		"no brokers available", "broker transport failure", "connection attempt failed", "connect to server at", "failed to establish a new connection", "bootstrap broker", "no route to host", "connection refused",
	}
)

// CannotResolve reports whether a line of a log speaks of a host that has no address.
func CannotResolve(line string) bool {
	lower := strings.ToLower(text.OneLine(uncoloured(line)))
	return networkOf(mask(lower)) == NetworkDNS || HasAny(lower, unresolved...)
}

// CannotReach reports whether a line of a log speaks of a host that it cannot find or connect to.
func CannotReach(line string) bool {
	lower := strings.ToLower(text.OneLine(uncoloured(line)))
	switch networkOf(mask(lower)) {
	case NetworkDNS, NetworkRefused, NetworkTimeout, NetworkUnreachable:
		return true
	case NetworkOK, NetworkReset, NetworkTLS, NetworkHostKey, NetworkProxy, NetworkUnavailable:
	}
	return HasAny(lower, unresolved...) || HasAny(lower, unreached...)
}

// NamesHost reports whether a text names a host: the name stands by itself or is followed by a port or a domain.
func NamesHost(said, name string) bool {
	lower := strings.ToLower(said)
	for from := 0; ; {
		i := strings.Index(lower[from:], name)
		if i < 0 || name == "" {
			return false
		}
		i += from
		end := i + len(name)
		before := i == 0 || strings.IndexByte(" \"'`(/@=,[", lower[i-1]) >= 0
		after := end == len(lower) || strings.IndexByte(" \"'`):.,/]", lower[end]) >= 0
		if before && after {
			return true
		}
		from = end
	}
}
