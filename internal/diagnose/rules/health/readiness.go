package health

import (
	"fmt"
	"slices"
	"strings"

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
		Title:    "Pod is not ready",
		What:     "The containers run, but the readiness probe of one fails (or a readiness gate is not met, or an init container does not finish), so the pod gets no traffic and the rollout does not continue.",
		Decisive: "A running container that is not ready, and the answer of its probe in event Unhealthy. Without an answer only after ten minutes, or when the workload is Degraded.",
		Example:  "Readiness probe failed: HTTP probe failed with statuscode: 503",
		Fix:      "Check what the endpoint depends on, or correct the path and port of the probe.",
		Links:    []string{"https://kubernetes.io/docs/tasks/configure-pod-container/configure-liveness-readiness-startup-probes/"},
	},
	Sync:       alreadyApplied,
	Recognises: about{{pod: pods.NotReady}},
	Check: reporting(func(in *diagnose.In, _ *unhealthy.Picture, s *unhealthy.Resource) (diagnose.Finding, bool) {
		a, answer := &s.Symptom, answerOf(s.Symptom.Text)
		if !s.Overdue() && (answer == "" || s.Since < unhealthy.SettleThreshold) {
			return diagnose.Finding{}, false
		}
		f := diagnose.Finding{
			Confidence: diagnose.CertainIf(answer != "" && s.Examined),
			Title:      fmt.Sprintf("%s: %s is not ready", s.Ref, s.Container()),
			Why:        fmt.Sprintf("%s is running%s, but not ready%s.", text.UpperFirst(a.Subject()), s.InPod(), s.AfterLong()),
			Fix:        []diagnose.Fix{s.ReadLog(), s.Describe("Show its probe and events")},
			Refused:    refusedWith(s),
		}
		switch {
		case a.Init:
			f.Confidence = diagnose.CertainIf(s.Object != nil)
			f.Title = fmt.Sprintf("%s: %s does not finish", s.Ref, s.Container())
			f.Why = fmt.Sprintf("It is still running%s%s; the main containers start only after it has finished.", s.InPod(), s.AfterLong())
			f.Says = s.LogSays()
			f.Fix = append(logTroubleOf(in, s).fix, f.Fix...)
			f.Fix[len(f.Fix)-1] = s.Describe("Show its state and events")
		case a.Reason == "ReadinessGatesNotReady":
			f.Title = fmt.Sprintf("%s: a readiness gate is not met", s.Ref)
			f.Why = fmt.Sprintf("All containers of %s are ready, but the pod counts as ready only once its gate is met.", s.PodName())
			f.Says = says("Its status says", a.Text)
			f.Fix = []diagnose.Fix{{Text: "Check the controller that sets the gate, such as the load balancer controller"}, s.Describe("Show its gates and events")}
		case answer != "":
			f.Title = fmt.Sprintf("%s: %s probe%s fails", s.Ref, probeKind(a.Text), ofContainer(s))
			f.Says = says("The probe says", answer)
			if t := logTroubleOf(in, s); len(t.fix) > 0 && strings.Contains(answer, "statuscode: 5") { // its log says what it lacks
				f.Fix = append(t.fix, f.Fix...)
			} else if s.Awaits() != "" && strings.Contains(answer, "statuscode: 5") {
				f.Fix = append(s.AskedFor(), f.Fix...)
			} else if fix := probeFix(answer); fix != "" {
				f.Fix = append([]diagnose.Fix{{Text: fix}}, f.Fix...)
			} else {
				f.Fix = append(f.Fix, diagnose.Fix{Text: "If the probe is wrong, correct it in Git"})
			}
			if asked := probe(s, probeKind(a.Text)+"Probe"); asked != "" {
				f.Why += " It is probed with" + strings.NewReplacer("(", "", ")", "").Replace(asked) + "."
			}
			if why, fix := misfit(s, probeKind(a.Text)+"Probe", answer); why != "" {
				f.Why = text.Paragraph(f.Why, why)
				f.Fix = append([]diagnose.Fix{fix}, slices.DeleteFunc(f.Fix, func(x diagnose.Fix) bool { return x.Text == probeFix(answer) })...)
			}
		default:
			f.Why += " What its probe answers is not in the evidence."
			if c := s.ContainerSpec(); c != nil && c.At("readinessProbe") == nil && c.At("startupProbe") == nil {
				f.Why = strings.TrimSuffix(f.Why, " What its probe answers is not in the evidence.") + " It has no readiness probe that would say why."
			}
		}
		if said := s.LogSays().Text; said != "" && !a.Init {
			f.Why += " Its log says: " + text.Sentence(message.LastClause(said))
		} else if line := s.Awaits(); line != "" {
			f.Why += " Its log says: " + text.Sentence(line)
		} else if a.Init {
			f.Why = text.Paragraph(f.Why, s.SilentLog())
		}
		return f, true
	}),
}
