package health

import (
	"fmt"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
)

// zoneRefuses is how Route 53 says that a name is not part of the zone that a solver writes to; zoneUnknown is how the solvers say that the
// account has no zone for a name.
var (
	zoneRefuses = pattern.MustCompile(`(?i)DNS name (\S+?)\.? is not permitted in zone (\S+?)\.?[\].,]*(?:\s|$)`)
	zoneUnknown = pattern.MustCompile(`(?i)(?:zone \S+ not found in (?:Route ?53|AzureDNS|CloudDNS) for domain|found no zones for domain|(?:no )?matching GoogleCloud domain (?:not )?found for domain|no hosted zone found for domain|could not find (?:the )?(?:hosted )?zone for|no matching zones? found for(?: domain)?)\s+"?([\w.*-]+?)\.?"?(?:[\s:;,)\]]|$)`)
)

// outsideZone makes the finding about a certificate whose name is in no zone that the solver of its issuer writes to: then neither the
// credentials nor the time help.
func outsideZone(p *unhealthy.Picture, s *unhealthy.Resource, said string, f *diagnose.Finding) {
	name, zone := "", ""
	if m := zoneRefuses.FindStringSubmatch(said); m != nil {
		name, zone = m[1], m[2]
		f.Title = fmt.Sprintf("%s: %s is not in DNS zone %s", s.Ref, name, zone)
		f.Short = fmt.Sprintf("Certificate: name is not in DNS zone %s", zone)
	} else if m := zoneUnknown.FindStringSubmatch(said); m != nil {
		name = m[1]
		f.Title = fmt.Sprintf("%s: solver finds no DNS zone for %s", s.Ref, name)
		f.Short = "Certificate: solver finds no DNS zone for its name"
	} else {
		return
	}
	issuer := s.RefersTo()
	of := "the issuer"
	if !issuer.IsZero() {
		of = issuer.String()
	}
	step := fmt.Sprintf("Give %s a DNS-01 solver for the zone that holds %s (selector.dnsZones names that zone), use an issuer that has one, or correct the name in Git", of, name)
	if zone == "" {
		step += ". If the zone is in that account, its credentials must be allowed to list it"
	}
	f.Fix = []diagnose.Fix{{Text: step}}
	if !issuer.IsZero() {
		f.Fix = append(f.Fix, diagnose.Fix{Text: "Show its solvers", Command: diagnose.Shell("kubectl %sget %s -o jsonpath='{.spec.acme.solvers}'", advice.InNamespace(issuer), issuer.Resource())})
	}
	if id := s.Below.Text("spec", "solver", "dns01", "route53", "hostedZoneID"); id != "" {
		f.Why += message.After(" The solver writes to hosted zone ", id) + "."
	}
	if request := openRequest(p, s); request != "" {
		f.Fix = append(f.Fix, diagnose.Fix{Text: "If only the solver was changed, delete the request, so that cert-manager makes a new one with it", Command: diagnose.Shell("kubectl %sdelete certificaterequest %s", advice.InNamespace(s.Ref), request)})
	}
}

// openRequest is the only request of a certificate that is not done; empty where there are several.
func openRequest(p *unhealthy.Picture, s *unhealthy.Resource) string {
	name := ""
	for _, n := range p.Descendants(s.Ref) {
		if n.Kind != "CertificateRequest" || n.HealthStatus() == "Healthy" {
			continue
		}
		if name != "" {
			return ""
		}
		name = n.Name
	}
	return name
}
