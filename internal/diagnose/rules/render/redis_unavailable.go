package render

import (
	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
)

var RedisUnavailable = &diagnose.Rule{
	ID: "render/redis-unavailable",
	Doc: diagnose.Doc{
		Title:    "Argo CD's Redis is unavailable",
		What:     "The repo-server and the controller cache rendered manifests in Redis. When Redis is down or rejects their password, Argo CD can no longer compare any application.",
		Decisive: "A network error on port 6379, or an error of Redis itself (NOAUTH, WRONGPASS, MISCONF, READONLY, OOM).",
		Example:  "dial tcp 10.43.131.200:6379: connect: connection refused",
		Fix:      "Get Redis running again, or give all of Argo CD's components the same password (secret argocd-redis).",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/operator-manual/high_availability/"},
	},
	Sync: nothingRenders,
	Check: statement.Each(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		if !ownParts(s) || peerOf(in, s) != peerRedis {
			return diagnose.Finding{}, false
		}
		const affected = "Every application of this Argo CD is affected: its components share caches in Redis."
		argo := advice.ArgoNamespace(in)
		f := diagnose.Finding{Confidence: diagnose.Certain, Shared: "Argo CD's Redis", OutsideGit: true, Why: affected, Says: said(s)}
		switch {
		case s.Failure.Has("misconf", "readonly", "oom command", "loading redis", "clusterdown", "masterdown", "max number"):
			f.Title = "Argo CD's Redis rejects commands"
			f.Says.Who = "Redis says"
			f.Fix = []diagnose.Fix{{Text: "Read the log of Redis (usually its disk is full, it is out of memory, or it is a replica)", Command: diagnose.Shell("kubectl -n %s logs deploy/argocd-redis --tail=50", argo)}}
		case s.Failure.Has("noauth", "wrongpass"):
			f.Title = "Argo CD cannot log in to its Redis"
			f.Why = "Argo CD's components do not send the password that Redis expects. " + affected
			f.Says.Who = "Redis says"
			f.Fix = []diagnose.Fix{{
				Text:    "Restart the components, so all of them read the password in the secret argocd-redis (this briefly interrupts all applications)",
				Command: diagnose.Shell("kubectl -n %s rollout restart deploy/argocd-redis deploy/argocd-repo-server deploy/argocd-server statefulset/argocd-application-controller", argo),
			}}
		default:
			f.Title = "Argo CD's Redis cannot be reached"
			f.Fix = []diagnose.Fix{{Text: "Check whether the Redis Service exists and its pods are running", Command: diagnose.Shell("kubectl -n %s get services,pods -l app.kubernetes.io/name=argocd-redis", argo)}}
			if s.Failure.Network() == message.NetworkDNS {
				f.Says.Text = resolver.ReplaceAllString(f.Says.Text, "")
				f.Fix = append(f.Fix, diagnose.Fix{
					Text:    "If it does not exist, restore it from the manifests or the chart that Argo CD was installed with. If it has another name, set that one and restart the components",
					Command: diagnose.Shell(`kubectl -n %[1]s patch cm argocd-cmd-params-cm --type merge -p '{"data":{"redis.server":"SERVICE:6379"}}' && kubectl -n %[1]s rollout restart deploy/argocd-repo-server deploy/argocd-server statefulset/argocd-application-controller`, argo),
				})
			}
		}
		return f, true
	}),
}
