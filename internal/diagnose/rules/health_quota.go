package rules

import (
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
		return overQuota(in, s, "the pods of "+called(s)), true
	}),
}
