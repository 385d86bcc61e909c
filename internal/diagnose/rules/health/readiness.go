package health

import (
	"fmt"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pods"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
	"github.com/argo-why/argo-why/internal/text"
)

var Readiness = &diagnose.Rule{
	ID:    "health/readiness",
	Needs: needs,
	Doc: diagnose.Doc{
		Title:    "A pod runs but does not become ready",
		What:     "The containers run, but the readiness probe of one fails (or a readiness gate is not met, or an init container does not end), so the pod gets no traffic and the rollout does not go on.",
		Decisive: "A running container that is not ready, and the answer of its probe in event Unhealthy. Without an answer only after ten minutes, or when the workload is Degraded.",
		Example:  "Readiness probe failed: HTTP probe failed with statuscode: 503",
		Fix:      "Make the endpoint answer: look at what it depends on; or correct path and port of the probe.",
		Links:    []string{"https://kubernetes.io/docs/tasks/configure-pod-container/configure-liveness-readiness-startup-probes/"},
	},
	Sync:       alreadyApplied,
	Recognises: about{{pod: pods.NotReady}},
	Check: reporting(func(_ *diagnose.In, _ *unhealthy.Picture, s *unhealthy.Resource) (diagnose.Finding, bool) {
		a, answer := &s.Symptom, answerOf(s.Symptom.Text)
		if !s.Overdue() && (answer == "" || s.Since < unhealthy.SettleThreshold) {
			return diagnose.Finding{}, false
		}
		f := diagnose.Finding{
			Confidence: diagnose.CertainIf(answer != "" && s.Examined),
			Title:      fmt.Sprintf("%s: %s runs but is not ready%s", s.Ref, a.Subject(), message.After(": ", answer)),
			Why:        fmt.Sprintf("%s: %s is running and not ready%s. ", s.PodName(), a.Subject(), s.AfterLong()),
			Fix:        []diagnose.Fix{{Text: "Make it answer its readiness probe, or correct path and port of the probe in Git"}, s.ReadLog(), s.Describe("See its probe and its events")},
		}
		switch {
		case a.Init:
			f.Confidence = diagnose.CertainIf(s.Object != nil)
			f.Title = fmt.Sprintf("%s: %s has not ended%s", s.Ref, a.Subject(), s.AfterLong())
			f.Why = fmt.Sprintf("%s: %s is still running%s, and the containers start only after it.", s.PodName(), a.Subject(), s.AfterLong())
			f.Fix[0].Text = "Make available what it waits for"
		case a.Reason == "ReadinessGatesNotReady":
			f.Title = fmt.Sprintf("%s: the containers are ready, a readiness gate is not", s.Ref)
			f.Why = fmt.Sprintf("%s: its containers are ready, but what a readiness gate asks for is not: %s", s.PodName(), text.Sentence(s.Symptom.Text))
			f.Fix[0].Text = "Look at the controller that sets the gate, for example that of the load balancer"
		case answer != "":
			f.Why += fmt.Sprintf("Its readiness probe%s fails: %s", probe(s, "readinessProbe"), text.Sentence(answer))
		default:
			f.Why += "What its readiness probe answers is not in the evidence."
		}
		if line := s.LogLine(); line != "" {
			f.Why += " Its log says: " + text.Sentence(text.Clip(line, message.MaxClause))
			if a.Init {
				f.Title += ": " + text.Clip(message.Unstamped(line), message.MaxClause)
			}
		}
		return f, true
	}),
}
