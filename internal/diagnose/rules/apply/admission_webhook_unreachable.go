package apply

import (
	"cmp"
	"fmt"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
	"github.com/argo-why/argo-why/internal/text"
)

var AdmissionWebhookUnreachable = &diagnose.Rule{
	ID:    "apply/admission-webhook-unreachable",
	Needs: statement.RefusalNeeds,
	Doc: diagnose.Doc{
		Title:    "An admission webhook does not answer",
		What:     "The API server must ask a webhook before it accepts the resource, and the webhook does not answer: no pods behind its service, a network policy, or a certificate that is not trusted. It breaks every application with such resources.",
		Decisive: "\"failed calling webhook\".",
		Example:  "Internal error occurred: failed calling webhook \"webhook.cert-manager.io\": Post \"https://cert-manager-webhook.cert-manager.svc:443/mutate?timeout=10s\": no endpoints available for service \"cert-manager-webhook\"",
		Fix:      "Bring the webhook's pods back, or renew its certificate and caBundle. In an emergency, remove a webhook configuration nobody serves.",
	},
	Sync: advice.Pointless("the API server refuses until the webhook answers"),
	Check: statement.Refused(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		f := &s.Failure
		if !f.Has("failed calling webhook", "failed to call webhook", "failed calling admission webhook") {
			return diagnose.Finding{}, false
		}
		name, service, namespace := f.Webhook()
		n := f.Network()
		why := "it does not answer"
		switch {
		case f.Has("no endpoints available", "connect to service"):
			why = "no pod is ready behind its service"
		case f.HasAll("service", "not found"):
			why = "its service does not exist"
		case n != message.NetworkOK:
			why = string(n)
		}
		out := diagnose.Finding{
			Confidence: diagnose.Certain,
			Shared:     "admission webhook " + cmp.Or(name, service, "of the cluster") + advice.OnCluster(in),
			Title:      fmt.Sprintf("admission webhook %s does not answer (%s)", cmp.Or(name, service), why),
			Why:        fmt.Sprintf("The API server may not accept %s without asking webhook %s, and cannot ask it: %s. Every application with such resources is hit. %s", statement.Name(s), cmp.Or(name, service), why, text.Sentence(message.LastClause(f.Cause))),
		}
		if service != "" {
			out.Fix = append(out.Fix, diagnose.Fix{Text: fmt.Sprintf("Bring service %s in namespace %s back", service, namespace), Command: diagnose.Shell("kubectl -n %s get endpoints,pods; kubectl -n %s describe service %s", namespace, namespace, service)})
		}
		if n == message.NetworkTLS {
			out.Fix = append(out.Fix, diagnose.Fix{Text: "Renew the webhook's certificate, or put the CA that signed it into caBundle", Command: diagnose.Shell("kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations -o yaml | grep -B20 -A5 %s", cmp.Or(name, service))})
		}
		out.Fix = append(out.Fix, diagnose.Fix{Text: "If nothing serves it any more, remove its configuration (it then no longer guards anything)", Command: "kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations -o custom-columns='KIND:.kind,NAME:.metadata.name,SERVICE:.webhooks[*].clientConfig.service.name'"})
		return out, true
	}),
}
