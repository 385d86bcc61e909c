package hooks

import (
	"cmp"
	"fmt"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/pods"
	"github.com/argo-why/argo-why/internal/text"
)

var JobFailed = &diagnose.Rule{
	ID:    "hook/job-failed",
	Needs: needs,
	Doc: diagnose.Doc{
		Title:    "Hook failed",
		What:     "A resource hook (a migration, a check) ended with an error, and a failed hook fails the whole sync. If a PreSync hook fails, no manifest is applied; if a PostSync hook fails, all of them already are.",
		Decisive: "The hook task failed (BackoffLimitExceeded). The exit code and the decisive log line of its last failed pod say why.",
		Example:  "Job has reached the specified backoff limit",
		Fix:      "Read the log of the failed pod and fix the cause. Delete the failed Job if its delete policy keeps it, then sync.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/user-guide/resource_hooks/"},
	},
	Sync: advice.Pointless("the hook will fail again until its cause is fixed"),
	Check: reporting(func(in *diagnose.In, h *run) (diagnose.Finding, bool) {
		failing := h.podNode != nil && pods.ActivityOf(h.podNode) == pods.Failed
		if !h.failed && !failing {
			return diagnose.Finding{}, false
		}
		exit := h.exitClause()
		title, named := h.titled(cmp.Or(exit, "failed"))
		f := diagnose.Finding{
			Confidence: diagnose.Certain,
			Title:      title,
			Brief:      h.phaseTitle() + " " + h.ref.Name,
			Why:        text.Paragraph(named, h.triesText()),
			Says:       h.logSays(),
			Evidence:   h.logQuote(),
			Fix:        []diagnose.Fix{h.readLog()},
		}
		if h.podNode != nil {
			f.Fix[0].Text = "Read the full log of the failed pod"
		}
		if f.Says.Text == "" {
			f.Why = text.Paragraph(f.Why, h.missingLogReason())
			if exit == "" {
				f.Confidence = diagnose.Likely
				f.Says = diagnose.Said{Who: "Argo CD reports", Text: h.task.Message}
			}
		}
		if h.failed {
			fix, offers := h.deleteHook("failed", "it failed and blocks the next one")
			if h.isGone() {
				f.Fix = advice.Steps(fmt.Sprintf("Look for the log of %s in your log store", h.ref))
			}
			f.Fix = append(append(f.Fix, fix...), advice.Sync(in, "When the cause is fixed, sync"))
			f.Offers = offers
			return f, true
		}
		if h.jobFailure() == "" && in.RunningFor() < hookThreshold {
			f.Role, f.Confidence = diagnose.RoleNote, diagnose.Possible // the next try may succeed
			return f, true
		}
		return h.withNextSteps(in, f), true
	}),
}

// missingLogReason says why there is no log line.
func (h *run) missingLogReason() string {
	switch {
	case !h.inTree:
		return "Its pods could not be inspected."
	case h.isGone():
		return "It is no longer in the cluster, so there is no log to read."
	case h.podNode == nil:
		return "Its pods are gone, so there is no log to read."
	case h.unread:
		return "Its log could not be read."
	}
	return "Its log is empty."
}
