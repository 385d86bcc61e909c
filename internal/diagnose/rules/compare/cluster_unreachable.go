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

var ClusterUnreachable = &diagnose.Rule{
	ID: "compare/cluster-unreachable",
	Doc: diagnose.Doc{
		Title:    "The destination cluster cannot be read",
		What:     "Argo CD cannot connect to the cluster's API server, or cannot fill its cache of it: network, certificate, expired credentials, or an API of the cluster that does not answer. Every application on the cluster is hit.",
		Decisive: "Reading the live state fails for the network, the credentials or the API server itself.",
		Example:  "failed to get cluster info for \"https://10.0.0.1:6443\": error synchronizing cache state : Get \"https://10.0.0.1:6443/version?timeout=32s\": dial tcp 10.0.0.1:6443: i/o timeout",
		Fix:      "Repair the way to the cluster or Argo CD's credentials for it.",
	},
	Sync: advice.Blocked("Argo CD cannot read the cluster it would sync to"),
	Check: statement.Each(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		f := &s.Failure
		if !isLive(f) || f.Has("is not managed") {
			return diagnose.Finding{}, false
		}
		d := in.App().Spec.Destination
		cluster := cmp.Or(d.Name, d.Server, f.Host(), "the cluster")
		out := diagnose.Finding{
			Confidence: diagnose.Certain,
			Shared:     "cluster " + cluster,
			Title:      "cluster " + cluster + " cannot be read",
			Why:        fmt.Sprintf("Argo CD cannot read %s. Every application on this cluster is hit. %s", cluster, text.Sentence(message.LastClause(f.Cause))),
			Fix: []diagnose.Fix{
				{Text: "See what Argo CD says about its connection", Command: diagnose.Shell("argocd cluster get %s", cmp.Or(d.Server, d.Name, "SERVER"))},
			},
		}
		switch n := f.Network(); {
		case n == message.NetworkTLS:
			out.Title = fmt.Sprintf("cluster %s cannot be reached: %s", cluster, n)
			out.Fix = append(out.Fix, diagnose.Fix{Text: "Look at the certificate of its API server (expired, or another authority than in the cluster's secret)", Command: diagnose.Shell("openssl s_client -connect %s </dev/null", advice.WithPort(cmp.Or(f.Host(), "HOST"), "443"))})
		case f.Has("getting credentials"):
			out.Title = "Argo CD cannot get credentials for cluster " + cluster
			out.Fix = append(out.Fix, diagnose.Fix{Text: "Read what the credential helper says in the controller's log (role, trust policy, network)", Command: diagnose.Shell("kubectl -n %s logs statefulset/argocd-application-controller --since=10m", advice.ArgoNamespace(in))})
		case f.Has("unauthorized", "provide credentials"):
			out.Title = "cluster " + cluster + " refuses Argo CD's credentials"
			out.Fix = append(out.Fix, diagnose.Fix{Text: "Renew them", Command: "argocd cluster add CONTEXT --upsert"})
		case n != message.NetworkOK:
			out.Title = fmt.Sprintf("cluster %s cannot be reached: %s", cluster, n)
		case f.Has("unable to handle the request", "unable to retrieve the complete list of server apis", "openapi"):
			out.Fix = append(out.Fix, diagnose.Fix{Text: "Find the aggregated API that is down", Command: "kubectl get apiservices | grep False"})
		default:
			out.Confidence = diagnose.Likely
		}
		return out, true
	}),
}
