package render

import (
	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
	"github.com/argo-why/argo-why/internal/text"
)

var RedisUnavailable = &diagnose.Rule{
	ID: "render/redis-unavailable",
	Doc: diagnose.Doc{
		Title:    "Argo CD's Redis does not answer",
		What:     "The repo-server and the controller keep rendered manifests in Redis. When Redis is down, or refuses their password, every application of this Argo CD stops being compared.",
		Decisive: "A network error to port 6379, or Redis' own refusal (NOAUTH, WRONGPASS, MISCONF, READONLY, OOM).",
		Example:  "dial tcp 10.43.131.200:6379: connect: connection refused",
		Fix:      "Bring Redis back, or give all of Argo CD's components the same password (secret argocd-redis).",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/operator-manual/high_availability/"},
	},
	Sync: nothingRenders,
	Check: statement.Each(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		if !ownParts(s) || peerOf(in, s) != peerRedis {
			return diagnose.Finding{}, false
		}
		f := diagnose.Finding{Confidence: diagnose.Certain, Shared: "Redis"}
		if s.Failure.Has("misconf", "readonly", "oom command", "loading redis", "clusterdown", "masterdown", "max number") {
			f.Title = "Argo CD's Redis does not take writes"
			f.Why = "Redis answers, but refuses to work: " + text.Sentence(s.Failure.Line(message.MaxClause)) + " All applications of this Argo CD are hit."
			f.Fix = []diagnose.Fix{{Text: "Read what Redis says (disk full, out of memory, a replica instead of the master)", Command: diagnose.Shell("kubectl -n %s logs deploy/argocd-redis --tail=50", advice.ArgoNamespace(in))}}
			return f, true
		}
		if s.Failure.Has("noauth", "wrongpass") {
			f.Title = "Argo CD's Redis refuses the password, or got none"
			f.Why = "Redis wants another password than the one Argo CD's components were started with: " + text.Sentence(s.Failure.Line(message.MaxClause))
			f.Fix = []diagnose.Fix{{
				Text:    "Restart the components so that all read the same password from the secret argocd-redis (this interrupts all applications for a moment)",
				Command: diagnose.Shell("kubectl -n %s rollout restart deploy/argocd-redis deploy/argocd-repo-server deploy/argocd-server statefulset/argocd-application-controller", advice.ArgoNamespace(in)),
			}}
			return f, true
		}
		f.Title = "Argo CD's Redis does not answer"
		f.Why = "Rendering needs Redis, and the connection to it fails: " + text.Sentence(s.Failure.Line(message.MaxClause)) + " All applications of this Argo CD are hit."
		f.Fix = []diagnose.Fix{{Text: "See why Redis is not running", Command: diagnose.Shell("kubectl -n %s get pods -l app.kubernetes.io/name=argocd-redis", advice.ArgoNamespace(in))}}
		return f, true
	}),
}
