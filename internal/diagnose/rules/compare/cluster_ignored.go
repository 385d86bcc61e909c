package compare

import (
	"cmp"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
)

var ClusterIgnored = &diagnose.Rule{
	ID: "compare/cluster-ignored",
	Doc: diagnose.Doc{
		Title:    "No controller manages the cluster",
		What:     "The clusters are distributed over the replicas (shards) of the application controller. The one that works on this application does not manage its cluster: the cluster's secret names a shard that does not exist, the replicas disagree about how many there are, or the clusters have just been redistributed.",
		Decisive: "\"controller is configured to ignore cluster\".",
		Example:  "failed to get cluster info for \"https://kubernetes.default.svc\": controller is configured to ignore cluster https://kubernetes.default.svc",
		Fix:      "Make ARGOCD_CONTROLLER_REPLICAS equal the number of replicas, correct the shard in the cluster's secret, and restart the controller.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/operator-manual/high_availability/#argocd-application-controller"},
	},
	Sync: advice.Blocked("no controller manages the cluster"),
	Check: statement.Each(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		f := &s.Failure
		sharding := f.Has("cluster sharding is not configured")
		if !sharding && !f.Has("configured to ignore cluster", "has no assigned shard") {
			return diagnose.Finding{}, false
		}
		d, argo := in.App().Spec.Destination, advice.ArgoNamespace(in)
		cluster := cmp.Or(d.Name, d.Server)
		if m := ignored.FindStringSubmatch(f.Text); m != nil {
			cluster = cmp.Or(d.Name, strings.TrimRight(m[1], ".,;:"))
		}
		out := diagnose.Finding{
			Confidence: diagnose.Certain,
			Shared:     "cluster " + cluster,
			Title:      "No controller manages cluster " + strings.TrimPrefix(cluster, "https://"),
			Why:        "The replica of the application controller that works on this application leaves the cluster to another one. Every application on this cluster is affected.",
			Fix: []diagnose.Fix{
				{Text: "Check that ARGOCD_CONTROLLER_REPLICAS equals the number of replicas; this prints both", Command: diagnose.Shell("kubectl -n %s get %s -o jsonpath=%s", argo, advice.Controller(in), `{.spec.replicas}{" "}{.spec.template.spec.containers[*].env[?(@.name=="ARGOCD_CONTROLLER_REPLICAS")].value}{"\n"}`)},
				{Text: "Check that the shard in the cluster's secret, if it has one, is less than the number of replicas; this lists name and shard (base64) of each", Command: diagnose.Shell("kubectl -n %s get secrets -l argocd.argoproj.io/secret-type=cluster -o custom-columns=NAME:.metadata.name,SHARD:.data.shard", argo)},
				{Text: "Restart the controller, so it distributes the clusters again", Command: diagnose.Shell("kubectl -n %s rollout restart %s", argo, advice.Controller(in))},
			},
		}
		if sharding {
			out.Why = "The application controller has not worked out which clusters it manages. Every application on this cluster is affected."
		}
		return out, true
	}),
}

// ignored is the cluster that the message names.
var ignored = pattern.MustCompile(`(?:ignore cluster|handle cluster|[Cc]luster) (https?://\S+)`)
