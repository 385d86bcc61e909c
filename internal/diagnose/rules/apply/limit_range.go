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
		Title:    "A LimitRange does not allow these requests or limits",
		What:     "A LimitRange of the namespace sets the least, the most, or the ratio of what a container, pod or volume claim may ask for. This one asks for something else.",
		Decisive: "\"minimum\" or \"maximum … usage per Container\" (Pod, PersistentVolumeClaim), \"limit to request ratio\".",
		Example:  "pods \"web-1\" is forbidden: maximum cpu usage per Container is 16, but request is 17.",
		Fix:      "Change requests and limits in the manifest, or the LimitRange.",
	},
	Sync: advice.Pointless("the API server refuses these requests again"),
	Check: statement.Refused(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		if s.Derived() || !statement.LimitRange(s) { // pods that are refused after a sync: health/quota
			return diagnose.Finding{}, false
		}
		return statement.OutsideLimits(in, s, statement.Name(s)), true
	}),
}
