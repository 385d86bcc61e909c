package compare

import (
	"cmp"
	"fmt"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
	"github.com/argo-why/argo-why/internal/text"
)

var ConversionWebhookUnreachable = &diagnose.Rule{
	ID: "compare/conversion-webhook-unreachable",
	Doc: diagnose.Doc{
		Title:    "A CRD's conversion webhook does not answer",
		What:     "Objects of a custom resource are stored in one version and converted by a webhook when read in another. The webhook does not answer, so they cannot be listed, and Argo CD cannot read the cluster.",
		Decisive: "\"conversion webhook for … failed\".",
		Example:  "conversion webhook for kueue.x-k8s.io/v1beta2, Kind=MultiKueueCluster failed: Post \"https://kueue-webhook-service.kueue-system.svc:443/convert?timeout=30s\": EOF",
		Fix:      "Bring back the service behind the webhook (its operator), or remove a CRD that nobody serves any more.",
	},
	Sync: advice.Blocked("Argo CD cannot list the objects of that kind, and so cannot compare"),
	Check: statement.Each(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		f := &s.Failure
		if !f.HasAll("conversion webhook", "failed") {
			return diagnose.Finding{}, false
		}
		name, service, namespace := f.Webhook()
		at := "its service"
		fix := diagnose.Fix{Text: "Bring the operator that serves it back", Command: "kubectl get crd -o jsonpath='{range .items[?(@.spec.conversion.strategy==\"Webhook\")]}{.metadata.name} {.spec.conversion.webhook.clientConfig.service.namespace}/{.spec.conversion.webhook.clientConfig.service.name}{\"\\n\"}{end}'"}
		if service != "" {
			at = fmt.Sprintf("Service %s in namespace %s", service, namespace)
			fix = diagnose.Fix{Text: "Bring the operator that serves it back", Command: diagnose.Shell("kubectl -n %s get endpoints %s; kubectl -n %s get pods", namespace, service, namespace)}
		}
		return diagnose.Finding{
			Confidence: diagnose.Certain,
			Shared:     "conversion webhook of " + cmp.Or(name, "a custom resource") + advice.OnCluster(in),
			Title:      "the conversion webhook of " + cmp.Or(name, "a custom resource") + " does not answer",
			Why:        fmt.Sprintf("Objects of this kind cannot be read because %s does not answer. Every application on the cluster is hit. %s", at, text.Sentence(message.LastClause(f.Cause))),
			Fix:        []diagnose.Fix{fix},
		}, true
	}),
}
