package rules

import (
	"cmp"
	"fmt"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/message"
)

var healthLoadBalancerPending = &diagnose.Rule{
	ID:    "health/load-balancer-pending",
	Needs: healthNeeds,
	Doc: diagnose.Doc{
		Title:    "A Service of type LoadBalancer gets no address",
		What:     "Argo CD calls such a Service healthy when its status holds an address. Nobody gives one: the cluster has no load balancer controller (bare metal without MetalLB and the like), its pool is empty, or the cloud refuses.",
		Decisive: "status.loadBalancer.ingress is empty, or without IP and host name, for more than five minutes; event SyncLoadBalancerFailed or AllocationFailed.",
		Example:  "Error syncing load balancer: failed to ensure load balancer: no available subnets",
		Fix:      "Repair the load balancer controller, or use ClusterIP with an Ingress.",
		Links:    []string{"https://kubernetes.io/docs/concepts/services-networking/service/#loadbalancer"},
	},
	Sync:       applied,
	Recognises: about{{kind: "/Service"}},
	Check: reportingHealth(func(_ *diagnose.In, _ *sickPicture, s *sickResource) (diagnose.Finding, bool) {
		e := lastWarning(s.events)
		if e == nil && s.since < addressThreshold && s.status != "Degraded" {
			return diagnose.Finding{}, false
		}
		given := s.object.List("status", "loadBalancer", "ingress")
		f := diagnose.Finding{
			Confidence: diagnose.CertainIf(s.object != nil),
			Title:      fmt.Sprintf("%s has no load balancer address%s", s.ref, s.afterLong()),
			Why:        fmt.Sprintf("%s is of type LoadBalancer and has no address%s: no controller gave it one.", s.ref, s.afterLong()),
			Evidence:   []diagnose.Quote{{From: s.ref.String(), Text: cmp.Or(s.text, "status.loadBalancer: no address, health "+s.status)}},
			Fix: []diagnose.Fix{
				s.describe("See what the load balancer controller says"),
				{Text: "If the cluster has none, install one (for example MetalLB), or use ClusterIP with an Ingress in Git", Patch: fmt.Sprintf("# on %s\nspec:\n  type: ClusterIP\n", s.ref)},
			},
		}
		if len(given) > 0 {
			f.Why = fmt.Sprintf("The controller wrote an entry without IP and host name into the status of %s, which Argo CD does not count as an address.", s.ref)
		}
		if class := s.object.Text("spec", "loadBalancerClass"); class != "" {
			f.Why += fmt.Sprintf(" Only a controller of load balancer class %s may.", class)
		}
		if e != nil {
			text := message.OneLine(e.Message)
			f.Confidence = diagnose.Certain
			f.Title += ": " + message.Clip(text, clause)
			f.Why += " Its controller says: " + sentence(message.Clip(text, 2*clause))
			f.Evidence = append([]diagnose.Quote{{From: eventName(e), Text: text}}, f.Evidence...)
			f.Fix[1] = diagnose.Fix{Text: "Repair what the controller names: its address pool, subnets, permissions or the Service's annotations"}
		}
		return f, true
	}),
}
