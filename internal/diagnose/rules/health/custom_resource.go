package health

import (
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pods"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

var CustomResource = &diagnose.Rule{
	ID:          "health/custom-resource",
	Needs:       needs,
	ExplainedBy: diagnose.SymptomOf(NamespaceTerminating, Deleting),
	Doc: diagnose.Doc{
		Title:    "A custom resource is not ready",
		What:     "The operator of a custom resource (or the API server, for a CustomResourceDefinition or APIService) says in its conditions that something is wrong; or nothing at all writes its status, so that Argo CD waits for ever, or its health check does not fit the version.",
		Decisive: "A condition of the object (Ready=False, Synced=False, Degraded=True, Stalled=True, …) with its reason and message, or the absence of any status.",
		Example:  "Ready=False ReconcileError: cannot observe bucket: AccessDenied",
		Fix:      "Repair what the condition names; where no controller reports a status, install it or replace the health check in argocd-cm.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/operator-manual/health/"},
	},
	Sync:       alreadyApplied,
	Recognises: about{{}}, // whatever is no other rule's
	Check: func(in *diagnose.In) diagnose.Outcome {
		if look(in) != nil {
			return reporting(reportCustomResource)(in)
		}
		var found []diagnose.Finding
		custom := func(r evidence.Ref) bool { return !advice.BuiltIn(r) }
		for _, o := range freeObjects(in, custom) { // Argo CD calls what it has no health check for healthy
			if c, ok := unhealthy.ComplaintOf(o); ok && c.Firm {
				f := complaintFinding(o.Ref(), c)
				f.Why += " Argo CD calls the application healthy all the same: it has no health check for this kind, or one that overlooks it."
				found = appendNote(found, f, diagnose.Likely)
			}
		}
		return diagnose.Found(found...)
	},
}

func reportCustomResource(_ *diagnose.In, p *unhealthy.Picture, s *unhealthy.Resource) (diagnose.Finding, bool) {
	if s.Pod != nil {
		s = &unhealthy.Resource{Ref: s.Ref, Status: s.Status, Text: s.Text, Since: s.Since, Examined: s.Examined, Symptom: s.Symptom, Pod: s.Pod, Events: s.Events}
	}
	c, complains := unhealthy.ComplaintOf(s.Object)
	if e := pods.LastWarning(s.Events); !complains && e != nil {
		c, complains = unhealthy.Complaint{What: pods.EventName(e), Reason: e.Reason, Text: text.OneLine(e.Message), Firm: true}, true
	}
	if !complains && s.Text != "" {
		c, complains = unhealthy.Complaint{What: unhealthy.ByHealthCheck, Text: text.OneLine(s.Text), Firm: s.Status == "Degraded"}, true
	}
	if !s.Overdue() && !(complains && c.Firm && c.Text != "") {
		return diagnose.Finding{}, false
	}
	if complains {
		f := complaintFinding(s.Ref, c)
		f.Fix = []diagnose.Fix{{Text: "Repair what it names"}, s.Describe("See its conditions and events")}
		if c.Firm && c.Text != "" { // then the health check is right
			return f, true
		}
		return withCheck(f, s.Ref), true
	}
	f := diagnose.Finding{
		Confidence: diagnose.CertainIf(s.Object != nil),
		Title:      fmt.Sprintf("%s %s, and nothing says why", s.Ref, s.IsStill()),
		Why:        fmt.Sprintf("%s %s. Argo CD gives no reason, and the object was not looked at.", s.Ref, s.IsStill()),
		Evidence:   []diagnose.Quote{{From: s.Ref.String(), Text: "health " + s.Status}},
		Fix:        []diagnose.Fix{s.Describe("See its conditions and events")},
	}
	if s.Object != nil {
		f.Title = fmt.Sprintf("%s %s: %s", s.Ref, s.IsStill(), missingStatus(s.Object))
		f.Why = fmt.Sprintf("Argo CD waits for the status of %s: %s. Its controller does not run, does not watch this namespace, or never writes one.", s.Ref, missingStatus(s.Object))
	} else if p.Tree != nil && s.Examined {
		f.Why = fmt.Sprintf("%s %s. Argo CD gives no reason, and the object could not be read.", s.Ref, s.IsStill())
	}
	if s.Object == nil {
		f.Confidence = diagnose.Possible
	}
	return withCheck(f, s.Ref), true
}

// missingStatus is what an object's status lacks.
func missingStatus(o evidence.Object) string {
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

// complaintFinding is the finding about what an object says of itself.
func complaintFinding(ref evidence.Ref, c unhealthy.Complaint) diagnose.Finding {
	says := fmt.Sprintf("%s says of itself: %s", ref, c.What)
	if c.What == unhealthy.ByHealthCheck {
		says = "Argo CD's health check reads from the status of " + ref.String()
	}
	return diagnose.Finding{
		Resource: ref, Confidence: diagnose.CertainIf(c.Firm),
		Title:    fmt.Sprintf("%s is not ready: %s", ref, c.Words()),
		Why:      says + message.After(": ", text.Sentence(strings.Trim(c.Reason+": "+text.Clip(c.Text, 2*message.MaxClause), ": "))),
		Evidence: []diagnose.Quote{{From: ref.String(), Text: c.Quote()}},
		Fix:      []diagnose.Fix{{Text: "See its conditions and events", Command: diagnose.Shell("kubectl %sdescribe %s", advice.InNamespace(ref), ref.Resource())}},
	}
}

// withCheck adds the key for argocd-cm, for a kind whose health check may be the one that is wrong.
func withCheck(f diagnose.Finding, ref evidence.Ref) diagnose.Finding {
	if !advice.BuiltIn(ref) && ref.Kind != "CustomResourceDefinition" {
		f.Fix = append(f.Fix, diagnose.Fix{Text: "If the object is fine, correct the health check of its kind in argocd-cm", Patch: advice.HealthCheck(ref, "read obj.status here")})
	}
	return f
}
