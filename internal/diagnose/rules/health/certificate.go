package health

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pods"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

// issueThreshold is how long a certificate may take: an ACME challenge over DNS takes two or three minutes to be seen.
const issueThreshold = 5 * time.Minute

var Certificate = &diagnose.Rule{
	ID:    "health/certificate",
	Needs: needs,
	Doc: diagnose.Doc{
		Title:    "Certificate or issuer is not ready",
		What:     "cert-manager has not issued the Certificate: its issuer is not ready or does not exist, or the challenge of the certificate authority fails. The Secret that it should write does not exist, so pods that mount it cannot start either.",
		Decisive: "Condition Ready=False of Certificate or Issuer, a failed CertificateRequest, Order or Challenge below it, or condition Issuing with reason Failed.",
		Example:  "Issuing certificate as Secret does not exist",
		Fix:      "Follow the chain from Certificate to CertificateRequest, Order and Challenge until one says why.",
		Links:    []string{"https://cert-manager.io/docs/troubleshooting/"},
	},
	Sync: alreadyApplied,
	Recognises: about{
		{kind: "cert-manager.io/*"},
		{kind: "acme.cert-manager.io/*"},
		{kind: "certmanager.k8s.io/*"},
	},
	Check: reporting(func(in *diagnose.In, p *unhealthy.Picture, s *unhealthy.Resource) (diagnose.Finding, bool) {
		complaint, failed := deepestComplaint(p, s)
		if s.Status != "Degraded" && s.Since < issueThreshold && !failed {
			return diagnose.Finding{}, false // it is being issued
		}
		said := strings.TrimRight(text.OneLine(complaint.Text), ": ")
		f := diagnose.Finding{
			Confidence: diagnose.CertainIf(said != ""),
			Title:      fmt.Sprintf("%s is not ready", s.Ref),
			Why:        fmt.Sprintf("cert-manager has not finished setting it up%s.", s.AfterLong()),
			Says:       says(whoComplains(s, complaint.From), said),
			Evidence:   []diagnose.Quote{{From: complaint.From, Text: cmp.Or(said, "health "+s.Status)}},
			Fix:        []diagnose.Fix{s.Describe("Check its conditions and events")},
		}
		if s.Ref.Kind == "Certificate" {
			f.Fix = append(issueSteps(said),
				diagnose.Fix{Text: "Check which request, order or challenge is stuck", Command: diagnose.Shell("kubectl %sget certificaterequests,orders,challenges", advice.InNamespace(s.Ref))},
				diagnose.Fix{Text: "Show the whole chain from the Certificate to its challenge", Command: diagnose.Shell("cmctl status certificate %s%s", s.Ref.Name, advice.NamespaceFlag(s.Ref))},
				f.Fix[0],
			)
		}
		if kind, name := cmp.Or(s.Object.Text("spec", "issuerRef", "kind"), "Issuer"), s.Object.Text("spec", "issuerRef", "name"); name != "" {
			f.Why = text.Paragraph(fmt.Sprintf("%s/%s has not issued it%s.", kind, name, s.AfterLong()), message.After("It is meant for Secret/", text.Sentence(s.Object.Text("spec", "secretName"))))
			flags := advice.InNamespace(s.Ref)
			if kind == "ClusterIssuer" {
				flags = ""
			}
			if issuerMissing.MatchString(said) {
				f.Title = fmt.Sprintf("%s: %s/%s does not exist", s.Ref, kind, name)
				f.Fix = []diagnose.Fix{{Text: fmt.Sprintf("Create %s/%s, or correct issuerRef in Git", kind, name)}, {Text: "List the issuers", Command: "kubectl get issuers,clusterissuers -A"}}
				return f, true
			}
			f.Fix = append(f.Fix, diagnose.Fix{Text: "Check whether its issuer is ready", Command: diagnose.Shell("kubectl %sdescribe %s %s", flags, strings.ToLower(kind), name)})
		}
		return f, true
	}),
}

// issuerMissing is how cert-manager says that the issuer of a certificate does not exist.
var issuerMissing = regexp.MustCompile(`Referenced "?\w*Issuer"? not found`)

// issueSteps is what helps against what the chain below a certificate says; none where that is nothing common.
func issueSteps(said string) []diagnose.Fix {
	lower := strings.ToLower(said)
	switch {
	case message.HasAny(lower, "ratelimited", "too many certificates", "too many failed", "rate limit"):
		return advice.Steps("Wait until the limit of the certificate authority resets; test with its staging issuer until then")
	case message.HasAny(lower, "http-01", "self check", "acme-challenge") && message.HasAny(lower, "no such host", "nxdomain", "server misbehaving"):
		return advice.Steps("Create the DNS record of that host, pointing at the ingress controller, also for the cluster's own name servers")
	case message.HasAny(lower, "http-01", "self check", "acme-challenge"):
		return advice.Steps("Make sure that this URL reaches the ingress controller from inside and outside the cluster: DNS, firewall, redirects, the class of the solver's Ingress")
	case message.HasAny(lower, "dns-01", "dns record", "hosted zone", "zone", "txt record", "_acme-challenge"):
		return advice.Steps("Check that the issuer's DNS credentials may write to the zone of that name, and that the zone is the one that is delegated")
	}
	return nil
}

// whoComplains begins the sentence that quotes the complaint.
func whoComplains(s *unhealthy.Resource, from string) string {
	if from == s.Ref.String() || strings.HasPrefix(from, "event ") {
		return "cert-manager says"
	}
	return from + " says"
}

// chainWords is what a Challenge, an Order or a CertificateRequest says in its own status; failed: it will not be tried again by itself.
func chainWords(o evidence.Object) (said string, failed bool) {
	if reason := o.Text("status", "reason"); reason != "" {
		return reason, message.HasAny(o.Text("status", "state"), "invalid", "errored", "expired")
	}
	for _, kind := range []string{"Denied", "InvalidRequest"} {
		if c := o.Condition(kind); c.Text("status") == "True" {
			return c.Text("message"), true
		}
	}
	if c := o.Condition("Ready"); c.Text("status") == "False" {
		return c.Text("message"), c.Text("reason") == "Failed"
	}
	return "", false
}

// deepestComplaint is what the object furthest down says: a Challenge knows more than its Order, that more than the Certificate.
// failed: it says that something went wrong, not only that it is not ready yet.
func deepestComplaint(p *unhealthy.Picture, s *unhealthy.Resource) (complaint diagnose.Quote, failed bool) {
	if said, state := chainWords(s.Below); said != "" {
		return diagnose.Quote{From: s.Below.Ref().String(), Text: said}, state
	}
	below := p.Descendants(s.Ref)
	for _, kind := range []string{"Challenge", "Order", "CertificateRequest"} {
		for _, n := range below {
			if n.Kind == kind && n.Health != nil && n.Health.Status != "Healthy" && n.Health.Message != "" {
				return diagnose.Quote{From: n.Ref().String(), Text: n.Health.Message}, n.Health.Status == "Degraded"
			}
		}
	}
	if c := s.Object.Condition("Issuing"); c.Text("reason") == "Failed" {
		return diagnose.Quote{From: s.Ref.String(), Text: c.Text("message")}, true
	}
	if e := pods.LastWarning(s.Events); e != nil {
		return diagnose.Quote{From: pods.EventName(e), Text: e.Message}, true
	}
	if c := s.Object.Condition("Ready"); c.Text("status") == "False" {
		return diagnose.Quote{From: s.Ref.String(), Text: cmp.Or(c.Text("message"), c.Text("reason"))}, false
	}
	return diagnose.Quote{From: s.Ref.String(), Text: s.Text}, false
}
