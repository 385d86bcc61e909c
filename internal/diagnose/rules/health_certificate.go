package rules

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/message"
)

// issueThreshold is how long a certificate may take: an ACME challenge over DNS takes two or three minutes to be seen.
const issueThreshold = 5 * time.Minute

var healthCertificate = &diagnose.Rule{
	ID:    "health/certificate",
	Needs: healthNeeds,
	Doc: diagnose.Doc{
		Title:    "A certificate is not issued",
		What:     "cert-manager has not issued the Certificate: its issuer is not ready or does not exist, or the challenge of the certificate authority fails. The Secret that it should write does not exist, so what mounts it waits, too.",
		Decisive: "Condition Ready=False of Certificate or Issuer, a failed CertificateRequest, Order or Challenge below it, or condition Issuing with reason Failed.",
		Example:  "Issuing certificate as Secret does not exist",
		Fix:      "Follow the chain Certificate, CertificateRequest, Order, Challenge to the one that says why.",
		Links:    []string{"https://cert-manager.io/docs/troubleshooting/"},
	},
	Sync: applied,
	Recognises: about{
		{kind: "cert-manager.io/*"},
		{kind: "acme.cert-manager.io/*"},
		{kind: "certmanager.k8s.io/*"},
	},
	Check: reportingHealth(func(in *diagnose.In, p *sickPicture, s *sickResource) (diagnose.Finding, bool) {
		says, failed := deepest(p, s)
		if s.status != "Degraded" && s.since < issueThreshold && !failed {
			return diagnose.Finding{}, false // it is being issued
		}
		text := strings.TrimRight(message.OneLine(says.Text), ": ")
		f := diagnose.Finding{
			Confidence: diagnose.CertainIf(text != ""),
			Title:      fmt.Sprintf("%s is not ready%s", s.ref, after(": ", message.Clip(text, clause))),
			Why:        fmt.Sprintf("cert-manager has not made %s ready%s. %s says: %s", s.ref, s.forLong(), says.From, sentence(cmp.Or(text, "nothing"))),
			Evidence:   []diagnose.Quote{{From: says.From, Text: cmp.Or(text, "health "+s.status)}},
			Fix:        []diagnose.Fix{{Text: "See how far it came", Command: diagnose.Shell("kubectl %sget certificaterequests,orders,challenges", inNamespace(s.ref))}, s.describe("See its conditions and events")},
		}
		if s.ref.Kind == "Certificate" {
			f.Fix = append(f.Fix, diagnose.Fix{Text: "See the whole chain", Command: diagnose.Shell("cmctl status certificate %s%s", s.ref.Name, namespaceFlag(s.ref))})
		}
		if kind, name := cmp.Or(s.object.Text("spec", "issuerRef", "kind"), "Issuer"), s.object.Text("spec", "issuerRef", "name"); name != "" {
			f.Why += fmt.Sprintf(" It is to be issued by %s/%s for Secret/%s.", kind, name, s.object.Text("spec", "secretName"))
			flags := inNamespace(s.ref)
			if kind == "ClusterIssuer" {
				flags = ""
			}
			f.Fix = append(f.Fix, diagnose.Fix{Text: "See whether its issuer is ready", Command: diagnose.Shell("kubectl %sdescribe %s %s", flags, strings.ToLower(kind), name)})
		}
		return f, true
	}),
}

// deepest is what the object furthest down says: a Challenge knows more than its Order, that more than the Certificate.
// failed: it says that something went wrong, not only that it is not there yet.
func deepest(p *sickPicture, s *sickResource) (says diagnose.Quote, failed bool) {
	below := p.descendants(s.ref)
	for _, kind := range []string{"Challenge", "Order", "CertificateRequest"} {
		for _, n := range below {
			if n.Kind == kind && n.Health != nil && n.Health.Status != "Healthy" && n.Health.Message != "" {
				return diagnose.Quote{From: n.Ref().String(), Text: n.Health.Message}, n.Health.Status == "Degraded"
			}
		}
	}
	if c := s.object.Condition("Issuing"); c.Text("reason") == "Failed" {
		return diagnose.Quote{From: s.ref.String(), Text: c.Text("message")}, true
	}
	if e := lastWarning(s.events); e != nil {
		return diagnose.Quote{From: eventName(e), Text: e.Message}, true
	}
	if c := s.object.Condition("Ready"); c.Text("status") == "False" {
		return diagnose.Quote{From: s.ref.String(), Text: cmp.Or(c.Text("message"), c.Text("reason"))}, false
	}
	return diagnose.Quote{From: s.ref.String(), Text: s.text}, false
}
