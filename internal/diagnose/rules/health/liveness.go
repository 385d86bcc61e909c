package health

import (
	"cmp"
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
		Title:    "Container is restarted by a failing probe",
		What:     "The liveness or startup probe of a container fails, so Kubernetes kills and restarts it. It looks like a crash, but the process did not end by itself: it gives a wrong answer, answers too late, or is still starting when the probe begins.",
		Decisive: "Event Killing (\"failed liveness probe, will be restarted\") or Unhealthy of the liveness or startup probe, and a container that was killed from outside.",
		Example:  "Liveness probe failed: HTTP probe failed with statuscode: 503",
		Fix:      "Correct the path, port or time-out of the probe; a slow start needs a startupProbe.",
		Links:    []string{"https://kubernetes.io/docs/tasks/configure-pod-container/configure-liveness-readiness-startup-probes/"},
	},
	Sync:       alreadyApplied,
	Recognises: about{{pod: pods.KilledByProbe}},
	Check: reporting(func(in *diagnose.In, _ *unhealthy.Picture, s *unhealthy.Resource) (diagnose.Finding, bool) {
		a := &s.Symptom
		kind := "liveness"
		if strings.Contains(strings.ToLower(a.Text), "startup probe") {
			kind = "startup"
		}
		answer := answerOf(a.Text)
		f := diagnose.Finding{
			Confidence: diagnose.CertainIf(pods.LastEvent(s.Events, "Killing") != nil), // else it may have ended by itself
			Title:      fmt.Sprintf("%s: %s probe%s fails", s.Ref, kind, ofContainer(s)),
			Why:        text.Paragraph(fmt.Sprintf("Kubernetes kills and restarts %s when the probe%s fails.", a.Subject(), probe(s, kind+"Probe")), s.Restarts()),
			Says:       says("The probe says", answer),
			Refused:    refusedWith(s),
		}
		t := logTroubleOf(in, s)
		slow, known := slowStart(s, kind), probeFix(answer)
		misfits, port := misfit(s, kind+"Probe", answer)
		f.Why = text.Paragraph(f.Why, misfits)
		switch {
		case misfits != "":
			f.Fix = []diagnose.Fix{port}
		case wrongProbe(answer): // waiting does not help
			f.Fix = []diagnose.Fix{{Text: known}}
		case len(t.fix) > 0: // its log says what it lacks
			f.Fix = append(t.fix, slow)
		default:
			f.Fix = []diagnose.Fix{slow, {Text: "Otherwise: " + text.LowerFirst(cmp.Or(known, "Fix the probe in Git, or the endpoint that it checks"))}}
		}
		f.Fix = append(f.Fix, s.ReadLog())
		if said := s.LogSays().Text; said != "" {
			f.Why += " Its log says: " + text.Sentence(message.LastClause(said))
		}
		return s.AfterFix(f), true
	}),
}

// wrongProbe reports whether the answer shows that the probe asks the wrong thing: more time does not change that.
func wrongProbe(answer string) bool {
	return message.HasAny(strings.ToLower(answer), "statuscode: 40", "server gave http response", "malformed http", "tls:", "x509", "executable file", "no such file", ": not found", "command not found")
}

// slowStart is the step for a process that only needs more time to start.
func slowStart(s *unhealthy.Resource, kind string) diagnose.Fix {
	tries, ok := s.ContainerSpec().Number("startupProbe", "failureThreshold")
	if !ok {
		tries = 3 // the default of Kubernetes
	}
	switch {
	case s.ContainerSpec().At("startupProbe") != nil:
		return diagnose.Fix{
			Text:  "If it only starts slowly, give its startup probe more tries",
			Patch: s.PatchContainer("startupProbe:", fmt.Sprintf("  failureThreshold: %d   # now %d", max(60, 4*int(tries)), int(tries)), "  # keep its other fields"),
		}
	case kind == "startup":
		return diagnose.Fix{Text: "If it only starts slowly, give it more time: up to 60 tries, 5 s apart", Patch: s.PatchContainer("startupProbe:", "  failureThreshold: 60", "  periodSeconds: 5", "  # keep its httpGet, tcpSocket or exec")}
	}
	return diagnose.Fix{
		Text:  "If it only starts slowly, add a startup probe: up to 60 tries, 5 s apart, before the liveness probe begins",
		Patch: s.PatchContainer(append([]string{"startupProbe:", "  failureThreshold: 60", "  periodSeconds: 5"}, handler(s, kind+"Probe")...)...),
	}
}
