package rules

import (
	"cmp"
	"fmt"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/evidence"
)

// addressThreshold is how long a controller may take to give an address: cloud load balancers need two to three minutes.
const addressThreshold = 5 * time.Minute

var healthIngressNoAddress = &diagnose.Rule{
	ID:    "health/ingress-no-address",
	Needs: healthNeeds,
	Doc: diagnose.Doc{
		Title:    "An Ingress gets no address",
		What:     "Argo CD calls an Ingress healthy when status.loadBalancer.ingress holds an address. Its controller writes none: there is no controller for its class, it refuses the Ingress, or it never publishes addresses (Traefik and nginx behind NodePort do not, unless told to).",
		Decisive: "status.loadBalancer.ingress is empty for more than five minutes; ingressClassName and the controller's events.",
		Example:  "status: {loadBalancer: {}}",
		Fix:      "Name the right class, or make the controller publish an address; if it never does, replace the health check.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/faq/#why-is-my-application-stuck-in-progressing-state"},
	},
	Sync: applied,
	Recognises: about{
		{kind: "networking.k8s.io/Ingress"},
		{kind: "extensions/Ingress"},
	},
	Check: reportingHealth(func(in *diagnose.In, _ *sickPicture, s *sickResource) (diagnose.Finding, bool) {
		if s.since < addressThreshold && s.status != "Degraded" {
			return diagnose.Finding{}, false
		}
		class := cmp.Or(s.object.Text("spec", "ingressClassName"), s.object.Annotation("kubernetes.io/ingress.class"))
		empty := s.object != nil && len(s.object.List("status", "loadBalancer", "ingress")) == 0
		f := diagnose.Finding{
			Confidence: diagnose.CertainIf(empty),
			Title:      fmt.Sprintf("%s has no address%s", s.ref, s.afterLong()),
			Why:        fmt.Sprintf("Argo CD calls %s healthy when its controller writes an address into its status, and none has%s.", s.ref, s.forLong()),
			Evidence:   []diagnose.Quote{{From: s.ref.String(), Text: cmp.Or(s.text, "status.loadBalancer: no address, health "+s.status)}},
			Fix: []diagnose.Fix{
				{Text: "See which classes there are and who serves them", Command: "kubectl get ingressclass"},
				s.describe("See whether a controller took it up"),
				{Text: "If its controller never publishes addresses, replace the health check in argocd-cm", Patch: healthCheck(s.ref, "always healthy: its controller publishes no address")},
			},
		}
		switch e := lastWarning(s.events); {
		case e != nil:
			f.Title += ": " + message.Clip(message.OneLine(e.Message), clause)
			f.Why += " Its controller says: " + sentence(e.Message)
			f.Evidence = append(f.Evidence, diagnose.Quote{From: eventName(e), Text: e.Message})
		case class != "":
			f.Why += fmt.Sprintf(" Its class is %s: the controller of that class has to write it.", class)
		case s.object != nil:
			f.Why += " It names no class (spec.ingressClassName): only a controller of a default class takes it up."
			f.Fix = append([]diagnose.Fix{{Text: "Name the class in Git", Patch: fmt.Sprintf("# on %s\nspec:\n  ingressClassName: CLASS\n", s.ref)}}, f.Fix...)
		}
		return f, true
	}),
}

// healthCheck is the key for argocd-cm that replaces the health check of a kind.
func healthCheck(ref evidence.Ref, comment string) string {
	key := ref.Kind
	if ref.Group != "" {
		key = ref.Group + "_" + ref.Kind
	}
	return fmt.Sprintf("data:\n  resource.customizations.health.%s: |\n    hs = {}\n    hs.status = \"Healthy\"   -- %s\n    return hs\n", key, comment)
}
