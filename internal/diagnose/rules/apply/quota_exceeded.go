package apply

import (
	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
)

var QuotaExceeded = &diagnose.Rule{
	ID: "apply/quota-exceeded",
	Doc: diagnose.Doc{
		Title:    "The namespace's quota is used up",
		What:     "A ResourceQuota of the namespace does not allow one more object of this kind, or no more CPU, memory or storage.",
		Decisive: "\"exceeded quota\" or \"failed quota\" for a resource of the sync.",
		Example:  "persistentvolumeclaims \"data\" is forbidden: exceeded quota: storage, requested: requests.storage=20Gi, used: requests.storage=90Gi, limited: requests.storage=100Gi",
		Fix:      "Free something, ask for less, or raise the quota.",
	},
	Sync: advice.Pointless("the API server refuses until there is room in the quota"),
	Check: statement.Refused(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		if !statement.Quota(s) || s.Derived() && (s.Resource.Kind != "Job" || in.App().CurrentOperation() == nil) { // pods refused after a sync that succeeded: health/quota
			return diagnose.Finding{}, false
		}
		return statement.OverQuota(in, s, statement.Name(s)), true
	}),
	Needs: statement.RefusalNeeds,
}
