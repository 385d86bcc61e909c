package apply

import (
	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
)

var QuotaExceeded = &diagnose.Rule{
	ID: "apply/quota-exceeded",
	Doc: diagnose.Doc{
		Title:    "Exceeds a quota of the namespace",
		What:     "A ResourceQuota of the namespace does not allow another object of this kind, or more CPU, memory or storage.",
		Decisive: "\"exceeded quota\" or \"failed quota\" for a resource of the sync.",
		Example:  "persistentvolumeclaims \"data\" is forbidden: exceeded quota: storage, requested: requests.storage=20Gi, used: requests.storage=90Gi, limited: requests.storage=100Gi",
		Fix:      "Free up resources in the namespace, request less, or raise the quota.",
	},
	Sync: advice.Pointless("the API server will refuse the resource until there is room in the quota"),
	Check: refused(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		if !statement.Quota(s) || s.Derived() && (s.Resource.Kind != "Job" || in.App().CurrentOperation() == nil) { // pods refused after a sync that succeeded: health/quota
			return diagnose.Finding{}, false
		}
		return statement.OverQuota(in, s, statement.Name(s)), true
	}),
	Needs: statement.RefusalNeeds,
}
