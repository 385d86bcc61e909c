package health

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
	"github.com/argo-why/argo-why/internal/text"
)

// answerOf is the answer to a probe: `Readiness probe failed: HTTP probe failed with statuscode: 503` without its head.
func answerOf(said string) string {
	said = text.OneLine(said)
	if _, rest, ok := strings.Cut(said, "probe failed: "); ok {
		said = rest
	} else if _, rest, ok := strings.Cut(said, "probe errored: "); ok {
		said = rest
	}
	return strings.TrimRight(said, ".: ")
}

// probeKind is which probe answered: "readiness", "liveness", "startup".
func probeKind(said string) string {
	kind, _, _ := strings.Cut(strings.ToLower(said), " probe")
	if kind == "liveness" || kind == "startup" {
		return kind
	}
	return "readiness"
}

// probeFix is what helps against the answer to a probe.
func probeFix(answer string) string {
	switch lower := strings.ToLower(answer); {
	case message.HasAny(lower, "connect: connection refused", "failed to connect service"):
		return "Make the process listen on the port that is probed, on all addresses of the pod and not only on 127.0.0.1, or correct the port in Git"
	case message.HasAny(lower, "statuscode: 404"):
		return "Correct the path of the probe in Git: the process runs, and does not know that path"
	case message.HasAny(lower, "statuscode: 401", "statuscode: 403"):
		return "Let the probe's path answer without a login, or probe another path in Git"
	case message.HasAny(lower, "statuscode: 400", "server gave http response", "malformed http", "tls:", "x509"):
		return "Correct scheme and port of the probe in Git: it has to speak the protocol of that port"
	case message.HasAny(lower, "noauth", "authentication required", "access denied for user", "password authentication failed"):
		return "Give the probe's command in Git the user and password that the process asks for"
	case ownAddress.MatchString(lower) && message.CannotReach(answer):
		return "Find in its log why the process does not listen there itself, or correct the port in Git"
	case message.HasAny(lower, ": eof", "connection reset by peer", "broken pipe"):
		return "Check that this port speaks the protocol of the probe (HTTP or HTTPS): the process closes the connection without an answer"
	case message.HasAny(lower, "deadline exceeded", "timed out", "client.timeout", "i/o timeout", "timeout expired", "connect timeout", "read timeout"):
		return "Find out why the process answers so late, or raise timeoutSeconds of the probe in Git; too little CPU has the same effect"
	case message.HasAny(lower, "statuscode: 5"):
		return "Find in its log what the process lacks to be ready, such as a database or a queue"
	case message.HasAny(lower, "no such file", "not found", "executable file"):
		return "Correct the command of the probe in Git: it does not exist in the image"
	case message.HasAny(lower, "no route to host", "network is unreachable"):
		return "Check the network of the pod and its node: the kubelet cannot connect to the pod"
	case message.CannotReach(answer):
		return "Check what the probe cannot reach: the process answers only once it can"
	}
	return ""
}

// ownAddress is an address within the pod itself.
var ownAddress = pattern.MustCompile(`\b(?:localhost|127\.0\.0\.1)\b|\[::1\]|/\S+\.s(?:ock|\.pgsql)`)

// ofContainer names the container behind a probe, where a pod has several and its name is not that of the resource.
func ofContainer(s *unhealthy.Resource) string {
	if s.Symptom.Container == "" || s.Symptom.Container == s.Ref.Name || len(s.Object.List("spec", "containers")) < 2 {
		return ""
	}
	return " of " + s.Symptom.Container
}

// handler are the lines of a manifest that say what a probe of the container asks; where that is not known, a remark.
func handler(s *unhealthy.Resource, field string) []string {
	c := s.ContainerSpec()
	port := func(kind string) string { return numberOrName(c, field, kind, "port") }
	switch {
	case port("httpGet") != "":
		out := []string{"  httpGet:", "    path: " + cmp.Or(c.Text(field, "httpGet", "path"), "/"), "    port: " + port("httpGet")}
		if scheme := c.Text(field, "httpGet", "scheme"); scheme != "" && scheme != "HTTP" {
			out = append(out, "    scheme: "+scheme)
		}
		return out
	case port("tcpSocket") != "":
		return []string{"  tcpSocket:", "    port: " + port("tcpSocket")}
	case port("grpc") != "":
		return []string{"  grpc:", "    port: " + port("grpc")}
	}
	return []string{"  # httpGet, tcpSocket, grpc or exec as in its " + strings.TrimSuffix(field, "Probe") + " probe"}
}

// probe is what a container's probe asks, in brackets: "(GET :8080/healthz)".
func probe(s *unhealthy.Resource, field string) string {
	p := s.ContainerSpec()
	port := func(kind string) string { return numberOrName(p, field, kind, "port") }
	switch {
	case p.At(field, "httpGet") != nil:
		return fmt.Sprintf(" (GET :%s%s)", port("httpGet"), p.Text(field, "httpGet", "path"))
	case p.At(field, "tcpSocket") != nil:
		return fmt.Sprintf(" (TCP port %s)", port("tcpSocket"))
	case p.At(field, "grpc") != nil:
		return fmt.Sprintf(" (gRPC port %s)", port("grpc"))
	case p.At(field, "exec") != nil:
		return " (a command)"
	}
	return ""
}
