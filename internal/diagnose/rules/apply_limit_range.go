package rules

import (
	"cmp"
	"fmt"

	"github.com/argo-why/argo-why/internal/diagnose"
)

var applyLimitRange = &diagnose.Rule{
	ID:    "apply/limit-range",
	Needs: refusalNeeds,
	Doc: diagnose.Doc{
		Title:    "A LimitRange does not allow these requests or limits",
		What:     "A LimitRange of the namespace sets the least, the most, or the ratio of what a container, pod or volume claim may ask for. This one asks for something else.",
		Decisive: "\"minimum\" or \"maximum … usage per Container\" (Pod, PersistentVolumeClaim), \"limit to request ratio\".",
		Example:  "pods \"web-1\" is forbidden: maximum cpu usage per Container is 16, but request is 17.",
		Fix:      "Change requests and limits in the manifest, or the LimitRange.",
	},
	Sync: pointless("the API server refuses these requests again"),
	Check: refused(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		if s.Derived() || !limitRange(s) { // pods that are refused after a sync: health/quota
			return diagnose.Finding{}, false
		}
		return outsideLimits(in, s, called(s)), true
	}),
}

func limitRange(s *diagnose.Statement) bool {
	return s.Failure.Has("usage per container", "usage per pod", "usage per persistentvolumeclaim", "storage usage per", "limit to request ratio", "minimum cpu", "maximum cpu", "minimum memory", "maximum memory")
}

// outsideLimits is the finding about something that a LimitRange refuses.
func outsideLimits(in *diagnose.In, s *diagnose.Statement, what string) diagnose.Finding {
	ns := namespaceOf(in, s)
	return diagnose.Finding{
		Confidence: diagnose.Certain,
		Title:      fmt.Sprintf("a LimitRange of namespace %s refuses %s", cmp.Or(ns, "the destination"), what),
		Why:        fmt.Sprintf("What is asked for %s is outside of what the namespace allows: %s", what, words(s)),
		Fix: []diagnose.Fix{
			{Text: "See what is allowed", Command: diagnose.Shell("kubectl -n %s describe limitrange", cmp.Or(ns, "NAMESPACE"))},
			{Text: "Set resources.requests and limits within it, and push"},
		},
	}
}
