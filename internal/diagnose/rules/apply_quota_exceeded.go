package rules

import (
	"cmp"
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
		if !quota(s) || s.Derived() && (s.Resource.Kind != "Job" || in.App().CurrentOperation() == nil) { // pods refused after a sync that succeeded: health/quota
			return diagnose.Finding{}, false
		}
		return overQuota(in, s, called(s)), true
	}),
	Needs: refusalNeeds,
}

// overQuota is the finding about what a quota refuses: the resource itself, or its pods.
func overQuota(in *diagnose.In, s *diagnose.Statement, what string) diagnose.Finding {
	ns := namespaceOf(in, s)
	f := diagnose.Finding{
		Confidence: diagnose.Certain,
		Shared:     "quota of namespace " + cmp.Or(ns, "the destination") + on(in),
		Title:      fmt.Sprintf("the quota of namespace %s has no room for %s", cmp.Or(ns, "the destination"), what),
		Why:        fmt.Sprintf("A ResourceQuota refuses %s: %s", what, quotaWords(s)),
		Fix: []diagnose.Fix{
			{Text: "See what is used and what is allowed", Command: diagnose.Shell("kubectl -n %s describe resourcequota", cmp.Or(ns, "NAMESPACE"))},
			{Text: "Ask for less in the manifest, free something, or raise the quota"},
		},
	}
	if countsObjects(s) {
		f.Fix[1].Text = "Have fewer of them (fewer replicas), free something, or raise the quota"
	}
	if s.Failure.Has("must specify") {
		f.Title = fmt.Sprintf("the quota of namespace %s wants requests and limits that %s does not state", cmp.Or(ns, "the destination"), what)
		f.Fix[1] = diagnose.Fix{Text: "State the requests and limits that the message lists, in every container, and push; or give the namespace a LimitRange with defaults"}
		f.Shared = ""
		f.Sync = pointless("the quota wants requests and limits that the manifest does not state")
	}
	return f
}

func quota(s *diagnose.Statement) bool {
	return s.Failure.Has("exceeded quota", "failed quota", "quota exceeded", "exceeds quota", "status unknown for quota")
}
