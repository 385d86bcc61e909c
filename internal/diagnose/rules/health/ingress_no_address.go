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
)

// addressThreshold is how long a controller may take to give an address: cloud load balancers need two to three minutes.
const addressThreshold = 5 * time.Minute

var IngressNoAddress = &diagnose.Rule{
	ID:    "health/ingress-no-address",
	Needs: needs,
	Doc: diagnose.Doc{
		Title:    "Ingress has no address",
		What:     "To Argo CD, an Ingress is healthy once status.loadBalancer.ingress has an address. Its controller writes none: there is no controller for its class, the controller rejects the Ingress, or it never publishes addresses (Traefik and nginx behind a NodePort do not by default).",
		Decisive: "status.loadBalancer.ingress is empty for more than five minutes; ingressClassName and the controller's events.",
		Example:  "status: {loadBalancer: {}}",
		Fix:      "Set the right class, or configure the controller to publish an address; if it cannot, replace the health check.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/faq/#why-is-my-application-stuck-in-progressing-state"},
	},
	Sync: alreadyApplied,
	Recognises: about{
		{kind: "networking.k8s.io/Ingress"},
		{kind: "extensions/Ingress"},
	},
	Check: reporting(func(in *diagnose.In, _ *unhealthy.Picture, s *unhealthy.Resource) (diagnose.Finding, bool) {
		if s.Since < addressThreshold && s.Status != "Degraded" {
			return diagnose.Finding{}, false
		}
		class := cmp.Or(s.Object.Text("spec", "ingressClassName"), s.Object.Annotation("kubernetes.io/ingress.class"))
		empty := s.Object != nil && len(s.Object.List("status", "loadBalancer", "ingress")) == 0
		f := diagnose.Finding{
			Confidence: diagnose.CertainIf(empty),
			Title:      fmt.Sprintf("%s has no address", s.Ref),
			Why:        fmt.Sprintf("No controller has written an address into its status%s. Argo CD counts an Ingress as healthy only once it has one.", s.AfterLong()),
			Evidence:   []diagnose.Quote{{From: s.Ref.String(), Text: cmp.Or(s.Text, "status.loadBalancer: no address, health "+s.Status)}},
			Fix: []diagnose.Fix{
				s.Describe("Check its events to see whether a controller has picked it up"),
				{Text: "List the ingress classes and their controllers", Command: "kubectl get ingressclass"},
				{Text: "If its controller never publishes addresses, replace the health check in argocd-cm", Patch: advice.HealthCheck(s.Ref, "always healthy: its controller publishes no address")},
			},
		}
		switch e := pods.LastWarning(s.Events); {
		case e != nil:
			f.Says = says("Its controller says", e.Message)
			f.Fix = []diagnose.Fix{{Text: ingressFix(e.Message)}, s.Describe("Show its rules and events")}
			f.Evidence = append(f.Evidence, diagnose.Quote{From: pods.EventName(e), Text: e.Message})
		case class != "":
			f.Why += fmt.Sprintf(" Its class is %s.", class)
			f.Fix[1] = diagnose.Fix{Text: "Check that this class exists, and that its controller runs", Command: diagnose.Shell("kubectl describe ingressclass %s", class)}
		case s.Object != nil:
			f.Why += " It sets no class (spec.ingressClassName), so only the controller of a default class handles it."
			f.Fix = append([]diagnose.Fix{{Text: "Set the ingress class in Git", Patch: fmt.Sprintf("# on %s\nspec:\n  ingressClassName: CLASS\n", s.Ref)}}, f.Fix...)
		}
		return f, true
	}),
}

// ingressFix is what helps against what the controller of an Ingress reports.
func ingressFix(said string) string {
	switch lower := strings.ToLower(said); {
	case message.HasAny(lower, "accessdenied", "not authorized", "unauthorized", "forbidden", "permission"):
		return "Give the controller the permission that it names, in the cloud account or with a role"
	case message.HasAny(lower, "subnet"):
		return "Tag the subnets so that the controller finds them, or name them in an annotation of the Ingress in Git"
	case message.HasAny(lower, "certificate", "secret", "tls"):
		return "Create the certificate or Secret that it names, or correct the reference in Git"
	case message.HasAny(lower, "service", "backend", "endpoint"):
		return "Correct the backend of its rules in Git, or create the Service that it names"
	}
	return "Correct in Git what its controller names"
}
