package health

import (
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
)

// answerOf is the answer to a probe: `Readiness probe failed: HTTP probe failed with statuscode: 503` without its head.
func answerOf(text string) string {
	text = message.OneLine(text)
	if _, rest, ok := strings.Cut(text, "probe failed: "); ok {
		text = rest
	} else if _, rest, ok := strings.Cut(text, "probe errored: "); ok {
		text = rest
	}
	return strings.TrimRight(message.Clip(text, message.MaxClause), ".: ")
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
