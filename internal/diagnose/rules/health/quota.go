package health

import (
	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
)

var Quota = &diagnose.Rule{
	ID:    "health/quota",
	Needs: statement.RefusalNeeds,
	Doc: diagnose.Doc{
		Title:    "The quota or the limits have no room for the pods",
		What:     "The sync succeeded, but the controller of the workload may not create its pods: a ResourceQuota of the namespace has no room for them, or wants requests and limits that they do not state; or a LimitRange allows each of them less.",
		Decisive: "Event FailedCreate of the ReplicaSet, StatefulSet or DaemonSet: \"exceeded quota\", \"failed quota\", or the words of a LimitRange.",
		Example:  "Error creating: pods \"web-d75587d6-w2tz8\" is forbidden: exceeded quota: team, requested: limits.cpu=1, used: limits.cpu=5426m, limited: limits.cpu=6",
		Fix:      "Free something, ask for less, or raise the quota.",
	},
	Sync:       advice.Pointless("what Git wants is applied; the pods need room in the quota"),
	Recognises: refusedPods{},
	Check: statement.Refused(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		if !s.Derived() || !statement.Quota(s) && !statement.LimitRange(s) {
			return diagnose.Finding{}, false
		}
		if statement.LimitRange(s) {
			return statement.OutsideLimits(in, s, "the pods of "+statement.Name(s)), true
		}
		return statement.OverQuota(in, s, "the pods of "+statement.Name(s)), true
	}),
}
