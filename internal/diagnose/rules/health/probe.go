package health

import (
	"fmt"
	"strings"

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

// probe is what a container's probe asks, in brackets: "(GET :8080/healthz)".
func probe(s *unhealthy.Resource, field string) string {
	p := s.ContainerSpec()
	port := func(kind string) string {
		if n, ok := p.Number(field, kind, "port"); ok {
			return fmt.Sprint(int(n))
		}
		return p.Text(field, kind, "port")
	}
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
