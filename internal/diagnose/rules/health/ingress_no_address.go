package health

import (
	"cmp"
	"fmt"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pods"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
	"github.com/argo-why/argo-why/internal/text"
)

// addressThreshold is how long a controller may take to give an address: cloud load balancers need two to three minutes.
const addressThreshold = 5 * time.Minute

var IngressNoAddress = &diagnose.Rule{
	ID:    "health/ingress-no-address",
	Needs: needs,
	Doc: diagnose.Doc{
		Title:    "An Ingress gets no address",
		What:     "Argo CD calls an Ingress healthy when status.loadBalancer.ingress holds an address. Its controller writes none: there is no controller for its class, it refuses the Ingress, or it never publishes addresses (Traefik and nginx behind NodePort do not, unless told to).",
		Decisive: "status.loadBalancer.ingress is empty for more than five minutes; ingressClassName and the controller's events.",
		Example:  "status: {loadBalancer: {}}",
		Fix:      "Name the right class, or make the controller publish an address; if it never does, replace the health check.",
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
			Title:      fmt.Sprintf("%s has no address%s", s.Ref, s.AfterLong()),
			Why:        fmt.Sprintf("Argo CD calls %s healthy when its controller writes an address into its status, and none has%s.", s.Ref, s.ForLong()),
			Evidence:   []diagnose.Quote{{From: s.Ref.String(), Text: cmp.Or(s.Text, "status.loadBalancer: no address, health "+s.Status)}},
			Fix: []diagnose.Fix{
				{Text: "See which classes there are and who serves them", Command: "kubectl get ingressclass"},
				s.Describe("See whether a controller took it up"),
				{Text: "If its controller never publishes addresses, replace the health check in argocd-cm", Patch: advice.HealthCheck(s.Ref, "always healthy: its controller publishes no address")},
			},
		}
		switch e := pods.LastWarning(s.Events); {
		case e != nil:
			f.Title += ": " + text.Clip(text.OneLine(e.Message), message.MaxClause)
			f.Why += " Its controller says: " + text.Sentence(e.Message)
			f.Evidence = append(f.Evidence, diagnose.Quote{From: pods.EventName(e), Text: e.Message})
		case class != "":
			f.Why += fmt.Sprintf(" Its class is %s: the controller of that class has to write it.", class)
		case s.Object != nil:
			f.Why += " It names no class (spec.ingressClassName): only a controller of a default class takes it up."
			f.Fix = append([]diagnose.Fix{{Text: "Name the class in Git", Patch: fmt.Sprintf("# on %s\nspec:\n  ingressClassName: CLASS\n", s.Ref)}}, f.Fix...)
		}
		return f, true
	}),
}
