package rules

import (
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/evidence"
)

var healthCustomResource = &diagnose.Rule{
	ID:          "health/custom-resource",
	Needs:       healthNeeds,
	ExplainedBy: diagnose.SymptomOf(healthNamespaceTerminating, healthDeleting),
	Doc: diagnose.Doc{
		Title:    "A custom resource is not ready",
		What:     "The operator of a custom resource (or the API server, for a CustomResourceDefinition or APIService) says in its conditions that something is wrong; or nothing at all writes its status, so that Argo CD waits for ever, or its health check does not fit the version.",
		Decisive: "A condition of the object (Ready=False, Synced=False, Degraded=True, Stalled=True, …) with its reason and message, or the absence of any status.",
		Example:  "Ready=False ReconcileError: cannot observe bucket: AccessDenied",
		Fix:      "Repair what the condition names; where no controller reports a status, install it or replace the health check in argocd-cm.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/operator-manual/health/"},
	},
	Sync:       applied,
	Recognises: about{{}}, // whatever is no other rule's
	Check: func(in *diagnose.In) diagnose.Outcome {
		if lookAtHealth(in) != nil {
			return reportingHealth(sickCustomResource)(in)
		}
		var found []diagnose.Finding
		custom := func(r evidence.Ref) bool { return !builtIn(r) }
		for _, o := range freeObjects(in, custom) { // Argo CD calls what it has no health check for healthy
			if c, ok := complaintOf(o); ok && c.firm {
				f := complaining(o.Ref(), c)
				f.Why += " Argo CD calls the application healthy all the same: it has no health check for this kind, or one that overlooks it."
				found = besides(found, f, diagnose.Likely)
			}
		}
		return diagnose.Found(found...)
	},
}

func sickCustomResource(_ *diagnose.In, p *sickPicture, s *sickResource) (diagnose.Finding, bool) {
	if s.pod != nil {
		s = &sickResource{ref: s.ref, status: s.status, text: s.text, since: s.since, examined: s.examined, symptom: s.symptom, pod: s.pod, events: s.events}
	}
	c, complains := complaintOf(s.object)
	if e := lastWarning(s.events); !complains && e != nil {
		c, complains = complaint{what: eventName(e), reason: e.Reason, text: message.OneLine(e.Message), firm: true}, true
	}
	if !complains && s.text != "" {
		c, complains = complaint{what: byHealthCheck, text: message.OneLine(s.text), firm: s.status == "Degraded"}, true
	}
	if !s.pastPatience() && !(complains && c.firm && c.text != "") {
		return diagnose.Finding{}, false
	}
	if complains {
		f := complaining(s.ref, c)
		f.Fix = []diagnose.Fix{{Text: "Repair what it names"}, s.describe("See its conditions and events")}
		if c.firm && c.text != "" { // then the health check is right
			return f, true
		}
		return withCheck(f, s.ref), true
	}
	f := diagnose.Finding{
		Confidence: diagnose.CertainIf(s.object != nil),
		Title:      fmt.Sprintf("%s %s, and nothing says why", s.ref, s.isStill()),
		Why:        fmt.Sprintf("%s %s. Argo CD gives no reason, and the object was not looked at.", s.ref, s.isStill()),
		Evidence:   []diagnose.Quote{{From: s.ref.String(), Text: "health " + s.status}},
		Fix:        []diagnose.Fix{s.describe("See its conditions and events")},
	}
	if s.object != nil {
		f.Title = fmt.Sprintf("%s %s: %s", s.ref, s.isStill(), silent(s.object))
		f.Why = fmt.Sprintf("Argo CD waits for the status of %s: %s. Its controller does not run, does not watch this namespace, or never writes one.", s.ref, silent(s.object))
	} else if p.tree != nil && s.examined {
		f.Why = fmt.Sprintf("%s %s. Argo CD gives no reason, and the object could not be read.", s.ref, s.isStill())
	}
	if s.object == nil {
		f.Confidence = diagnose.Possible
	}
	return withCheck(f, s.ref), true
}

// silent is what an object's status lacks.
func silent(o evidence.Object) string {
	seen, ok := o.Number("status", "observedGeneration")
	want, _ := o.Number("metadata", "generation")
	switch {
	case o.At("status") == nil:
		return "it has no status at all"
	case ok && seen < want:
		return fmt.Sprintf("its controller has seen generation %d of %d", int(seen), int(want))
	}
	return "its status holds no complaint"
}

// byHealthCheck stands for words that come from Argo CD's health check, which read them from the object.
const byHealthCheck = "health check"

// complaining is the finding about what an object says of itself.
func complaining(ref evidence.Ref, c complaint) diagnose.Finding {
	says := fmt.Sprintf("%s says of itself: %s", ref, c.what)
	if c.what == byHealthCheck {
		says = "Argo CD's health check reads from the status of " + ref.String()
	}
	return diagnose.Finding{
		Resource: ref, Confidence: diagnose.CertainIf(c.firm),
		Title:    fmt.Sprintf("%s is not ready: %s", ref, c.words()),
		Why:      says + after(": ", sentence(strings.Trim(c.reason+": "+message.Clip(c.text, 2*clause), ": "))),
		Evidence: []diagnose.Quote{{From: ref.String(), Text: c.quote()}},
		Fix:      []diagnose.Fix{{Text: "See its conditions and events", Command: diagnose.Shell("kubectl %sdescribe %s", inNamespace(ref), ref.Resource())}},
	}
}

// withCheck adds the key for argocd-cm, for a kind whose health check may be the one that is wrong.
func withCheck(f diagnose.Finding, ref evidence.Ref) diagnose.Finding {
	if !builtIn(ref) && ref.Kind != "CustomResourceDefinition" {
		f.Fix = append(f.Fix, diagnose.Fix{Text: "If the object is fine, correct the health check of its kind in argocd-cm", Patch: healthCheck(ref, "read obj.status here")})
	}
	return f
}
