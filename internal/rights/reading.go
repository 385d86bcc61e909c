package rights

import (
	"slices"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
)

// Right is one to read a kind of object outside of the applications.
type Right struct {
	evidence.Outside
	// Rules are those that say less without it, in their order.
	Rules []string
}

// Reading are the rights that rules need, each once, in the order of [evidence.AllOutside].
func Reading(rules []*diagnose.Rule) []Right {
	var out []Right
	for _, kind := range evidence.AllOutside {
		r := Right{Outside: kind}
		for _, rule := range rules {
			if slices.Contains(rule.Outside, kind) {
				r.Rules = append(r.Rules, rule.ID)
			}
		}
		if len(r.Rules) > 0 {
			out = append(out, r)
		}
	}
	return out
}

// applications is the right to get the Application that is asked about: it shows that a cluster is the one that Argo CD runs in. No rule
// needs it, but without it nothing is read there.
var applications = evidence.Outside{
	Group: "argoproj.io", Kind: "Application", Resource: "applications",
	Unknown: "anything that is read in the cluster that Argo CD runs in: the Application shows that it is that cluster",
}
