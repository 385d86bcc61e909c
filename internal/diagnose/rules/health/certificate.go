package health

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/diagnose/pods"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

// issueThreshold is how long a certificate may take: an ACME challenge over DNS takes two or three minutes to be seen.
const issueThreshold = 5 * time.Minute

var Certificate = &diagnose.Rule{
	ID:      "health/certificate",
	Needs:   needs,
	Outside: []evidence.Outside{evidence.OutsideIssuer, evidence.OutsideClusterIssuer, evidence.OutsideEvent},
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
			Why:        fmt.Sprintf("cert-manager has not finished setting it up%s.", unhealthy.Lasting(" after ", failingFor(in, s))),
			Says:       says(whoComplains(s, complaint.From), said),
			Evidence:   []diagnose.Quote{{From: complaint.From, Text: cmp.Or(said, "health "+s.Status)}},
			Fix:        []diagnose.Fix{s.Describe("Check its conditions and events")},
		}
		if s.Ref.Kind == "Certificate" {
			steps := issueSteps(said)
			if !strings.HasPrefix(complaint.From, "Challenge/") { // else that is the one
				steps = append(steps, diagnose.Fix{Text: "Check which request, order or challenge is stuck", Command: diagnose.Shell("kubectl %sget certificaterequests,orders,challenges", advice.InNamespace(s.Ref))})
			}
			f.Fix = append(steps, f.Fix[0])
			if failed && retriesLater(s) {
				f.Fix = append(f.Fix, diagnose.Fix{Text: "After the fix, have it issued now: after a failure, cert-manager waits an hour or more", Command: diagnose.Shell("cmctl renew %s%s", s.Ref.Name, advice.NamespaceFlag(s.Ref))})
			}
		} else {
			f.Fix = append(issuerSteps(s, said), f.Fix...)
		}
		f = withIssuer(in, s, complaint, f)
		if s.Ref.Kind == "Certificate" {
			outsideZone(p, s, said, &f)
		}
		return f, true
	}),
}

// withIssuer says who should issue a certificate, and looks there: only an issuer that is ready makes a Challenge.
func withIssuer(in *diagnose.In, s *unhealthy.Resource, complaint diagnose.Quote, f diagnose.Finding) diagnose.Finding {
	issuer, said := s.RefersTo(), text.OneLine(complaint.Text)
	if issuer.IsZero() {
		issuer = namedIssuer(s, said)
	}
	if issuer.IsZero() {
		return f
	}
	f.Why = text.Paragraph(fmt.Sprintf("%s has not issued it%s.", issuer, unhealthy.Lasting(" after ", failingFor(in, s))), message.After("It is meant for Secret/", text.Sentence(s.Object.Text("spec", "secretName"))))
	if strings.HasPrefix(complaint.From, "Challenge/") {
		return f
	}
	if s.Refers != nil && !issuerMissing.MatchString(said) {
		switch c := s.Refers.Object.Condition("Ready"); {
		case c.Text("status") == "True":
			return f
		case c.Text("status") == "False" && c.Text("message") != "":
			its := text.OneLine(c.Text("message"))
			f.Title = fmt.Sprintf("%s: its issuer is not ready", s.Ref)
			f.Says = says(issuer.String()+" says", its)
			f.Evidence = append(f.Evidence, diagnose.Quote{From: issuer.String(), Text: strings.TrimPrefix(c.Text("reason")+": "+its, ": ")})
			f.Fix = append(issuerSteps(s.Refers, its), s.Refers.Describe("Show the conditions and events of the issuer"))
			return f
		}
	}
	if !issuerMissing.MatchString(said) {
		f.Fix = append(f.Fix, diagnose.Fix{Text: "Check whether its issuer is ready", Command: diagnose.Shell("kubectl %sdescribe %s", advice.InNamespace(issuer), issuer.Resource())})
		return f
	}
	f.Title, f.Whole = fmt.Sprintf("%s: %s does not exist", s.Ref, issuer), true
	f.Why = message.After("It is meant for Secret/", text.Sentence(s.Object.Text("spec", "secretName")))
	if issuer.Kind == "Issuer" {
		f.Why = text.Paragraph(f.Why, "An Issuer serves only its own namespace.")
	}
	f.Fix = []diagnose.Fix{
		{Text: fmt.Sprintf("Create %s%s, or correct issuerRef (name and kind) in Git", issuer, message.After(" in namespace ", issuer.Namespace))},
		{Text: "List the issuers that exist", Command: diagnose.Shell("kubectl get %s -A", strings.ToLower(issuer.Kind)+"."+issuer.Group)},
	}
	f.Fix[0] = orMisnamed(in, s, &f, issuer, f.Fix[0])
	if issuer.Group == "cert-manager.io" {
		f.Fix[1].Command = "kubectl get issuers.cert-manager.io,clusterissuers.cert-manager.io -A"
	}
	return f
}

// namedIssuer is the issuer in the words about one that does not exist; zero where they name none.
func namedIssuer(s *unhealthy.Resource, said string) evidence.Ref {
	m := absentIssuer.FindStringSubmatch(said)
	if m == nil {
		return evidence.Ref{}
	}
	ref := evidence.Ref{Group: "cert-manager.io", Kind: m[1], Name: m[2]}
	if ref.Kind == "Issuer" {
		ref.Namespace = s.Ref.Namespace
	}
	return ref
}

// absentIssuer is how cert-manager names the issuer that does not exist.
var absentIssuer = pattern.MustCompile(`Referenced "(\w*Issuer)" not found: \S+ "([^"]+)" not found`)

// retriesLater reports whether a certificate failed so that its next attempt is put off.
func retriesLater(s *unhealthy.Resource) bool {
	n, _ := s.Object.Number("status", "failedIssuanceAttempts")
	return n > 0 || s.Object.Text("status", "lastFailureTime") != ""
}

// issuerMissing is how cert-manager says that the issuer of a certificate does not exist.
var issuerMissing = pattern.MustCompile(`Referenced "?\w*Issuer"? not found`)

// issueSteps is what helps against what the chain below a certificate says; none where that is nothing common.
func issueSteps(said string) []diagnose.Fix {
	lower := strings.ToLower(said)
	dns := message.HasAny(lower, "dns-01", "dns01", "dns record", "hosted zone", "txt record", "_acme-challenge", "route53", "cloudflare", "clouddns", "azuredns", "zone for")
	web := message.HasAny(lower, "http-01", "self check", "acme-challenge/")
	switch m := noObject.FindStringSubmatch(said); {
	case m != nil && strings.HasPrefix(strings.ToLower(m[1]), "secret"):
		return secretSteps(m[3])
	case message.HasAny(lower, "ratelimited", "too many certificates", "too many failed", "rate limit"):
		return advice.Steps("Wait until the limit of the certificate authority resets; test with its staging issuer until then")
	case message.HasAny(lower, "rejectedidentifier"):
		return advice.Steps("Correct the DNS names in Git: the certificate authority does not issue for this name. Internal names need an internal issuer")
	case message.HasAny(lower, "caa record"):
		return advice.Steps("Allow this certificate authority in the CAA record of the domain, or use the issuer that it allows")
	case web && message.HasAny(lower, "no such host", "nxdomain", "server misbehaving"):
		return advice.Steps("Create the DNS record of that host, pointing at the ingress controller, also for the cluster's own name servers")
	case deniedAction.MatchString(said):
		return advice.Steps("Grant that permission to the account that the issuer's solver uses")
	case dns:
		return advice.Steps("Check that the issuer's DNS credentials may write to the zone of that name, and that the zone is the one that is delegated")
	case web, message.HasAny(lower, "likely firewall problem", "invalid response from http"):
		return advice.Steps("Make sure that the URL of the challenge reaches the ingress controller from inside and outside the cluster: DNS, firewall, redirects, the class of the solver's Ingress")
	case message.HasAny(lower, "certificaterequestpolicy", "has not been approved", "denied"):
		return advice.Steps("Allow this request in the policy of the approver (a CertificateRequestPolicy, for example), or correct the Certificate in Git")
	}
	return nil
}

// secretSteps are the steps to a Secret that an issuer needs. That of a ClusterIssuer is in cert-manager's own namespace.
func secretSteps(name string) []diagnose.Fix {
	return []diagnose.Fix{
		{Text: fmt.Sprintf("Create Secret/%s where the issuer looks for it: in the namespace of an Issuer, in cert-manager's own for a ClusterIssuer. Or correct the reference to it in Git", name)},
		{Text: "Check where it exists", Command: diagnose.Shell("kubectl get secrets -A --field-selector metadata.name=%s", name)},
	}
}

// issuerSteps is what helps an issuer that is not ready.
func issuerSteps(s *unhealthy.Resource, said string) []diagnose.Fix {
	lower := strings.ToLower(said)
	switch m := noObject.FindStringSubmatch(said); {
	case m != nil && strings.HasPrefix(strings.ToLower(m[1]), "secret"):
		return secretSteps(m[3])
	case message.HasAny(lower, "x509:", "certificate signed by"):
		return advice.Steps("Give the issuer the CA of that server (caBundle), or correct the server's certificate")
	case message.CannotReach(said):
		return advice.Steps("Make sure that cert-manager's pods can reach that server: its name, DNS, a proxy, network policies, the firewall for outgoing traffic")
	case message.HasAny(lower, "permission denied", "forbidden", "unauthorized", "accessdenied", "403"):
		return advice.Steps("Correct the credentials or the role of the issuer on that server")
	case message.HasAny(lower, "invalidcontact", "invalid contact", "unable to parse email", "forbidden domain"):
		return advice.Steps("Set a valid address in spec.acme.email in Git")
	}
	return advice.OperatorSteps(s.Ref, false)
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
