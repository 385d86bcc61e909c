package rules

import (
	"fmt"

	"github.com/argo-why/argo-why/internal/diagnose"
)

var healthQuota = &diagnose.Rule{
	ID:    "health/quota",
	Needs: refusalNeeds,
	Doc: diagnose.Doc{
		Title:    "The quota has no room for the pods",
		What:     "The sync succeeded, but the controller of the workload may not create its pods: a ResourceQuota of the namespace has no room for them, or wants requests and limits that they do not state.",
		Decisive: "Event FailedCreate of the ReplicaSet, StatefulSet or DaemonSet: \"exceeded quota\" or \"failed quota\".",
		Example:  "Error creating: pods \"web-d75587d6-w2tz8\" is forbidden: exceeded quota: team, requested: limits.cpu=1, used: limits.cpu=5426m, limited: limits.cpu=6",
		Fix:      "Free something, ask for less, or raise the quota.",
	},
	Sync: pointless("what Git wants is applied; the pods need room in the quota"),
	Check: refused(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		if !s.Derived() || !quota(s) {
			return none, false
		}
		ns := namespaceOf(in, s)
		return diagnose.Finding{
			Confidence: diagnose.Certain,
			Title:      fmt.Sprintf("the quota of namespace %s has no room for the pods of %s", or(ns, "the destination"), called(s)),
			Why:        fmt.Sprintf("A ResourceQuota refuses the pods of %s: %s", called(s), words(s)),
			Fix: []diagnose.Fix{
				{Text: "See what is used and what is allowed", Command: "kubectl -n " + or(ns, "NAMESPACE") + " describe resourcequota"},
				{Text: "Ask for less in the manifest, free something, or raise the quota"},
			},
		}, true
	}),
}
