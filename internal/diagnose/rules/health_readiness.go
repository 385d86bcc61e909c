package rules

import (
	"fmt"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/message"
)

var healthReadiness = &diagnose.Rule{
	ID:    "health/readiness",
	Needs: healthNeeds,
	Doc: diagnose.Doc{
		Title:    "A pod runs but does not become ready",
		What:     "The containers run, but the readiness probe of one fails (or a readiness gate is not met, or an init container does not end), so the pod gets no traffic and the rollout does not go on.",
		Decisive: "A running container that is not ready, and the answer of its probe in event Unhealthy. Without an answer only after ten minutes, or when the workload is Degraded.",
		Example:  "Readiness probe failed: HTTP probe failed with statuscode: 503",
		Fix:      "Make the endpoint answer: look at what it depends on; or correct path and port of the probe.",
		Links:    []string{"https://kubernetes.io/docs/tasks/configure-pod-container/configure-liveness-readiness-startup-probes/"},
	},
	Sync:       applied,
	Recognises: about{{pod: troubleNotReady}},
	Check: reportingHealth(func(_ *diagnose.In, _ *sickPicture, s *sickResource) (diagnose.Finding, bool) {
		a, answer := &s.symptom, answerOf(s.symptom.text)
		if !s.pastPatience() && (answer == "" || s.since < briefly) {
			return diagnose.Finding{}, false
		}
		f := diagnose.Finding{
			Confidence: diagnose.CertainIf(answer != "" && s.examined),
			Title:      fmt.Sprintf("%s: %s runs but is not ready%s", s.ref, a.who(), after(": ", answer)),
			Why:        fmt.Sprintf("%s: %s is running and not ready%s. ", s.podName(), a.who(), s.afterLong()),
			Fix:        []diagnose.Fix{{Text: "Make it answer its readiness probe, or correct path and port of the probe in Git"}, s.readLog(), s.describe("See its probe and its events")},
		}
		switch {
		case a.init:
			f.Confidence = diagnose.CertainIf(s.object != nil)
			f.Title = fmt.Sprintf("%s: %s has not ended%s", s.ref, a.who(), s.afterLong())
			f.Why = fmt.Sprintf("%s: %s is still running%s, and the containers start only after it.", s.podName(), a.who(), s.afterLong())
			f.Fix[0].Text = "Make available what it waits for"
		case a.reason == "ReadinessGatesNotReady":
			f.Title = fmt.Sprintf("%s: the containers are ready, a readiness gate is not", s.ref)
			f.Why = fmt.Sprintf("%s: its containers are ready, but what a readiness gate asks for is not: %s", s.podName(), sentence(s.symptom.text))
			f.Fix[0].Text = "Look at the controller that sets the gate, for example that of the load balancer"
		case answer != "":
			f.Why += fmt.Sprintf("Its readiness probe%s fails: %s", probe(s, "readinessProbe"), sentence(answer))
		default:
			f.Why += "What its readiness probe answers is not in the evidence."
		}
		if line := s.logLine(); line != "" {
			f.Why += " Its log says: " + sentence(message.Clip(line, clause))
			if a.init {
				f.Title += ": " + message.Clip(message.Unstamped(line), clause)
			}
		}
		return f, true
	}),
}
