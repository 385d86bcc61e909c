package render

import (
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
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
		look := diagnose.Fix{Text: "Check whether Redis's Service exists and its pods are running", Command: diagnose.Shell("kubectl -n %s get services,pods | grep redis", argo)}
		f := partFails(s, "Argo CD's Redis", "Argo CD's Redis cannot be reached", affected, look)
		switch {
		case s.Failure.Has("misconf", "readonly", "oom command", "loading redis", "clusterdown", "masterdown", "max number"):
			f.Title = "Argo CD's Redis rejects commands"
			f.Says = ofRedis(f.Says)
			f.Fix = []diagnose.Fix{rejectedBy(in, &s.Failure), look}
		case s.Failure.Has("noauth", "wrongpass"):
			f.Title = "Argo CD cannot log in to its Redis"
			f.Why = "Argo CD's components do not send the password that Redis expects. " + affected
			f.Says = ofRedis(f.Says)
			f.Fix = []diagnose.Fix{{
				Text:    "Restart all components, so all of them read the password in the Secret again (argocd-redis, unless you set another; this briefly interrupts all applications)",
				Command: restartAll(argo),
			}}
		case s.Failure.Network() == message.NetworkDNS:
			f.Says.Text = resolver.ReplaceAllString(f.Says.Text, "")
			if dnsFails(&s.Failure) {
				f.Fix = []diagnose.Fix{checkDNS(in, &s.Failure), look}
				break
			}
			f.Fix = append(f.Fix, diagnose.Fix{Text: "If it does not exist, restore it from the manifests or the chart that Argo CD was installed with"})
			if !advice.ByOperator(in) {
				f.Fix = append(f.Fix, diagnose.Fix{
					Text:    "If it has another name, set that one and restart the components",
					Command: diagnose.Shell("kubectl -n %s patch cm argocd-cmd-params-cm --type merge -p %s && %s", argo, `{"data":{"redis.server":"SERVICE:6379"}}`, diagnose.Raw(restartAll(argo))),
				})
			}
		}
		return f, true
	}),
}

// redisError is what Redis itself says, behind what Argo CD was doing.
var redisError = pattern.MustCompile(`(?:NOAUTH|WRONGPASS|MISCONF|READONLY|OOM command|LOADING|CLUSTERDOWN|MASTERDOWN|ERR max number).*$`)

// ofRedis quotes Redis without what Argo CD has put in front.
func ofRedis(said diagnose.Said) diagnose.Said {
	if m := redisError.FindString(said.Text); m != "" {
		if first, _, more := strings.Cut(m, ". "); more {
			m = first + "."
		}
		return diagnose.Said{Who: "Redis says", Text: m}
	}
	return said
}

// rejectedBy is the step that fits Redis's reason for rejecting a command.
func rejectedBy(in *diagnose.In, f *message.Failure) diagnose.Fix {
	switch {
	case f.Has("misconf"):
		return diagnose.Fix{Text: "Give Redis room to save its data: its log says why it cannot, most often because the disk of its node or volume is full"}
	case f.Has("oom command"):
		return diagnose.Fix{Text: "Give Redis more memory (maxmemory, and the limit of its container)"}
	case f.Has("readonly"):
		return diagnose.Fix{Text: "Point Argo CD to the master: the Redis that answered is a replica. With Redis HA it has to ask the Service of haproxy"}
	case f.Has("loading redis"):
		return diagnose.Fix{Text: "Wait until Redis has loaded its data, then refresh the application", Command: diagnose.Shell("argocd app get %s --refresh", advice.AppName(in))}
	case f.Has("max number"):
		return diagnose.Fix{Text: "Raise maxclients of Redis, or see which clients keep their connections open"}
	}
	return diagnose.Fix{Text: "Bring the master of this Redis back: it has none that can answer"}
}
