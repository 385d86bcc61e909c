package health

import (
	"fmt"
	"strings"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/diagnose/pods"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

// startThreshold is how long an operator may take to begin with a new object: to create its pods and to write conditions that say something.
const startThreshold = 10 * time.Minute

// startingFinding is the finding about a new object whose operator has only begun. Some health checks call that Degraded.
func startingFinding(in *diagnose.In, s *unhealthy.Resource) (diagnose.Finding, bool) {
	created := s.Object.Time("metadata", "creationTimestamp")
	state := initialState(s.Object)
	if s.Status != "Degraded" || created.IsZero() || in.Since(created) >= startThreshold || state == "" || pods.LastWarning(s.Events) != nil {
		return diagnose.Finding{}, false
	}
	return diagnose.Finding{
		Role: diagnose.RoleNote, Kind: diagnose.KindUnfinished, Confidence: diagnose.Likely,
		Title:    fmt.Sprintf("%s is still starting", s.Ref),
		Why:      fmt.Sprintf("It was created %s ago and reports no error: %s. Argo CD's health check calls this state Degraded.", text.Age(in.Since(created)), state),
		Evidence: []diagnose.Quote{{From: s.Ref.String(), Text: strings.Trim(state+"; "+strings.TrimRight(text.OneLine(s.Text), ": "), "; ")}},
		Fix:      []diagnose.Fix{s.Describe("Wait a few minutes. If nothing changes, look at its conditions and events")},
	}, true
}

// initialState is what an object says whose operator has not got far: that it has no status, or conditions that are not decided. It is
// empty for one that has decided anything against it.
func initialState(o evidence.Object) string {
	if c, complains := unhealthy.ComplaintOf(o); complains && (c.Firm || strings.Contains(c.What, "=")) {
		return ""
	}
	if o.At("status") == nil {
		return "it has no status yet"
	}
	for _, c := range o.List("status", "conditions") {
		if c.Text("status") == "Unknown" {
			return c.Text("type") + " is Unknown" + inBrackets(c.Text("reason"))
		}
	}
	return ""
}

// success is how operators report with an event that they did what an object asks for.
var success = pattern.MustCompile(`(?i)success|^(?:Unsealed|Updated|Reconciled|Synced|Issued|Ready)$`)

// overtakenFinding is the finding about an object whose condition still shows a failure after which its operator reported success: the
// condition would have changed with it, had the operator written it.
func overtakenFinding(in *diagnose.In, s *unhealthy.Resource, c unhealthy.Complaint) (diagnose.Finding, bool) {
	began := c.Began()
	e := lastEvent(s.Events)
	if began.IsZero() || e == nil || e.Type != "Normal" || !success.MatchString(e.Reason) && !success.MatchString(e.Message) || e.Last().Sub(began.Time) < unhealthy.SettleThreshold {
		return diagnose.Finding{}, false
	}
	f := diagnose.Finding{
		Confidence: diagnose.Likely, Whole: true,
		Title: fmt.Sprintf("%s shows an outdated error", s.Ref),
		Why: fmt.Sprintf("It has reported %s for %s, but since then its controller has reported success: %s, last %s ago.",
			c.What, text.Age(in.Since(began)), e.Reason, text.Age(in.Since(e.Last()))),
		Says: says("The error was", c.Text),
		Evidence: []diagnose.Quote{
			{From: s.Ref.String(), Text: c.Quote()},
			{From: pods.EventName(e), Text: text.OneLine(e.Message)},
		},
	}
	if s.MakesSecret() {
		f.Fix = append(f.Fix, diagnose.Fix{Text: "Check that the Secret which it makes exists and is up to date", Command: diagnose.Shell("kubectl %sget secret %s", advice.InNamespace(s.Ref), s.SecretName())})
	}
	f.Fix = append(f.Fix, diagnose.Fix{Text: "Restart its controller, so that it writes the conditions again; if that does not help, upgrade it"}, s.Describe("Compare its conditions with its events"))
	return f.ReportedAs(Stale), true
}

// lastEvent is the last event, nil where there is none.
func lastEvent(events []evidence.Event) *evidence.Event {
	if len(events) == 0 {
		return nil
	}
	return &events[len(events)-1]
}

// withEvent quotes the last warning of an object where that says more than its condition: operators often leave the error out of the one
// or the other.
func withEvent(s *unhealthy.Resource, c unhealthy.Complaint, f diagnose.Finding) diagnose.Finding {
	e := pods.LastWarning(s.Events)
	if e == nil || strings.Contains(c.Text, ": ") || e.Last().Before(c.Began().Time) {
		return f
	}
	if said := text.OneLine(e.Message); strings.Contains(said, ": ") && len(said) > len(c.Text) {
		f.Says = says("Its last warning says", said)
		f.Evidence = append(f.Evidence, diagnose.Quote{From: pods.EventName(e), Text: said})
	}
	return f
}

// generations are the version of an object that its controller has processed, as far as a condition or the status says, and the current one.
func generations(o evidence.Object, c unhealthy.Complaint) (seen, want int) {
	current, _ := o.Number("metadata", "generation")
	n, known := o.Number("status", "observedGeneration")
	switch {
	case c.About > 0:
		return c.About, int(current)
	case !known:
		return int(current), int(current)
	}
	return int(n), int(current)
}

// behindAPI are the steps to what answers for an APIService.
func behindAPI(s *unhealthy.Resource) []diagnose.Fix {
	service := s.Object.Text("spec", "service", "name")
	if service == "" {
		return []diagnose.Fix{{Text: "Check the pods and endpoints of the Service behind it", Command: diagnose.Shell("kubectl get apiservice %s -o jsonpath='{.spec.service}'", s.Ref.Name)}, s.Describe("Show its conditions")}
	}
	namespace := s.Object.Text("spec", "service", "namespace")
	return []diagnose.Fix{
		{Text: fmt.Sprintf("Check that Service/%s in namespace %s has endpoints, and that its pods run", service, namespace), Command: diagnose.Shell("kubectl -n %s get endpoints,pods", namespace)},
		s.Describe("Show its conditions"),
	}
}

// failingFor is for how long an object has not been ready: as its condition says, else for how long Argo CD has said so.
func failingFor(in *diagnose.In, s *unhealthy.Resource) time.Duration {
	c := s.Object.Condition("Ready")
	if began := c.Time("lastTransitionTime"); c.Text("status") == "False" && !began.IsZero() {
		return in.Since(began)
	}
	return s.Since
}
