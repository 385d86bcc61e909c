package health

import (
	"cmp"
	"fmt"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pods"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
	"github.com/argo-why/argo-why/internal/text"
)

var LoadBalancerPending = &diagnose.Rule{
	ID:    "health/load-balancer-pending",
	Needs: needs,
	Doc: diagnose.Doc{
		Title:    "A Service of type LoadBalancer gets no address",
		What:     "Argo CD calls such a Service healthy when its status holds an address. Nobody gives one: the cluster has no load balancer controller (bare metal without MetalLB and the like), its pool is empty, or the cloud refuses.",
		Decisive: "status.loadBalancer.ingress is empty, or without IP and host name, for more than five minutes; event SyncLoadBalancerFailed or AllocationFailed.",
		Example:  "Error syncing load balancer: failed to ensure load balancer: no available subnets",
		Fix:      "Repair the load balancer controller, or use ClusterIP with an Ingress.",
		Links:    []string{"https://kubernetes.io/docs/concepts/services-networking/service/#loadbalancer"},
	},
	Sync:       alreadyApplied,
	Recognises: about{{kind: "/Service"}},
	Check: reporting(func(_ *diagnose.In, _ *unhealthy.Picture, s *unhealthy.Resource) (diagnose.Finding, bool) {
		e := pods.LastWarning(s.Events)
		if e == nil && s.Since < addressThreshold && s.Status != "Degraded" {
			return diagnose.Finding{}, false
		}
		given := s.Object.List("status", "loadBalancer", "ingress")
		f := diagnose.Finding{
			Confidence: diagnose.CertainIf(s.Object != nil),
			Title:      fmt.Sprintf("%s has no load balancer address%s", s.Ref, s.AfterLong()),
			Why:        fmt.Sprintf("%s is of type LoadBalancer and has no address%s: no controller gave it one.", s.Ref, s.AfterLong()),
			Evidence:   []diagnose.Quote{{From: s.Ref.String(), Text: cmp.Or(s.Text, "status.loadBalancer: no address, health "+s.Status)}},
			Fix: []diagnose.Fix{
				s.Describe("See what the load balancer controller says"),
				{Text: "If the cluster has none, install one (for example MetalLB), or use ClusterIP with an Ingress in Git", Patch: fmt.Sprintf("# on %s\nspec:\n  type: ClusterIP\n", s.Ref)},
			},
		}
		if len(given) > 0 {
			f.Why = fmt.Sprintf("The controller wrote an entry without IP and host name into the status of %s, which Argo CD does not count as an address.", s.Ref)
		}
		if class := s.Object.Text("spec", "loadBalancerClass"); class != "" {
			f.Why += fmt.Sprintf(" Only a controller of load balancer class %s may.", class)
		}
		if e != nil {
			said := text.OneLine(e.Message)
			f.Confidence = diagnose.Certain
			f.Title += ": " + text.Clip(said, message.MaxClause)
			f.Why += " Its controller says: " + text.Sentence(text.Clip(said, 2*message.MaxClause))
			f.Evidence = append([]diagnose.Quote{{From: pods.EventName(e), Text: said}}, f.Evidence...)
			f.Fix[1] = diagnose.Fix{Text: "Repair what the controller names: its address pool, subnets, permissions or the Service's annotations"}
		}
		return f, true
	}),
}
