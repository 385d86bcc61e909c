package rules

import (
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/message"
)

var healthLiveness = &diagnose.Rule{
	ID:    "health/liveness",
	Needs: healthNeeds,
	Doc: diagnose.Doc{
		Title:    "Kubernetes restarts a container because its probe fails",
		What:     "The liveness or startup probe of a container fails, so Kubernetes kills and restarts it. It looks like a crash, but the process did not end by itself: it answers wrongly, too late, or has not started yet when the probe begins.",
		Decisive: "Event Killing (\"failed liveness probe, will be restarted\") or Unhealthy of the liveness or startup probe, and a container that was ended from outside.",
		Example:  "Liveness probe failed: HTTP probe failed with statuscode: 503",
		Fix:      "Correct path, port or time-outs of the probe; a slow start needs a startupProbe.",
		Links:    []string{"https://kubernetes.io/docs/tasks/configure-pod-container/configure-liveness-readiness-startup-probes/"},
	},
	Sync:       applied,
	Recognises: about{{pod: troubleProbe}},
	Check: reportingHealth(func(_ *diagnose.In, _ *sickPicture, s *sickResource) (diagnose.Finding, bool) {
		a := &s.symptom
		kind := "liveness"
		if strings.Contains(strings.ToLower(a.text), "startup probe") {
			kind = "startup"
		}
		answer := answerOf(a.text)
		f := diagnose.Finding{
			Confidence: diagnose.CertainIf(lastOf(s.events, "Killing") != nil), // else it may have ended by itself
			Title:      fmt.Sprintf("%s: %s is restarted because its %s probe fails%s", s.ref, a.who(), kind, after(": ", answer)),
			Why:        fmt.Sprintf("%s: Kubernetes kills %s because its %s probe%s fails%s%s.", s.podName(), a.who(), kind, probe(s, kind+"Probe"), a.often(), after(": ", answer)),
			Fix: []diagnose.Fix{
				{Text: "If it only starts slowly, let it: 60 tries of 5 s before the liveness probe begins", Patch: s.patchContainer("startupProbe:", "  failureThreshold: 60", "  periodSeconds: 5", "  # httpGet, tcpSocket or exec as in its "+kind+" probe")},
				{Text: "Else correct the probe, or what makes it fail"},
				s.readLog(),
			},
		}
		if kind == "startup" {
			f.Fix[0].Text = "If it only starts slowly, give it more time: 60 tries of 5 s"
		}
		if line := s.logLine(); line != "" {
			f.Why += " Before that it logged: " + sentence(message.Clip(line, clause))
		}
		return s.afterFix(f), true
	}),
}

// answerOf is what a probe was told: `Readiness probe failed: HTTP probe failed with statuscode: 503` without its head.
func answerOf(text string) string {
	text = message.OneLine(text)
	if _, rest, ok := strings.Cut(text, "probe failed: "); ok {
		text = rest
	} else if _, rest, ok := strings.Cut(text, "probe errored: "); ok {
		text = rest
	}
	return strings.TrimRight(message.Clip(text, clause), ".: ")
}

// after puts a separator in front of a text that is there.
func after(separator, text string) string {
	if text == "" {
		return ""
	}
	return separator + text
}

// probe is what a container's probe asks, in brackets: "(GET :8080/healthz)".
func probe(s *sickResource, field string) string {
	p := s.spec()
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
