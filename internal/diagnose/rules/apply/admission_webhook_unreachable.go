package apply

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
)

var AdmissionWebhookUnreachable = &diagnose.Rule{
	ID:    "apply/admission-webhook-unreachable",
	Needs: statement.RefusalNeeds,
	Doc: diagnose.Doc{
		Title:    "Admission webhook cannot be reached",
		What:     "The API server has to call a webhook before it accepts the resource, and cannot reach it: its Service has no ready pods, a network policy is in the way, or its certificate is not trusted. Every application with such resources is affected.",
		Decisive: "\"failed calling webhook\".",
		Example:  "Internal error occurred: failed calling webhook \"webhook.cert-manager.io\": Post \"https://cert-manager-webhook.cert-manager.svc:443/mutate?timeout=10s\": no endpoints available for service \"cert-manager-webhook\"",
		Fix:      "Get the webhook's pods running again, or renew its certificate and caBundle. If the webhook is no longer used, delete its configuration.",
	},
	Sync: advice.Pointless("the API server will refuse the resource until the webhook is reachable again"),
	Check: statement.Refused(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		f := &s.Failure
		if !f.Has("failed calling webhook", "failed to call webhook", "failed calling admission webhook") {
			return diagnose.Finding{}, false
		}
		name, service, namespace := f.Webhook()
		webhook := cmp.Or(name, service)
		wrong, stated := unreachable(f)
		out := diagnose.Finding{
			Confidence: diagnose.Certain, OutsideGit: true,
			Shared: "admission webhook " + cmp.Or(webhook, "of the cluster") + advice.OnCluster(in),
			Title:  fmt.Sprintf("Admission webhook %s %s", webhook, wrong),
			Why:    fmt.Sprintf("The API server has to call it before it accepts %s. Every application with such resources is affected.", statement.Name(s)),
			Fix:    webhookFix(f, webhook, service, namespace),
		}
		if !fits(out.Title) {
			out.Title = "An admission webhook " + wrong
			if webhook != "" {
				out.Why = fmt.Sprintf("The API server has to call webhook %s before it accepts %s. Every application with such resources is affected.", webhook, statement.Name(s))
			}
		}
		if !stated {
			out.Says = diagnose.Said{Who: "The API server says", Text: callError(f)}
		}
		return out, true
	}),
}

// unreachable is what is wrong with the webhook, behind its name; stated reports whether that is all there is to say.
func unreachable(f *message.Failure) (wrong string, stated bool) {
	switch n := f.Network(); {
	case f.Has("no endpoints available", "connect to service"):
		return "has no ready pod", true
	case f.HasAll("service", "not found"):
		return "points to a missing Service", true
	case n == message.NetworkTLS:
		return "fails TLS verification", false
	case n == message.NetworkRefused:
		return "refuses connections", true
	case n == message.NetworkTimeout:
		return "does not respond in time", true
	}
	return "cannot be called", false
}

// callError is why the webhook could not be called, without its address; empty where nothing else is said.
func callError(f *message.Failure) string {
	_, said, _ := strings.Cut(f.Cause, `Post "`)
	_, said, _ = strings.Cut(said, `": `)
	return message.LastClause(said)
}

// address is where the API server calls a webhook.
var address = regexp.MustCompile(`Post "(https://[^"?]+)`)

// webhookFix brings the webhook back.
func webhookFix(f *message.Failure, webhook, service, namespace string) []diagnose.Fix {
	var out []diagnose.Fix
	if f.Network() == message.NetworkTLS {
		out = append(out, diagnose.Fix{Text: "Renew the webhook's certificate, or put the CA that signed it into caBundle; this shows the configuration", Command: diagnose.Shell("kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations -o yaml | grep -B20 -A5 %s", webhook)})
	}
	if service != "" {
		text := "Get the webhook's pods running and ready"
		if f.HasAll("service", "not found") {
			text = fmt.Sprintf("Restore Service %s in namespace %s, which serves the webhook", service, namespace)
		} else if f.Network() == message.NetworkTLS {
			text = "Check the webhook's Service and pods"
		}
		out = append(out, diagnose.Fix{Text: text, Command: diagnose.Shell("kubectl -n %s get endpoints,pods; kubectl -n %s describe service %s", namespace, namespace, service)})
	}
	if address := address.FindStringSubmatch(f.Cause); service == "" && address != nil {
		out = append(out, diagnose.Fix{Text: "Make the webhook reachable for the API server again at " + address[1]})
	}
	return append(out, diagnose.Fix{Text: "If the webhook is no longer used, find and delete its configuration; it then no longer checks anything", Command: "kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations -o custom-columns='KIND:.kind,NAME:.metadata.name,SERVICE:.webhooks[*].clientConfig.service.name'"})
}
