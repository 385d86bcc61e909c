package apply

import (
	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
)

var LimitRange = &diagnose.Rule{
	ID:    "apply/limit-range",
	Needs: statement.RefusalNeeds,
	Doc: diagnose.Doc{
		Title:    "Violates a LimitRange of the namespace",
		What:     "A LimitRange of the namespace sets the minimum, the maximum or the ratio of what a container, pod or volume claim can request. The manifest requests something else.",
		Decisive: "\"minimum\" or \"maximum … usage per Container\" (Pod, PersistentVolumeClaim), \"limit to request ratio\".",
		Example:  "pods \"web-1\" is forbidden: maximum cpu usage per Container is 16, but request is 17.",
		Fix:      "Change requests and limits in the manifest, or change the LimitRange.",
	},
	Sync: advice.Pointless("the API server will refuse the same requests and limits again"),
	Check: refused(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		if s.Derived() || !statement.LimitRange(s) { // pods that are refused after a sync: health/quota
			return diagnose.Finding{}, false
		}
		return statement.OutsideLimits(in, s, statement.Name(s)), true
	}),
}
