package health

import (
	"cmp"
	"fmt"
	"strings"

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
		Title:    "Service has no load balancer address",
		What:     "To Argo CD, a Service of type LoadBalancer is healthy once its status has an address. None is assigned: the cluster has no load balancer controller (bare metal without MetalLB or similar), its address pool is empty, or the cloud provider refuses.",
		Decisive: "status.loadBalancer.ingress is empty, or without IP and host name, for more than five minutes; event SyncLoadBalancerFailed or AllocationFailed.",
		Example:  "Error syncing load balancer: failed to ensure load balancer: no available subnets",
		Fix:      "Fix the load balancer controller, or use ClusterIP with an Ingress.",
		Links:    []string{"https://kubernetes.io/docs/concepts/services-networking/service/#loadbalancer"},
	},
	Sync:       alreadyApplied,
	Recognises: about{{kind: "/Service"}},
	Check: reporting(func(in *diagnose.In, _ *unhealthy.Picture, s *unhealthy.Resource) (diagnose.Finding, bool) {
		e := pods.LastWarning(s.Events)
		if e == nil && s.Since < addressThreshold && s.Status != "Degraded" {
			return diagnose.Finding{}, false
		}
		given := s.Object.List("status", "loadBalancer", "ingress")
		f := diagnose.Finding{
			Confidence: diagnose.CertainIf(s.Object != nil),
			Title:      fmt.Sprintf("%s has no load balancer address", s.Ref),
			Why:        fmt.Sprintf("No controller has assigned one%s.", s.AfterLong()),
			Evidence:   []diagnose.Quote{{From: s.Ref.String(), Text: cmp.Or(s.Text, "status.loadBalancer: no address, health "+s.Status)}},
			Fix: []diagnose.Fix{
				s.Describe("Show its events from the load balancer controller"),
				{Text: "If the cluster has no such controller, install one (such as MetalLB), or set a type in Git that needs none", Patch: fmt.Sprintf("# on %s\nspec:\n  type: ClusterIP   # or NodePort\n", s.Ref)},
			},
		}
		if len(given) > 0 {
			f.Why = "Its controller wrote an entry without an IP or host name into the status, which Argo CD does not count as an address."
			f.Fix[1] = checkBalancer
		}
		if class := s.Object.Text("spec", "loadBalancerClass"); class != "" {
			f.Why += fmt.Sprintf(" Only the controller of class %s can assign it.", class)
			f.Fix[1] = diagnose.Fix{Text: fmt.Sprintf("Check that the controller of class %s runs, and read its log", class)}
		}
		if why, steps, ok := unhealthy.ExternalIPs(in, s.Ref, s.Object); ok && e == nil {
			f.Why += " " + why
			f.Fix = append(steps, s.Describe("Show its events from the load balancer controller"))
		}
		if e != nil {
			said := text.OneLine(e.Message)
			f.Confidence = diagnose.Certain
			f.Says = says("Its last warning says", said)
			f.Evidence = append([]diagnose.Quote{{From: pods.EventName(e), Text: said}}, f.Evidence...)
			f.Fix = []diagnose.Fix{balancerFix(said), f.Fix[0]}
			if steps := endpointSteps(said); steps != nil {
				f.OutsideGit = true
				f.Fix = append(steps, f.Fix[1:]...)
			}
		}
		return f, true
	}),
}

// checkBalancer is the step for a controller that exists but assigns no usable address.
var checkBalancer = diagnose.Fix{Text: "Check the controller's address pool, subnets and permissions, and the Service's annotations in Git"}

// balancerFix is what helps against what the controller of a load balancer reports.
func balancerFix(said string) diagnose.Fix {
	fix := checkBalancer
	switch lower := strings.ToLower(said); {
	case message.HasAny(lower, "accessdenied", "not authorized", "unauthorized", "forbidden", "authorizationfailed", "permission"):
		fix.Text = "Give the controller the permission that it names, in the cloud account"
		if deniedAction.MatchString(said) {
			fix.Text = "Grant that permission to the controller, in the cloud account"
		}
	case message.HasAny(lower, "suitable subnet", "no subnet", "subnets"):
		fix.Text = "Tag the subnets for load balancers (on AWS kubernetes.io/role/elb or kubernetes.io/role/internal-elb), or name them in an annotation of the Service in Git"
	case message.HasAny(lower, "is not allowed in config", "not available in pool", "unknown pool"):
		fix.Text = "Ask for an address that the pool has (spec.loadBalancerIP or the controller's annotation, in Git), or add this one to the pool"
	case message.HasAny(lower, "sharing key", "already in use", "also in use"):
		fix.Text = "Choose another address in Git: another Service has this one"
	case message.HasAny(lower, "no available ip", "no ips", "exhausted", "not enough"):
		fix.Text = "Add addresses to the controller's address pool, or free one"
	case message.HasAny(lower, "quota", "limit exceeded", "toomany", "limitexceeded"):
		fix.Text = "Raise the limit of the cloud account that it names, or delete load balancers that are no longer needed"
	case message.HasAny(lower, "failed to allocate ip"):
		fix.Text = "Check the controller's address pools: that one has free addresses and may be used by this Service and its namespace"
	}
	return fix
}
