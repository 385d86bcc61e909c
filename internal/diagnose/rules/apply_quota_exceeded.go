package rules

import (
	"fmt"

	"github.com/argo-why/argo-why/internal/diagnose"
)

var applyQuotaExceeded = &diagnose.Rule{
	ID: "apply/quota-exceeded",
	Doc: diagnose.Doc{
		Title:    "The namespace's quota is used up",
		What:     "A ResourceQuota of the namespace does not allow one more object of this kind, or no more CPU, memory or storage.",
		Decisive: "\"exceeded quota\" or \"failed quota\" for a resource of the sync.",
		Example:  "persistentvolumeclaims \"data\" is forbidden: exceeded quota: storage, requested: requests.storage=20Gi, used: requests.storage=90Gi, limited: requests.storage=100Gi",
		Fix:      "Free something, ask for less, or raise the quota.",
	},
	Sync: pointless("the API server refuses until there is room in the quota"),
	Check: refused(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		if !quota(s) || s.Derived() && s.Resource.Kind != "Job" { // pods refused after a sync that succeeded: health/quota
			return none, false
		}
		ns := namespaceOf(in, s)
		return diagnose.Finding{
			Confidence: diagnose.Certain,
			Title:      fmt.Sprintf("the quota of namespace %s has no room for %s", or(ns, "the destination"), called(s)),
			Why:        fmt.Sprintf("A ResourceQuota refuses %s: %s", called(s), words(s)),
			Fix: []diagnose.Fix{
				{Text: "See what is used and what is allowed", Command: "kubectl -n " + or(ns, "NAMESPACE") + " describe resourcequota"},
				{Text: "Ask for less in the manifest, free something, or raise the quota"},
			},
		}, true
	}),
	Needs: refusalNeeds,
}

func quota(s *diagnose.Statement) bool {
	return s.Failure.Has("exceeded quota", "failed quota", "quota exceeded", "exceeds quota", "status unknown for quota")
}
