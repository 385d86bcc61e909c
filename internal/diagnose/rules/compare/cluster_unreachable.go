package compare

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
)

var ClusterUnreachable = &diagnose.Rule{
	ID: "compare/cluster-unreachable",
	Doc: diagnose.Doc{
		Title:    "Destination cluster cannot be read",
		What:     "Argo CD cannot connect to the cluster's API server, or cannot cache the cluster: network, certificate, expired credentials, or an API that does not respond. Every application on the cluster is affected.",
		Decisive: "Reading the live state fails because of the network, the credentials or the API server itself.",
		Example:  "failed to get cluster info for \"https://10.0.0.1:6443\": error synchronizing cache state : Get \"https://10.0.0.1:6443/version?timeout=32s\": dial tcp 10.0.0.1:6443: i/o timeout",
		Fix:      "Fix the connection to the cluster, or Argo CD's credentials for it.",
	},
	Sync: advice.Blocked("it cannot read the cluster it would sync to"),
	Check: statement.Each(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		f := &s.Failure
		if !isLive(f) || f.Has("is not managed", "in namespaced mode") {
			return diagnose.Finding{}, false
		}
		d := in.App().Spec.Destination
		cluster := cmp.Or(d.Name, d.Server, f.Host(), "the cluster")
		short := strings.TrimSuffix(strings.TrimPrefix(cluster, "https://"), "/")
		out := diagnose.Finding{
			Confidence: diagnose.Certain,
			Shared:     "cluster " + cluster,
			Title:      "Cluster " + short + " cannot be read",
			Why:        "Every application on this cluster is affected.",
			Says:       diagnose.Said{Who: "Argo CD says", Text: f.Line(message.MaxClause)},
		}
		see := advice.SeeConnection(in, "Check how Argo CD sees its connection to the cluster")
		var fix []diagnose.Fix
		switch n := f.Network(); {
		case f.Has("getting credentials", "oauth2: cannot fetch token", "cannot fetch token"):
			out.Title = "Argo CD gets no credentials for cluster " + short
			fix = credentials(in, f, &out)
		case n == message.NetworkTLS:
			out.Title = n.Trouble("cluster " + short)
			fix = certificate(f)
		case f.Has("unauthorized", "provide credentials"):
			out.Title, out.Short = "Cluster "+short+" rejects Argo CD's login", "Destination cluster rejects Argo CD's login"
			fix, see = advice.RenewLogin(in), diagnose.Fix{}
		case f.Has("too many requests", "in the time allotted", "client rate limiter", "etcdserver"):
			out.Title, out.Short = "Cluster "+short+" is too slow to be read", "Destination cluster is too slow to be read"
			out.Why = "Its API server is overloaded or throttles Argo CD. " + out.Why
			fix = []diagnose.Fix{{Text: "Check that the API server is ready and what loads it; Argo CD tries again by itself", Command: "kubectl get --raw '/readyz?verbose'"}}
		case n == message.NetworkProxy:
			out.Title = n.Trouble("cluster " + short)
			see.Text = "Check the proxy that Argo CD uses (HTTPS_PROXY of the controller, proxyUrl in the cluster's secret); this shows the state of the connection"
		case n == message.NetworkDNS:
			out.Title = n.Trouble("cluster " + short)
			see.Text = "Correct the server URL of the cluster in Argo CD, or the DNS that the controller uses; this shows the state of the connection"
		case n != message.NetworkOK:
			out.Title = n.Trouble("cluster " + short)
			see.Text = "Check that the API server is running and that the application controller can reach it: firewall, network policy, or a proxy that the controller needs and that only other components have (HTTPS_PROXY and NO_PROXY, or proxyUrl in the cluster's secret); this shows the state of the connection"
		case f.Has("k8s rest config", "parse proxy url"):
			out.Title = "Cluster secret of " + short + " is not usable"
			fix = []diagnose.Fix{{Text: "Correct the cluster's secret; this lists the secrets of all clusters", Command: diagnose.Shell("kubectl -n %s get secrets -l argocd.argoproj.io/secret-type=cluster", advice.ArgoNamespace(in))}}
		case f.Has("schemaerror"):
			out.Title, out.Short = "Cluster "+short+" has an API whose schema is not valid", "An API schema of the destination cluster is not valid"
			out.Why = "Argo CD reads the schemas of all APIs before it compares. " + out.Why
			fix = []diagnose.Fix{{Text: "Correct or upgrade the CRD or the aggregated API that defines " + schemaOf(f)}}
		case f.Has("unable to retrieve the complete list of server apis", "stale groupversion discovery", "unable to handle the request", "openapi"):
			fix = aggregated(f, &out)
		default:
			out.Confidence = diagnose.Likely
		}
		m := kindRead.FindStringSubmatch(f.Flat())
		if m != nil && len(fix) > 0 && strings.Contains(m[2], ".") && f.Has("in the time allotted", "too many requests") { // reports and the like, of which there are thousands
			out.Why = fmt.Sprintf("Argo CD was listing %s. ", advice.Dotted(m[1], m[2])) + out.Why
			fix = append(fix, ignoreKind(in, m[1], m[2]))
		}
		if n := f.Network(); m != nil && len(fix) == 0 && (n == message.NetworkOK || n == message.NetworkReset) {
			out.Title = "Argo CD cannot list " + advice.Dotted(m[1], m[2])
			out.Why = "Argo CD lists every kind of resource before it compares, so every application on this cluster is affected."
			fix = []diagnose.Fix{{Text: "See what the API server answers", Command: diagnose.Shell("kubectl get %s -A", strings.ToLower(advice.Dotted(m[1], m[2])))}}
			if strings.Contains(m[2], ".") { // nobody does without the kinds of Kubernetes itself
				fix = append(fix, ignoreKind(in, m[1], m[2]))
			}
		}
		out.Fix = fix
		if see.Command != "" {
			out.Fix = append(out.Fix, see)
		}
		return out, true
	}),
}

// plugin is the program that gets credentials, and how it failed.
var plugin = pattern.MustCompile(`exec: executable (\S+) (not found|failed with exit code \d+.*)`)

// credentials are the steps for a cluster whose credentials come from a program or a token service.
func credentials(in *diagnose.In, f *message.Failure, out *diagnose.Finding) []diagnose.Fix {
	logs := diagnose.Shell("kubectl -n %s logs %s --since=10m", advice.ArgoNamespace(in), advice.Controller(in))
	m := plugin.FindStringSubmatch(f.Cause)
	switch {
	case m == nil:
		return []diagnose.Fix{{Text: "Check the identity that Argo CD gets its token with, and whether it has access to the cluster; the controller's log has more", Command: logs}}
	case m[2] == "not found":
		out.Why = fmt.Sprintf("The cluster's secret has Argo CD run %s, which is not in its image. %s", m[1], out.Why)
		out.Says = diagnose.Said{}
		return []diagnose.Fix{{Text: fmt.Sprintf("Use argocd-k8s-auth in the cluster's secret (awsAuthConfig, or execProviderConfig), or add %s to the image of the controller and the API server; this lists the secrets of all clusters", m[1]), Command: diagnose.Shell("kubectl -n %s get secrets -l argocd.argoproj.io/secret-type=cluster", advice.ArgoNamespace(in))}}
	}
	out.Says.Text = m[1] + " " + m[2]
	return []diagnose.Fix{{Text: "Read the credential helper's error in the controller's log, and check role, trust policy and network", Command: logs}}
}

// schema is a type whose schema is not valid: "SchemaError(io.k8s.api.Foo): …".
var schema = pattern.MustCompile(`SchemaError\(([^)]+)\)`)

func schemaOf(f *message.Failure) string {
	if m := schema.FindStringSubmatch(f.Text); m != nil {
		return m[1]
	}
	return "it"
}

// apiVersion is an aggregated API that does not answer: "metrics.k8s.io/v1beta1: the server is currently …".
var apiVersion = pattern.MustCompile(`server APIs: ([a-z0-9.\-]+)/(v[a-z0-9]+):`)

// aggregated is the step for an API that another server than the API server serves.
func aggregated(f *message.Failure, out *diagnose.Finding) []diagnose.Fix {
	if m := apiVersion.FindStringSubmatch(f.Text); m != nil {
		out.Title = "Aggregated API " + m[1] + " is unavailable"
		out.Why = "Argo CD reads which APIs the cluster has, and this one is served by a service that does not answer. " + out.Why
		return []diagnose.Fix{{Text: "Fix the service behind it, or delete the APIService if it is no longer used; this shows why it is unavailable", Command: diagnose.Shell("kubectl get apiservice %s.%s -o yaml", m[2], m[1])}}
	}
	out.Title, out.Short = strings.TrimSuffix(out.Title, " cannot be read")+" has an API that is unavailable", "An API of the destination cluster is unavailable"
	out.Why = "Argo CD reads which APIs the cluster has, and the API server cannot say: usually the service behind an aggregated API is down. " + out.Why
	return []diagnose.Fix{{Text: "Find the aggregated API that is unavailable, and fix the service behind it", Command: `kubectl get apiservices -o custom-columns='NAME:.metadata.name,SERVICE:.spec.service.name,AVAILABLE:.status.conditions[?(@.type=="Available")].status'`}}
}

// certificate is the step for an API server whose certificate Argo CD does not accept.
func certificate(f *message.Failure) []diagnose.Fix {
	address := advice.WithPort(cmp.Or(f.Host(), "HOST"), "443")
	if f.Has("has expired") && f.Has(" is after ") {
		return []diagnose.Fix{{Text: "Renew the API server's certificate; this prints its dates", Command: diagnose.Shell("openssl s_client -connect %s </dev/null | openssl x509 -noout -dates", address)}}
	}
	if f.Has("is valid for", "any sans", "cannot validate certificate for") {
		return []diagnose.Fix{
			{Text: "Use one of the certificate's names as the server URL of the cluster, or set tlsClientConfig.serverName in its secret to one of them; this prints the names", Command: diagnose.Shell("openssl s_client -connect %s </dev/null | openssl x509 -noout -ext subjectAltName", address)},
			{Text: "Or issue the API server's certificate for this address as well"},
		}
	}
	return []diagnose.Fix{{Text: "Check whether the API server's certificate is valid and signed by the CA in the cluster's secret; if the CA is another one now, put it into caData of that secret", Command: diagnose.Shell("openssl s_client -connect %s </dev/null", address)}}
}
