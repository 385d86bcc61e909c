package hooks

import (
	"cmp"
	"fmt"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pods"
	"github.com/argo-why/argo-why/internal/text"
)

var JobFailed = &diagnose.Rule{
	ID:    "hook/job-failed",
	Needs: needs,
	Doc: diagnose.Doc{
		Title:    "A hook Job failed",
		What:     "A resource hook (a migration, a check) ended with an error, and a failed hook fails the whole sync: after a PreSync hook nothing is applied, after a PostSync hook everything is.",
		Decisive: "The hook task failed (BackoffLimitExceeded); exit code and decisive log line of its last failed pod say why.",
		Example:  "Job has reached the specified backoff limit",
		Fix:      "Repair what the log names, delete the failed Job if its policy keeps it, then sync.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/user-guide/resource_hooks/"},
	},
	Sync: advice.Pointless("the hook fails again until its cause is repaired"),
	Check: reporting(func(in *diagnose.In, h *run) (diagnose.Finding, bool) {
		failing := h.podNode != nil && pods.ActivityOf(h.podNode) == pods.Failed
		if !h.failed && !failing {
			return diagnose.Finding{}, false
		}
		line := h.decisive()
		exit := cmp.Or(h.exitClause(), "failed")
		f := diagnose.Finding{
			Confidence: diagnose.Certain,
			Title:      fmt.Sprintf("%s %s failed", h.phaseName(), h.ref.Name),
			Why:        fmt.Sprintf("%s (%s) %s%s.", h.ref, h.phaseAndWave(), exit, h.triesClause()),
			Evidence:   h.logQuote(),
			Fix:        []diagnose.Fix{{Text: "Repair what made it fail"}, h.readLog()},
		}
		switch {
		case line != "":
			f.Title += ": " + text.Clip(message.Unstamped(line), message.MaxClause)
			f.Why = fmt.Sprintf("%s (%s) %s%s: %s", h.ref, h.phaseAndWave(), exit, h.triesClause(), text.Sentence(line))
			f.Fix[0].Text = "Repair what the log names: " + text.Clip(message.Unstamped(line), message.MaxClause)
		case h.exitClause() != "":
			f.Title += " (" + h.exitClause() + ")"
			f.Why += h.missingLogReason()
		default:
			f.Confidence = diagnose.Likely
			f.Why = fmt.Sprintf("%s (%s) failed: %s%s", h.ref, h.phaseAndWave(), text.Sentence(cmp.Or(h.task.Message, h.task.HookPhase)), h.missingLogReason())
		}
		if h.failed {
			fix, offers := h.deleteJob("it failed and is in the way of the next one")
			if h.isGone() {
				f.Fix = f.Fix[:1] // no log is left to read
			}
			f.Fix = append(append(f.Fix, fix...), advice.ThenSync(in))
			f.Offers = offers
			return f, true
		}
		f.Why += " The Job tries again, and the operation waits for it."
		if reason, _ := h.jobFailure(); reason == "" && in.RunningFor() < hookThreshold {
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
		return " Its pods could not be looked at."
	case h.podNode == nil:
		return " Its pods are gone, so that there is no log to read."
	case h.unread:
		return " Its log could not be read."
	}
	return " Its log is empty."
}
