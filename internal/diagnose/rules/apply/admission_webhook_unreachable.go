package apply

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
	"github.com/argo-why/argo-why/internal/evidence"
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
	Check: refused(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		f := &s.Failure
		if !f.Has("failed calling webhook", "failed to call webhook", "failed calling admission webhook") {
			return diagnose.Finding{}, false
		}
		c := readCall(f)
		out := diagnose.Finding{
			Confidence: diagnose.Certain, OutsideGit: true,
			Shared: c.shared() + advice.OnCluster(in),
			Sync:   advice.Pointless("the API server will refuse the resource " + c.until()),
			Fix:    c.fix(in, statement.Subject(s)),
		}
		c.titled(in, &out, accepted(s))
		if c.trouble == troubleService {
			if step, ok := statement.Misnamed(in, &out, evidence.Ref{Kind: "Service", Namespace: c.namespace, Name: c.service}, "the configuration of the webhook"); ok {
				out.Fix[0], out.OutsideGit = step, false
			}
		}
		if c.why != "" {
			out.Why += " " + c.why
		}
		if !c.stated {
			out.Says = diagnose.Said{Who: "The API server says", Text: c.said}
		}
		return out, true
	}),
}

// accepted is what the API server would accept: a controller creates its pods, and was itself accepted.
func accepted(s *diagnose.Statement) string {
	if s.Derived() {
		return "the pods of " + statement.Name(s) + " (its controller tries again by itself)"
	}
	return statement.Name(s)
}

// titled writes the title with the longest name of the webhook that has room, and in Why the names that it does not have.
func (c *call) titled(in *diagnose.In, out *diagnose.Finding, resource string) {
	called := strings.TrimSpace("webhook " + c.webhook)
	titles := []string{"Admission webhook " + c.webhook, "Webhook " + c.webhook, "Webhook service " + c.service}
	i := slices.IndexFunc(titles, func(t string) bool { return !strings.HasSuffix(t, " ") && in.Fits(t+" "+c.wrong) })
	switch {
	case c.trouble == troubleService:
		out.Short = "An admission webhook's Service is missing"
		out.Title = "Service " + c.service + " of an admission webhook is missing"
	case i < 0:
		out.Title = "An admission webhook " + c.wrong
	default:
		out.Title = titles[i] + " " + c.wrong
		if i < 2 {
			called = "it"
		}
	}
	out.Why = fmt.Sprintf("The API server has to call %s before it accepts %s. Every application with such resources is affected.", called, resource)
}

// until says when a sync helps.
func (c *call) until() string {
	switch c.trouble {
	case troubleExpired, troubleUntrusted, troubleName:
		return "until the webhook's certificate is valid and trusted"
	case troubleOther, troubleService:
		return "until the webhook works again or its configuration is deleted"
	case troublePods, troublePath, troubleUnknown:
	}
	return "until the webhook responds again"
}

// call is a call of a webhook that failed.
type call struct {
	webhook, service, namespace string
	// address is where it is called, for one that is not served from a Service.
	address string
	// said is the error of the call, without its address.
	said string
	// wrong is what is wrong with the webhook, behind its name; stated reports whether that is all there is to say. why is the reason,
	// where it is known.
	wrong, why string
	stated     bool
	trouble    trouble
}

// shared is what other applications depend on as well: the Service, which can serve several webhooks, or the webhook.
func (c call) shared() string {
	if c.service != "" {
		return "admission webhooks of Service " + strings.TrimPrefix(c.namespace+"/"+c.service, "/")
	}
	return "admission webhook " + cmp.Or(c.webhook, "of the cluster")
}

// trouble is what has to be done about a webhook.
type trouble int

const (
	troubleUnknown   trouble = iota
	troublePods              // its pods are not ready, or do not answer
	troublePath              // its pods may be well, but the API server does not get to them
	troubleService           // its Service is missing
	troubleOther             // what answers is not, or no longer, this webhook
	troubleExpired           // its certificate has expired
	troubleUntrusted         // its certificate is signed by another CA than the configuration has
	troubleName              // its certificate is for another name
)

// address is where the API server calls a webhook.
var address = pattern.MustCompile(`Post "(https://[^"?]+)`)

// callFailed is where the error of a call begins.
var callFailed = pattern.MustCompile(`(?:Post "[^"]*": |failed to call webhook: |failed calling (?:admission )?webhook "[^"]*": )`)

// readCall finds out which call failed, and why.
func readCall(f *message.Failure) call {
	var c call
	name, service, namespace := f.Webhook()
	c.webhook, c.service, c.namespace = cmp.Or(name, service), service, namespace
	if m := address.FindStringSubmatch(f.Cause); m != nil {
		c.address = m[1]
	}
	if all := callFailed.FindAllStringIndex(f.Cause, -1); all != nil {
		c.said = f.Cause[all[len(all)-1][1]:]
	}
	if strings.HasPrefix(c.said, "Post ") { // the text ends with the address
		c.said = ""
	}
	switch n := f.Network(); {
	case f.Has("no endpoints available", "connect to service"):
		c.wrong, c.stated, c.trouble = "has no ready pod", true, troublePods
	case f.HasAll("service", "not found"):
		c.wrong, c.stated, c.trouble = "points to a missing Service", true, troubleService
	case f.Has("could not find the requested resource", "404"):
		c.wrong, c.why, c.stated, c.trouble = "answers 404 Not Found", "What serves it does not know the path in its configuration, which is usually left over from another version.", true, troubleOther
	case f.Has("expected webhook response", "invalid character"):
		c.wrong, c.trouble = "returns no valid response", troubleOther
	case n == message.NetworkTLS && f.Has("has expired"):
		c.wrong, c.trouble = "has an expired certificate", troubleExpired
	case n == message.NetworkTLS && f.Has("is valid for", "any sans", "common name", "cannot validate certificate for"):
		c.wrong, c.trouble = "has a certificate for another name", troubleName
	case n == message.NetworkTLS:
		c.wrong, c.trouble = "fails TLS verification", troubleUntrusted
	case n == message.NetworkDNS:
		c.wrong, c.trouble = "does not resolve", troublePath
	case n == message.NetworkRefused:
		c.wrong, c.stated, c.trouble = "refuses connections", true, troublePods
	case n == message.NetworkTimeout, f.Has("deadline exceeded"):
		c.wrong, c.stated, c.trouble = "does not respond in time", true, troublePath
	case n == message.NetworkReset:
		c.wrong, c.trouble = "drops the connection", troublePods
	case f.Has("has prevented the request from succeeding"):
		c.wrong, c.trouble = "returns an error", troublePods
	default:
		c.wrong, c.trouble = "cannot be called", troublePath
	}
	return c
}

// fix brings the webhook back, or removes what is left of it.
func (c *call) fix(in *diagnose.In, refused evidence.Ref) []diagnose.Fix {
	leftover := diagnose.Fix{Text: "If the webhook is no longer used, delete its configuration, which this finds; it then no longer checks anything", Command: configurationOf(c.webhook)}
	if c.trouble == troubleService {
		return []diagnose.Fix{
			{Text: fmt.Sprintf("Restore Service %s in namespace %s, which serves the webhook; this lists what is there", c.service, c.namespace), Command: diagnose.Shell("kubectl -n %s get services,pods", c.namespace)},
			leftover,
		}
	}
	if c.trouble == troubleOther {
		leftover.Text = "Delete the configuration if it is left over, or correct its path; this finds it"
		out := []diagnose.Fix{leftover}
		if c.service != "" {
			out = append(out, c.pods("Otherwise install the version of the operator that the configuration belongs to; this shows its pods"))
		}
		return out
	}
	out := c.repair()
	if own := c.own(in); own != nil && !earlier(in, own, refused) {
		out = append([]diagnose.Fix{{Text: fmt.Sprintf("%s is part of this application: apply it, and what is behind it, in an earlier sync wave than what the webhook checks", own.Ref())}}, out...)
	}
	if c.service == "" && c.address != "" {
		out = append(out, diagnose.Fix{Text: "Make the webhook reachable for the API server again at " + c.address})
	}
	if len(out) == 0 { // the text does not say where it is served
		leftover.Text = "Get what serves the webhook running and reachable for the API server again, or delete its configuration if it is no longer used; this shows its configuration and Service"
	}
	return append(out, leftover)
}

// repair are the steps for the trouble itself.
func (c *call) repair() []diagnose.Fix {
	certificate := func(step string) []diagnose.Fix {
		out := []diagnose.Fix{{Text: step + "; this shows its configuration and what fills in its CA", Command: certificateOf(c.webhook)}}
		if c.service != "" {
			out = append(out, c.pods("Check the webhook's Service and pods"))
		}
		return out
	}
	switch c.trouble {
	case troubleExpired:
		return certificate("Renew the webhook's certificate")
	case troubleName:
		return certificate("Issue the webhook's certificate for the name that it is called by" + message.After(", ", c.host()))
	case troubleUntrusted:
		return certificate("Put the CA that signed the webhook's certificate into caBundle. cert-manager does it where CA-FROM names a certificate; otherwise the operator behind the webhook usually does when it starts, so restart that")
	case troublePath, troublePods, troubleUnknown, troubleService, troubleOther:
	}
	step := "Get the webhook's pods running and ready"
	if c.trouble == troublePath {
		step += ", and let the control plane connect to their port (firewall, network policy, the network of their node)"
	}
	if c.service == "" {
		return nil
	}
	return []diagnose.Fix{c.pods(step)}
}

// pods is the step that shows what serves the webhook.
func (c *call) pods(text string) diagnose.Fix {
	return diagnose.Fix{Text: text, Command: diagnose.Shell("kubectl -n %s get endpoints,pods; kubectl -n %s describe service %s", c.namespace, c.namespace, c.service)}
}

// host is the name that the API server calls; empty where the text has none.
func (c *call) host() string {
	if c.service == "" {
		return ""
	}
	return c.service + "." + c.namespace + ".svc"
}

// own is the Service behind the webhook if this application has it.
func (c *call) own(in *diagnose.In) *evidence.ResourceStatus {
	if c.service == "" {
		return nil
	}
	return in.Resource(evidence.Ref{Kind: "Service", Namespace: c.namespace, Name: c.service})
}

// earlier reports whether a resource is in an earlier sync wave than another one already.
func earlier(in *diagnose.In, r *evidence.ResourceStatus, than evidence.Ref) bool {
	later := in.Resource(than)
	return later != nil && r.SyncWave < later.SyncWave
}

// certificateOf is the command that shows what fills in the CA of a webhook's configuration.
func certificateOf(webhook string) string {
	return "kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations -o custom-columns='KIND:.kind,CONFIGURATION:.metadata.name,WEBHOOKS:.webhooks[*].name,CA-FROM:.metadata.annotations.cert-manager\\.io/inject-ca-from'" +
		diagnose.Shell(" | grep -F -e CONFIGURATION -e %s", webhook)
}
