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
		Title:    "Quota or limits reject the pods",
		What:     "The sync succeeded, but the controller of the workload cannot create its pods: they exceed a ResourceQuota of the namespace, lack the requests and limits that it requires, or are outside a LimitRange.",
		Decisive: "Event FailedCreate of the ReplicaSet, StatefulSet or DaemonSet: \"exceeded quota\", \"failed quota\", or the words of a LimitRange.",
		Example:  "Error creating: pods \"web-d75587d6-w2tz8\" is forbidden: exceeded quota: team, requested: limits.cpu=1, used: limits.cpu=5426m, limited: limits.cpu=6",
		Fix:      "Free resources, request less, or raise the quota.",
	},
	Sync:       advice.Pointless("the cluster already matches Git; the pods do not fit the quota of the namespace"),
	Recognises: refusedPods{},
	Check: statement.Refused(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		if !s.Derived() || !statement.Quota(s) && !statement.LimitRange(s) {
			return diagnose.Finding{}, false
		}
		if statement.LimitRange(s) {
			f := statement.OutsideLimits(in, s, "the pods of "+statement.Name(s))
			f.Sync = advice.Pointless("the cluster already matches Git; the LimitRange of the namespace still rejects its pods")
			return f, true
		}
		return statement.OverQuota(in, s, "the pods of "+statement.Name(s)), true
	}),
}
