package diagnose

import (
	"fmt"

	"github.com/argo-why/argo-why/internal/text"
)

// noRule is the rule of a finding that no rule made.
const noRule = "unknown"

// uncompared is what there is to say of an application that is out of sync while its fields were not read: which resources, and
// how to see the difference.
func (r *run) uncompared() (Finding, bool) {
	differ := outOfSync(r.app)
	if len(differ) == 0 || r.verdict(root(r.findings)) != VerdictDrifted || root(r.findings) != nil || len(r.findings) > 0 {
		return Finding{}, false
	}
	f := Finding{
		Rule: noRule, Role: RoleNote, Confidence: Possible, Resource: differ[0].Ref(),
		Title: r.differing(),
		Why:   "Which fields differ, and why, was not read.",
		Sync:  Advice{SyncUnknown, "the cause of the difference is unknown"},
		Fix: []Fix{{
			Text:    "Show the difference from Git",
			Command: Shell("argocd app diff %s", r.app.Argument()),
		}},
		Evidence: []Quote{{From: "status.resources", Text: fmt.Sprintf("%s: OutOfSync", names(differ))}},
	}
	for _, res := range differ[1:] {
		f.Others = append(f.Others, res.Ref())
	}
	return f, true
}

// differing counts the resources that are out of sync.
func (r *run) differing() string {
	differ := outOfSync(r.app)
	if len(differ) == 1 {
		return fmt.Sprintf("Out of sync: %s differs", differ[0].Ref())
	}
	return "Out of sync, " + text.Count(len(differ), "resource differs", "resources differ")
}
