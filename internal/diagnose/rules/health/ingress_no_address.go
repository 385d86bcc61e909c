package health

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pods"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
	"github.com/argo-why/argo-why/internal/evidence"
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
	Check: reporting(func(in *diagnose.In, p *unhealthy.Picture, s *unhealthy.Resource) (diagnose.Finding, bool) {
		if s.Since < addressThreshold && s.Status != "Degraded" {
			return diagnose.Finding{}, false
		}
		class := s.Object.Text("spec", "ingressClassName")
		annotated := s.Object.Annotation("kubernetes.io/ingress.class")
		empty := s.Object != nil && len(s.Object.List("status", "loadBalancer", "ingress")) == 0
		f := diagnose.Finding{
			Confidence: diagnose.CertainIf(empty),
			Title:      fmt.Sprintf("%s has no address", s.Ref),
			Why:        fmt.Sprintf("No controller has written an address into its status%s. Argo CD counts an Ingress as healthy only once it has one.", s.AfterLong()),
			Evidence:   []diagnose.Quote{{From: s.Ref.String(), Text: cmp.Or(s.Text, "status.loadBalancer: no address, health "+s.Status)}},
			Fix: []diagnose.Fix{
				s.Describe("Check its events to see whether a controller has picked it up"),
				{Text: "List the ingress classes and their controllers", Command: "kubectl get ingressclass"},
				advice.HealthCheck(in, "If its controller never publishes addresses, replace the health check of all Ingresses", s.Ref, "always healthy: its controller publishes no address"),
			},
		}
		switch e := pods.LastWarning(s.Events); {
		case e != nil:
			f.Says = says("Its last warning says", e.Message)
			f.Fix = []diagnose.Fix{{Text: ingressFix(e.Message)}, s.Describe("Show its rules and events")}
			if steps := endpointSteps(e.Message); steps != nil {
				f.Title, f.Whole, f.OutsideGit = fmt.Sprintf("%s: controller cannot reach %s", s.Ref, hostUnreached(e.Message)), true, true
				f.Short = "Ingress: its controller cannot reach a host"
				if message.CannotResolve(e.Message) {
					f.Title, f.Short = fmt.Sprintf("%s: controller cannot resolve %s", s.Ref, hostUnreached(e.Message)), "Ingress: its controller cannot resolve a host"
				}
				f.Fix = append(steps, f.Fix[1:]...)
			}
			f.Evidence = append(f.Evidence, diagnose.Quote{From: pods.EventName(e), Text: e.Message})
		case class != "":
			f.Why += fmt.Sprintf(" Its class is %s.", class)
			f.Fix[1].Text = fmt.Sprintf("Check that class %s exists, and that its controller runs", class)
			f.Fix = slices.Insert(f.Fix, 2, publishes(class)...)
		case annotated != "":
			f.Why += fmt.Sprintf(" Its class is %s (annotation kubernetes.io/ingress.class).", annotated)
			f.Fix[1] = diagnose.Fix{Text: fmt.Sprintf("Check that a controller for class %s runs: if other Ingresses of that class have an address, it does", annotated), Command: "kubectl get ingress -A"}
			f.Fix = slices.Insert(f.Fix, 2, publishes(annotated)...)
		case s.Object != nil:
			f.Why += " It sets no class (spec.ingressClassName), so only the controller of a default class handles it."
			f.Fix = slices.Insert(f.Fix, 2, diagnose.Fix{Text: "If none of them is marked as the default, set one of them in Git", Patch: fmt.Sprintf("# on %s\nspec:\n  ingressClassName: CLASS\n", s.Ref)})
		}
		if made := servedBy(p, s); made != nil && f.Says.Text == "" {
			f.Why += fmt.Sprintf(" Its controller did pick it up: %s, which it made of it, is Healthy.", made.Ref())
			f.Fix = []diagnose.Fix{
				{Text: "Let Argo CD leave this Ingress out of the application's health: its controller writes the address elsewhere. Set this in Git", Patch: fmt.Sprintf("# on %s\nmetadata:\n  annotations:\n    argocd.argoproj.io/ignore-healthcheck: \"true\"\n", s.Ref)},
				f.Fix[0],
			}
			f.Fix[1].Text = "Show its class, rules and events"
		}
		return f, true
	}),
}

// servedBy is the Ingress with an address that a controller made of another one; nil where there is none.
func servedBy(p *unhealthy.Picture, s *unhealthy.Resource) *evidence.Node {
	owned := p.Descendants(s.Ref)
	for i := range owned {
		if n := &owned[i]; n.Kind == "Ingress" && n.HealthStatus() == "Healthy" {
			return n
		}
	}
	return nil
}

// publishes is the step to what a controller publishes as the address of an Ingress, for those of which that is known.
func publishes(class string) []diagnose.Fix {
	said := "If no Ingress of that class has an address, check that the controller's own Service has one: that is what it publishes"
	switch lower := strings.ToLower(class); {
	case strings.Contains(lower, "traefik"):
		said += ". Traefik does so only with providers.kubernetesIngress.publishedService.enabled: true in its Helm values"
	case !strings.Contains(lower, "nginx"):
		return nil
	}
	return []diagnose.Fix{{Text: said, Command: "kubectl get services -A | grep -E '^NAMESPACE|LoadBalancer'"}}
}

// ingressFix is what helps against what the controller of an Ingress reports.
func ingressFix(said string) string {
	switch lower := strings.ToLower(said); {
	case message.HasAny(lower, "accessdenied", "not authorized", "unauthorized", "forbidden", "permission"):
		if deniedAction.MatchString(said) {
			return "Grant that permission to the controller, in the cloud account"
		}
		return "Give the controller the permission that it names, in the cloud account or with a role"
	case message.HasAny(lower, "subnet"):
		return "Tag the subnets so that the controller finds them, or name them in an annotation of the Ingress in Git"
	case message.HasAny(lower, "certificate", "secret", "tls"):
		return "Create the certificate or Secret that it names, or correct the reference in Git"
	case message.HasAny(lower, "service", "backend", "endpoint"):
		return "Correct the backend of its rules in Git, or create the Service that it names"
	}
	return "Correct what this names in Git or in the cloud account"
}
