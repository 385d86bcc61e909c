package health

import (
	"fmt"
	"net/netip"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/diagnose/pods"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
	"github.com/argo-why/argo-why/internal/text"
)

// namedHosts are how programs name the host that they cannot find or reach: nginx, PHP, libpq, MySQL, Java, Node.js, Go.
var namedHosts = pattern.MustCompile(`(?:host not found in upstream|can't resolve|server can't find|getaddrinfo for|could not translate host name|Unknown MySQL server host|UnknownHostException:|getaddrinfo (?:ENOTFOUND|EAI_AGAIN)|no such host:?|lookup|connection to server at|[Cc]an't reach database server at|bad address|ECONNREFUSED|dial tcp(?: \S+ ->)?) [\x60"']?([A-Za-z0-9][\w.\-]*(?::\d+)?)`)

// lookedUp is a name that Go finds no address of.
var lookedUp = pattern.MustCompile(`\blookup ([A-Za-z0-9][\w.\-]*[A-Za-z0-9])\.?(?: on \S+)?: (?:no such host|server misbehaving)`)

// hostUnreached is the host that a line of a log says cannot be found or reached, with its port where it has one.
func hostUnreached(said string) string {
	f := message.Parse(said)
	if m := lookedUp.FindAllStringSubmatch(said, -1); m != nil { // a request to one host can need another one, for a token
		return m[len(m)-1][1]
	}
	host := f.Host()
	if m := namedHosts.FindStringSubmatch(said); m != nil && host == "" {
		host = m[1]
	}
	return strings.TrimRight(host, ".:")
}

// unreachedHost is about a host that is no part of the application, or not known to be in trouble.
func unreachedHost(s *unhealthy.Resource, said string) logTrouble {
	host := hostUnreached(said)
	if host == "" {
		return unnamedHost(said)
	}
	name, _, _ := strings.Cut(host, ":")
	if name == "localhost" || strings.HasPrefix(name, "127.") {
		return logTrouble{what: "cannot reach " + host, short: "Container finds nobody in its own pod", fix: advice.Steps(ownPod(s, name))}
	}
	ns := s.Target().Namespace
	service := !strings.Contains(name, ".")
	if labels := strings.Split(name, "."); len(labels) > 2 && labels[2] == "svc" || len(labels) == 2 && labels[1] == ns {
		ns, service = labels[1], true
	}
	list := diagnose.Fix{Text: "List the Services there, with what is behind them", Command: diagnose.Shell("kubectl -n %s get services,endpoints,networkpolicies", ns)}
	_, notName := netip.ParseAddr(name)
	switch {
	case message.CannotResolve(said) && service:
		list.Command = diagnose.Shell("kubectl -n %s get services", ns)
		list.Text = "List the Services there"
		return logTrouble{what: "cannot resolve " + host, short: "Container cannot resolve a host", fix: []diagnose.Fix{{Text: fmt.Sprintf("Correct the host %s in Git, or create the Service of that name in namespace %s", name, ns)}, list}}
	case message.CannotResolve(said):
		return logTrouble{what: "cannot resolve " + host, short: "Container cannot resolve a host", fix: []diagnose.Fix{{Text: fmt.Sprintf("Check the name %s; if it is right, the DNS that the cluster uses (CoreDNS and what it forwards to)", name)}}}
	case notName == nil:
		return logTrouble{what: "cannot reach " + host, short: "Container cannot reach a host", fix: advice.Steps(fmt.Sprintf("Check what should listen at %s, and that no network policy or firewall is in between", host))}
	case service:
		return logTrouble{what: "cannot reach " + host, short: "Container cannot reach a host", fix: []diagnose.Fix{{Text: fmt.Sprintf("Check that something listens at %s, and that no network policy is in between; if there is no such Service, correct the host in Git", host)}, list}}
	}
	return logTrouble{what: "cannot reach " + host, short: "Container cannot reach a host", fix: advice.Steps(fmt.Sprintf("Check that %s listens on that port, and what is in between: network policies, a firewall, a proxy", host))}
}

// unnamedHost is about a host that the line does not name.
func unnamedHost(said string) logTrouble {
	if message.CannotResolve(said) {
		return logTrouble{what: "cannot resolve a host", short: "Container cannot resolve a host", fix: advice.Steps("Find in the full log which host it looks up; correct its name in Git, or check the DNS of the cluster")}
	}
	return logTrouble{what: "cannot reach a host", short: "Container cannot reach a host", fix: advice.Steps("Find in the full log which host and port it connects to; check that something listens there, and what is in between")}
}

// ownPod is the step for a container that finds nobody at its own pod's address: a proxy that is not up yet, or a setting that is missing.
func ownPod(s *unhealthy.Resource, host string) string {
	var beside []string
	for _, c := range pods.ContainerSpecs(s.Object) {
		if name := c.Text("name"); name != s.Symptom.Container {
			beside = append(beside, name)
		}
	}
	if len(beside) == 0 || s.Symptom.Container == "" {
		return fmt.Sprintf("In Git, set the host that it connects to: %s is its own pod, and nothing answers there", host)
	}
	return fmt.Sprintf("%s is its own pod. If %s should answer there, let it wait until that listens; if not, set the right host in Git", text.UpperFirst(host), strings.Join(beside, " or "))
}
