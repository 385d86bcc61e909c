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
	Check: reporting(func(_ *diagnose.In, _ *unhealthy.Picture, s *unhealthy.Resource) (diagnose.Finding, bool) {
		a := &s.Symptom
		kind := "liveness"
		if strings.Contains(strings.ToLower(a.Text), "startup probe") {
			kind = "startup"
		}
		f := diagnose.Finding{
			Confidence: diagnose.CertainIf(pods.LastEvent(s.Events, "Killing") != nil), // else it may have ended by itself
			Title:      fmt.Sprintf("%s: %s probe fails", s.Ref, kind),
			Why:        text.Paragraph(fmt.Sprintf("Kubernetes kills and restarts %s when the probe%s fails.", a.Subject(), probe(s, kind+"Probe")), s.Restarts()),
			Says:       says("The probe says", answerOf(a.Text)),
			Fix: []diagnose.Fix{
				{Text: "If it only starts slowly, add a startup probe: up to 60 tries, 5 s apart, before the liveness probe begins", Patch: s.PatchContainer("startupProbe:", "  failureThreshold: 60", "  periodSeconds: 5", "  # httpGet, tcpSocket or exec as in its "+kind+" probe")},
				{Text: "Otherwise: " + text.LowerFirst(cmp.Or(probeFix(answerOf(a.Text)), "Fix the probe in Git, or the endpoint that it checks"))},
				s.ReadLog(),
			},
		}
		if kind == "startup" {
			f.Fix[0] = diagnose.Fix{Text: "If it only starts slowly, give it more time: up to 60 tries, 5 s apart", Patch: s.PatchContainer("startupProbe:", "  failureThreshold: 60", "  periodSeconds: 5", "  # keep its httpGet, tcpSocket or exec")}
		}
		if said := s.LogSays().Text; said != "" {
			f.Why += " Its log says: " + text.Sentence(message.LastClause(said))
		}
		return s.AfterFix(f), true
	}),
}
