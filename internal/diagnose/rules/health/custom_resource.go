package health

import (
	"fmt"
	"slices"
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
		Title:    "Resource is not ready",
		What:     "The operator of a custom resource (or the API server, for a CustomResourceDefinition or APIService) reports in its conditions that something is wrong. Or nothing writes its status at all, so Argo CD waits forever; or Argo CD's health check does not match the version of the resource.",
		Decisive: "A condition of the object (Ready=False, Synced=False, Degraded=True, Stalled=True, …) with its reason and message, or the absence of any status.",
		Example:  "Ready=False ReconcileError: cannot observe bucket: AccessDenied",
		Fix:      "Fix what the condition reports; if no controller writes a status, install the controller or replace the health check in argocd-cm.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/operator-manual/health/"},
	},
	Sync:       alreadyApplied,
	Recognises: about{{}}, // whatever is no other rule's
	Check:      reporting(reportCustomResource),
}

func reportCustomResource(in *diagnose.In, p *unhealthy.Picture, s *unhealthy.Resource) (diagnose.Finding, bool) {
	if s.Pod != nil {
		s = &unhealthy.Resource{Ref: s.Ref, Status: s.Status, Text: s.Text, Since: s.Since, Examined: s.Examined, Symptom: s.Symptom, Pod: s.Pod, Events: s.Events}
	}
	if installPlan(s) != "" {
		return approvalFinding(in, s), true
	}
	c, complains := complaintAbout(s)
	if f, ok := startingFinding(in, s); ok {
		return f, true
	}
	if !s.Overdue() && !(complains && c.Firm && c.Text != "") {
		return diagnose.Finding{}, false
	}
	if !complains {
		return silentFinding(in, p, s), true
	}
	if c.What == unhealthy.ByHealthCheck && !c.Firm && s.Object != nil { // only the health check waits
		f := silentFinding(in, p, s)
		f.Says = says(c.Says().Who, c.Text)
		return f, true
	}
	if f, ok := overtakenFinding(in, s, c); ok {
		return f, true
	}
	f := complaintFinding(s.Ref, c)
	f.Fix = []diagnose.Fix{s.Describe("Show its conditions and events")}
	if s.Ref.Group == "apiregistration.k8s.io" {
		f.Fix = behindAPI(s)
		return f, true
	}
	if c.What == "status.ceph.health" {
		f.Fix = []diagnose.Fix{{Text: "Ask Ceph what is wrong, in Rook's toolbox (Deployment/rook-ceph-tools, if it is installed)", Command: diagnose.Shell("kubectl %sexec deploy/rook-ceph-tools -- ceph health detail", advice.InNamespace(s.Ref))}, s.Describe("Or read the details in its status")}
		return f, true
	}
	if !c.Firm && c.Text == "" && !underWay.MatchString(c.Reason) { // then the health check may be wrong
		return withCheck(in, f, s), true
	}
	f = withTrouble(in, s, c, withEvent(s, c, f))
	if seen, want := generations(s.Object, c); seen < want {
		f.Confidence = diagnose.Likely
		f.Why = text.Paragraph(f.Why, fmt.Sprintf("That may be about an earlier version: its controller has processed generation %d, and the current one is %d.", seen, want))
	}
	return f, true
}

// complaintAbout is what an object says is wrong with it, else its last warning, else what Argo CD's health check says.
func complaintAbout(s *unhealthy.Resource) (unhealthy.Complaint, bool) {
	said := strings.TrimRight(text.OneLine(s.Text), ": ")
	if c, complains := unhealthy.ComplaintOf(s.Object); complains {
		if c.Text == "" && strings.Contains(said, " ") { // the health check found words elsewhere
			c.Text = said
		}
		return c, true
	}
	if e := pods.LastWarning(s.Events); e != nil {
		return unhealthy.Complaint{What: pods.EventName(e), Reason: e.Reason, Text: text.OneLine(e.Message), Firm: true}, true
	}
	return unhealthy.Complaint{What: unhealthy.ByHealthCheck, Text: said, Firm: s.Status == "Degraded"}, said != ""
}

// silentFinding is the finding about an object that does not say what is wrong with it.
func silentFinding(in *diagnose.In, p *unhealthy.Picture, s *unhealthy.Resource) diagnose.Finding {
	f := diagnose.Finding{
		Confidence: diagnose.CertainIf(s.Object.At("status") == nil && s.Object != nil),
		Title:      fmt.Sprintf("%s %s", s.Ref, s.IsStill()),
		Why:        "Argo CD gives no reason, and the object was not examined.",
		Evidence:   []diagnose.Quote{{From: s.Ref.String(), Text: "health " + s.Status}},
		Fix:        []diagnose.Fix{s.Describe("Show its conditions and events")},
	}
	if s.Object == nil {
		f.Confidence = diagnose.Possible
		if s.Examined {
			f.Why = "Argo CD gives no reason, and the object could not be read."
		}
		return f
	}
	if unhealthy.IsSilent(s.Ref, s.Object) {
		why, fix := unhealthy.Silence(in, s.Ref, p.Descendants(s.Ref))
		f.Title, f.Why = fmt.Sprintf("%s has no status", s.Ref), text.Paragraph(fmt.Sprintf("It %s.", s.IsStill()), why)
		f.Fix = slices.Insert(fix, max(len(fix)-1, min(1, len(fix))), f.Fix...)
		return f
	}
	f.Title, f.Why = missingStatus(s)
	if s.Object.Condition("Ready").Text("status") != "True" {
		f.Fix = append(advice.OperatorSteps(s.Ref, s.Object.At("status") == nil), f.Fix...)
	}
	return withCheck(in, f, s)
}

// missingStatus is what the status of an object that does not complain lacks, as title and why.
func missingStatus(s *unhealthy.Resource) (title, why string) {
	watches := ""
	if s.Ref.Namespace != "" {
		watches = ", does not watch this namespace"
	}
	seen, want := generations(s.Object, unhealthy.Complaint{})
	switch {
	case s.Object.At("status") == nil:
		return fmt.Sprintf("%s has no status", s.Ref),
			fmt.Sprintf("It %s. Its controller is not running%s, or never writes a status.", s.IsStill(), watches)
	case seen < want:
		return fmt.Sprintf("%s: controller has not picked up its change", s.Ref),
			fmt.Sprintf("It %s. Its controller has processed generation %d; the current one is %d. The controller may be down or still busy with it.", s.IsStill(), seen, want)
	}
	if s.Object.Condition("Ready").Text("status") == "True" {
		return fmt.Sprintf("%s %s", s.Ref, s.IsStill()),
			"Its condition Ready is True. Argo CD's health check of its kind goes by something else, or does not match this version of the resource."
	}
	return fmt.Sprintf("%s %s", s.Ref, s.IsStill()),
		"No condition of it names a problem. Its controller may not have finished, or Argo CD's health check may not match this version of the resource."
}

// complaintFinding is the finding about what an object says of itself.
func complaintFinding(ref evidence.Ref, c unhealthy.Complaint) diagnose.Finding {
	said := c.Says()
	return diagnose.Finding{
		Resource: ref, Confidence: diagnose.CertainIf(c.Firm),
		Title:    complaintTitle(ref, c),
		Why:      whereComplained(c),
		Says:     says(said.Who, said.Text),
		Evidence: []diagnose.Quote{{From: ref.String(), Text: c.Quote()}},
		Fix:      []diagnose.Fix{{Text: "Show its conditions and events", Command: diagnose.Shell("kubectl %sdescribe %s", advice.InNamespace(ref), ref.Resource())}},
	}
}

// of is the part of an object that a complaint is of, for the end of a clause: " for Gateway/main".
func of(c unhealthy.Complaint) string { return message.After(" for ", c.Of) }

// complaintTitle is what is wrong with an object by its own word: of a condition about a part of it, only that.
func complaintTitle(ref evidence.Ref, c unhealthy.Complaint) string {
	switch {
	case aboutAPart(c):
		return fmt.Sprintf("%s reports %s%s", ref, c.What, of(c))
	case strings.HasPrefix(c.What, "status.") && strings.Contains(c.Reason, " "): // a sentence of its own
		return fmt.Sprintf("%s: %s", ref, c.Reason)
	case strings.HasPrefix(c.What, "status.") && c.Reason != "":
		return fmt.Sprintf("%s: %s is %s", ref, c.What, c.Reason)
	}
	return fmt.Sprintf("%s is not ready", ref)
}

// aboutAPart reports whether a condition is about less than whether the whole object works.
func aboutAPart(c unhealthy.Complaint) bool {
	kind, _, condition := strings.Cut(c.What, "=")
	return condition && !strings.HasSuffix(kind, "Ready") && kind != "Available" && kind != "Healthy"
}

// whereComplained says which condition it is, with its reason, as far as the title does not.
func whereComplained(c unhealthy.Complaint) string {
	reason := ""
	if c.Reason != "" {
		reason = " (" + c.Reason + ")"
	}
	switch {
	case strings.HasPrefix(c.What, "status.") && c.Text == "":
		return "Its status gives no reason."
	case strings.HasPrefix(c.What, "status."):
		return ""
	case c.What == unhealthy.ByHealthCheck, strings.HasPrefix(c.What, "event "), aboutAPart(c):
		return text.Sentence(message.After("The reason is ", c.Reason))
	}
	return fmt.Sprintf("It reports %s%s%s.", c.What, reason, of(c))
}

// withCheck adds the health check to set, for a kind whose health check may be the one that is wrong: one that reads the condition Ready
// where the object has it, one that is content where no status is written.
func withCheck(in *diagnose.In, f diagnose.Finding, s *unhealthy.Resource) diagnose.Finding {
	switch {
	case advice.BuiltIn(s.Ref), s.Ref.Kind == "CustomResourceDefinition":
	case s.Object.Condition("Ready") != nil:
		f.Fix = append(f.Fix, advice.ReadyCheck(in, "If the object is fine, replace the health check of its kind", s.Ref))
	case s.Object != nil && s.Object.At("status") == nil:
		f.Fix = append(f.Fix, advice.HealthCheck(in, "If nothing ever writes a status of this kind, call it healthy", s.Ref, "always"))
	case s.Object != nil:
		f.Fix = append(f.Fix, diagnose.Fix{Text: fmt.Sprintf("If the object is fine, correct the health check of its kind: resource.customizations.health.%s_%s in %s", s.Ref.Group, s.Ref.Kind, advice.CheckSetting(s.Ref).Place(in))})
	}
	return f
}
