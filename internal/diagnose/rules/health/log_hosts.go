package health

import (
	"cmp"
	"fmt"
	"net/netip"
	"regexp"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
)

// namedHosts are how programs name the host that they cannot find or reach: nginx, PHP, libpq, MySQL, Java, Node.js, Go.
var namedHosts = regexp.MustCompile(`(?:host not found in upstream|can't resolve|server can't find|getaddrinfo for|could not translate host name|Unknown MySQL server host|UnknownHostException:|getaddrinfo (?:ENOTFOUND|EAI_AGAIN)|no such host:?|lookup|connection to server at|[Cc]an't reach database server at|bad address|ECONNREFUSED|dial tcp(?: \S+ ->)?) [\x60"']?([A-Za-z0-9][\w.\-]*(?::\d+)?)`)

// hostUnreached is the host that a line of a log says cannot be found or reached, with its port where it has one.
func hostUnreached(said string) string {
	f := message.Parse(said)
	host := f.Host()
	if m := namedHosts.FindStringSubmatch(said); m != nil && host == "" {
		host = m[1]
	}
	return strings.TrimRight(host, ".:")
}

// unresolvedHost are words that say that a name has no address.
func unresolvedHost(said string) bool {
	f := message.Parse(said)
	return f.Network() == message.NetworkDNS || message.HasAny(" "+strings.ToLower(said), "could not translate host name", " enotfound", "'enotfound", "\"enotfound", "eai_again", "bad address", "unknownhostexception", "unknown host", "unknown mysql server host", "host not found", "name or service", "name resolution", "nslookup: can't resolve", "can't resolve host", "server can't find")
}

// unreachedHost is about a host that is no part of the application, or not known to be in trouble.
func unreachedHost(s *unhealthy.Resource, said string) logTrouble {
	host := hostUnreached(said)
	name, _, _ := strings.Cut(host, ":")
	ns := s.Target().Namespace
	service := host == "" || !strings.Contains(name, ".")
	if labels := strings.Split(name, "."); len(labels) > 2 && labels[2] == "svc" || len(labels) == 2 && labels[1] == ns {
		ns, service = labels[1], true
	}
	list := diagnose.Fix{Text: "List the Services there, with what is behind them", Command: diagnose.Shell("kubectl -n %s get services,endpoints,networkpolicies", ns)}
	_, notName := netip.ParseAddr(name)
	it := cmp.Or(host, "the host")
	switch {
	case unresolvedHost(said) && service:
		list.Command = diagnose.Shell("kubectl -n %s get services", ns)
		list.Text = "List the Services there"
		return logTrouble{what: "cannot resolve " + it, short: "Container cannot resolve a host", fix: []diagnose.Fix{{Text: fmt.Sprintf("Correct %s in Git, or create the Service of that name in namespace %s", cmp.Or(name, "the host"), ns)}, list}}
	case unresolvedHost(said):
		return logTrouble{what: "cannot resolve " + it, short: "Container cannot resolve a host", fix: []diagnose.Fix{{Text: fmt.Sprintf("Check the name %s; if it is right, the DNS that the cluster uses (CoreDNS and what it forwards to)", name)}}}
	case service, notName == nil:
		return logTrouble{what: "cannot reach " + it, short: "Container cannot reach a host", fix: []diagnose.Fix{{Text: fmt.Sprintf("Check that %s runs and listens on that port, and that no network policy is in between", it)}, list}}
	}
	return logTrouble{what: "cannot reach " + it, short: "Container cannot reach a host", fix: advice.Steps(fmt.Sprintf("Check that %s listens on that port, and what is in between: network policies, a firewall, a proxy", it))}
}
