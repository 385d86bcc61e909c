package health

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pods"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
	"github.com/argo-why/argo-why/internal/text"
)

// issueThreshold is how long a certificate may take: an ACME challenge over DNS takes two or three minutes to be seen.
const issueThreshold = 5 * time.Minute

var Certificate = &diagnose.Rule{
	ID:    "health/certificate",
	Needs: needs,
	Doc: diagnose.Doc{
		Title:    "A certificate is not issued",
		What:     "cert-manager has not issued the Certificate: its issuer is not ready or does not exist, or the challenge of the certificate authority fails. The Secret that it should write does not exist, so what mounts it waits, too.",
		Decisive: "Condition Ready=False of Certificate or Issuer, a failed CertificateRequest, Order or Challenge below it, or condition Issuing with reason Failed.",
		Example:  "Issuing certificate as Secret does not exist",
		Fix:      "Follow the chain Certificate, CertificateRequest, Order, Challenge to the one that says why.",
		Links:    []string{"https://cert-manager.io/docs/troubleshooting/"},
	},
	Sync: alreadyApplied,
	Recognises: about{
		{kind: "cert-manager.io/*"},
		{kind: "acme.cert-manager.io/*"},
		{kind: "certmanager.k8s.io/*"},
	},
	Check: reporting(func(in *diagnose.In, p *unhealthy.Picture, s *unhealthy.Resource) (diagnose.Finding, bool) {
		says, failed := deepestComplaint(p, s)
		if s.Status != "Degraded" && s.Since < issueThreshold && !failed {
			return diagnose.Finding{}, false // it is being issued
		}
		said := strings.TrimRight(text.OneLine(says.Text), ": ")
		f := diagnose.Finding{
			Confidence: diagnose.CertainIf(said != ""),
			Title:      fmt.Sprintf("%s is not ready%s", s.Ref, message.After(": ", text.Clip(said, message.MaxClause))),
			Why:        fmt.Sprintf("cert-manager has not made %s ready%s. %s says: %s", s.Ref, s.ForLong(), says.From, text.Sentence(cmp.Or(said, "nothing"))),
			Evidence:   []diagnose.Quote{{From: says.From, Text: cmp.Or(said, "health "+s.Status)}},
			Fix:        []diagnose.Fix{{Text: "See how far it came", Command: diagnose.Shell("kubectl %sget certificaterequests,orders,challenges", advice.InNamespace(s.Ref))}, s.Describe("See its conditions and events")},
		}
		if s.Ref.Kind == "Certificate" {
			f.Fix = append(f.Fix, diagnose.Fix{Text: "See the whole chain", Command: diagnose.Shell("cmctl status certificate %s%s", s.Ref.Name, advice.NamespaceFlag(s.Ref))})
		}
		if kind, name := cmp.Or(s.Object.Text("spec", "issuerRef", "kind"), "Issuer"), s.Object.Text("spec", "issuerRef", "name"); name != "" {
			f.Why += fmt.Sprintf(" It is to be issued by %s/%s for Secret/%s.", kind, name, s.Object.Text("spec", "secretName"))
			flags := advice.InNamespace(s.Ref)
			if kind == "ClusterIssuer" {
				flags = ""
			}
			f.Fix = append(f.Fix, diagnose.Fix{Text: "See whether its issuer is ready", Command: diagnose.Shell("kubectl %sdescribe %s %s", flags, strings.ToLower(kind), name)})
		}
		return f, true
	}),
}

// deepestComplaint is what the object furthest down says: a Challenge knows more than its Order, that more than the Certificate.
// failed: it says that something went wrong, not only that it is not there yet.
func deepestComplaint(p *unhealthy.Picture, s *unhealthy.Resource) (says diagnose.Quote, failed bool) {
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
