package compare

import (
	"cmp"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
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
		if !isLive(f) || f.Has("is not managed") {
			return diagnose.Finding{}, false
		}
		d := in.App().Spec.Destination
		cluster := cmp.Or(d.Name, d.Server, f.Host(), "the cluster")
		short := strings.TrimPrefix(cluster, "https://")
		out := diagnose.Finding{
			Confidence: diagnose.Certain,
			Shared:     "cluster " + cluster,
			Title:      "Cluster " + short + " cannot be read",
			Why:        "Every application on this cluster is affected.",
			Says:       diagnose.Said{Who: "Argo CD says", Text: f.Line(message.MaxClause)},
		}
		var fix []diagnose.Fix
		switch n := f.Network(); {
		case n == message.NetworkTLS:
			out.Title = n.Trouble("cluster " + short)
			fix = certificate(f)
		case f.Has("getting credentials"):
			out.Title = "Argo CD gets no credentials for cluster " + short
			fix = []diagnose.Fix{{Text: "Read the credential helper's error in the controller's log, and check role, trust policy and network", Command: diagnose.Shell("kubectl -n %s logs statefulset/argocd-application-controller --since=10m", advice.ArgoNamespace(in))}}
		case f.Has("unauthorized", "provide credentials"):
			out.Title = "Cluster " + short + " rejects Argo CD's login"
			fix = []diagnose.Fix{{Text: "Renew Argo CD's credentials for the cluster", Command: "argocd cluster add CONTEXT --upsert"}}
		case n != message.NetworkOK:
			out.Title = n.Trouble("cluster " + short)
		case f.Has("unable to handle the request", "unable to retrieve the complete list of server apis", "openapi"):
			fix = []diagnose.Fix{{Text: "Find the aggregated API that is unavailable, and fix the service behind it", Command: "kubectl get apiservices | grep False"}}
		default:
			out.Confidence = diagnose.Likely
		}
		check := "Check how Argo CD sees its connection to the cluster"
		if len(fix) == 0 && f.Network() != message.NetworkOK {
			check = "Check that the API server is running and that no firewall or network policy blocks Argo CD; this shows the state of the connection"
		}
		out.Fix = append(fix, diagnose.Fix{Text: check, Command: diagnose.Shell("argocd cluster get %s", cmp.Or(d.Server, d.Name, "SERVER"))})
		return out, true
	}),
}

// certificate is the step for an API server whose certificate Argo CD does not accept.
func certificate(f *message.Failure) []diagnose.Fix {
	address := advice.WithPort(cmp.Or(f.Host(), "HOST"), "443")
	if f.Has("has expired") && f.Has(" is after ") {
		return []diagnose.Fix{{Text: "Renew the API server's certificate; this prints its dates", Command: diagnose.Shell("openssl s_client -connect %s </dev/null | openssl x509 -noout -dates", address)}}
	}
	return []diagnose.Fix{{Text: "Check whether the API server's certificate is valid and signed by the CA in the cluster's secret", Command: diagnose.Shell("openssl s_client -connect %s </dev/null", address)}}
}
