package compare

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
)

var ConversionWebhookUnreachable = &diagnose.Rule{
	ID: "compare/conversion-webhook-unreachable",
	Doc: diagnose.Doc{
		Title:    "CRD conversion webhook fails",
		What:     "Custom resources are stored in one version, and a webhook converts them when they are read in another. The webhook fails, so they cannot be listed, and Argo CD cannot read the cluster.",
		Decisive: "\"conversion webhook for … failed\".",
		Example:  "conversion webhook for kueue.x-k8s.io/v1beta2, Kind=MultiKueueCluster failed: Post \"https://kueue-webhook-service.kueue-system.svc:443/convert?timeout=30s\": EOF",
		Fix:      "Get the service behind the webhook (its operator) running again, or remove the CRD if its operator is gone for good.",
	},
	Sync: advice.Blocked("it cannot list the objects of this kind, so it cannot compare"),
	Check: statement.Each(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		f := &s.Failure
		if !f.HasAll("conversion webhook", "failed") {
			return diagnose.Finding{}, false
		}
		name, service, namespace := f.Webhook()
		at := "the service behind it"
		kind := "a custom resource"
		if _, k, ok := strings.Cut(name, "Kind="); ok {
			kind = k
		}
		fix := diagnose.Fix{Text: "Find the service behind the webhook, and get its operator running again", Command: "kubectl get crd -o jsonpath='{range .items[?(@.spec.conversion.strategy==\"Webhook\")]}{.metadata.name} {.spec.conversion.webhook.clientConfig.service.namespace}/{.spec.conversion.webhook.clientConfig.service.name}{\"\\n\"}{end}'"}
		if service != "" {
			at = fmt.Sprintf("Service/%s in namespace %s", service, namespace)
			fix = diagnose.Fix{Text: "Get the operator that serves the webhook running again, starting with its endpoints and pods", Command: diagnose.Shell("kubectl -n %s get services,endpoints,pods", namespace)}
		}
		if service != "" && f.HasAll("service", "not found") {
			fix.Text = fmt.Sprintf("Install the operator that serves the webhook on this cluster, or correct spec.conversion of the CRD if the service has another name: %s does not exist", at)
		}
		fixes := []diagnose.Fix{fix}
		if service != "" && f.Network() == message.NetworkTLS {
			fix.Text = "Check the operator that serves the webhook: its endpoints and pods"
			fixes = []diagnose.Fix{{Text: fmt.Sprintf("Renew the webhook's certificate for %s.%s.svc, and put the CA that signed it into the CRD (spec.conversion.webhook.clientConfig.caBundle)", service, namespace)}, fix}
		}
		why := "and Argo CD lists them before it compares. Every application on this cluster is affected."
		var sync diagnose.Advice // the rule's own where it keeps Argo CD from comparing
		if s.Result != nil {
			sync = advice.Pointless("the API server cannot convert these objects until the webhook responds")
			why = "and to write them. Every application with such objects is affected."
		}
		return diagnose.Finding{
			Confidence: diagnose.Certain, OutsideGit: true, Sync: sync,
			Shared: "conversion webhook of " + cmp.Or(name, "a custom resource") + advice.OnCluster(in),
			Title:  "Conversion webhook of " + kind + " fails",
			Why:    fmt.Sprintf("The API server needs %s to read these objects, %s", at, why),
			Says:   diagnose.Said{Who: "The API server says", Text: f.Line(message.MaxClause)},
			Fix:    fixes,
		}, true
	}),
}
