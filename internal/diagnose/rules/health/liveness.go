package health

import (
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pods"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
	"github.com/argo-why/argo-why/internal/text"
)

var Liveness = &diagnose.Rule{
	ID:    "health/liveness",
	Needs: needs,
	Doc: diagnose.Doc{
		Title:    "Kubernetes restarts a container because its probe fails",
		What:     "The liveness or startup probe of a container fails, so Kubernetes kills and restarts it. It looks like a crash, but the process did not end by itself: it answers wrongly, too late, or has not started yet when the probe begins.",
		Decisive: "Event Killing (\"failed liveness probe, will be restarted\") or Unhealthy of the liveness or startup probe, and a container that was ended from outside.",
		Example:  "Liveness probe failed: HTTP probe failed with statuscode: 503",
		Fix:      "Correct path, port or time-outs of the probe; a slow start needs a startupProbe.",
		Links:    []string{"https://kubernetes.io/docs/tasks/configure-pod-container/configure-liveness-readiness-startup-probes/"},
	},
	Sync:       alreadyApplied,
	Recognises: about{{pod: pods.KilledByProbe}},
	Check: reporting(func(_ *diagnose.In, _ *unhealthy.Picture, s *unhealthy.Resource) (diagnose.Finding, bool) {
		a := &s.Symptom
		kind := "liveness"
		if strings.Contains(strings.ToLower(a.Text), "startup probe") {
			kind = "startup"
		}
		answer := answerOf(a.Text)
		f := diagnose.Finding{
			Confidence: diagnose.CertainIf(pods.LastEvent(s.Events, "Killing") != nil), // else it may have ended by itself
			Title:      fmt.Sprintf("%s: %s is restarted because its %s probe fails%s", s.Ref, a.Subject(), kind, message.After(": ", answer)),
			Why:        fmt.Sprintf("%s: Kubernetes kills %s because its %s probe%s fails%s%s.", s.PodName(), a.Subject(), kind, probe(s, kind+"Probe"), a.Restarted(), message.After(": ", answer)),
			Fix: []diagnose.Fix{
				{Text: "If it only starts slowly, let it: 60 tries of 5 s before the liveness probe begins", Patch: s.PatchContainer("startupProbe:", "  failureThreshold: 60", "  periodSeconds: 5", "  # httpGet, tcpSocket or exec as in its "+kind+" probe")},
				{Text: "Else correct the probe, or what makes it fail"},
				s.ReadLog(),
			},
		}
		if kind == "startup" {
			f.Fix[0].Text = "If it only starts slowly, give it more time: 60 tries of 5 s"
		}
		if line := s.LogLine(); line != "" {
			f.Why += " Before that it logged: " + text.Sentence(text.Clip(line, message.MaxClause))
		}
		return s.AfterFix(f), true
	}),
}
