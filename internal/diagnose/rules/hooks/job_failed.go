package hooks

import (
	"cmp"
	"slices"
	"strings"

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
	Check: andOthers(reporting(func(in *diagnose.In, h *run) (diagnose.Finding, bool) {
		failing := h.podNode != nil && pods.ActivityOf(h.podNode) == pods.Failed
		if !h.failed && !failing {
			return diagnose.Finding{}, false
		}
		f := h.failure(in)
		f.Why = text.Paragraph(f.Why, h.peer(in))
		if h.takenAway() != "" {
			f.Sync = diagnose.Advice{Verdict: diagnose.SyncUnknown, Why: "it runs the hook again, which did not fail by itself"}
			f.OutsideGit = true
		}
		if h.failed {
			fix, offers := h.deleteHook("failed", "it failed, and the next sync would be judged by it")
			f.Fix = slices.Concat(f.Fix, fix, again(in, "When the cause is fixed, sync"))
			f.Offers = offers
			return f, true
		}
		if h.jobFailure() == "" && in.RunningFor() < hookThreshold {
			f.Role, f.Confidence = diagnose.RoleNote, diagnose.Possible // the next try may succeed
			return f, true
		}
		stop, offer := advice.Terminate(in, "it is waiting for a hook that keeps failing")
		stop.Text = "If the fix is in Git, terminate the running operation; otherwise the next try picks it up"
		f.Fix, f.Offers = append(f.Fix, stop, advice.Sync(in, "Then sync the application")), []diagnose.Action{offer}
		return f, true
	})),
}

// failure is what the hook failed of.
func (h *run) failure(in *diagnose.In) diagnose.Finding {
	if h.tells() {
		f := h.taken(in)
		f.Why = text.Paragraph(f.Why, h.triesText())
		return f
	}
	exit := h.exitClause()
	title, named := h.titled(cmp.Or(exit, "failed"))
	f := diagnose.Finding{
		Confidence: diagnose.Certain,
		Title:      title,
		Brief:      h.phaseTitle() + " " + h.ref.Name,
		Hollow:     exit == "" || strings.HasPrefix(exit, "exited "),
		Why:        text.Paragraph(named, h.triesText(), h.silentLog(), h.migration(), h.stumbleMeans()),
		Says:       h.logSays(),
		Evidence:   h.logQuote(),
		Fix:        h.remedies(in),
	}
	if f.Says.Text == "" {
		f.Why = text.Paragraph(f.Why, h.exitMeaning())
		f.Fix = append(f.Fix, h.keepPods()...)
		if exit == "" {
			f.Confidence = diagnose.Likely
			f.Says = h.reported()
		}
	}
	return f
}

// remedies are the steps that find the cause, or help with it where it is known.
func (h *run) remedies(in *diagnose.In) []diagnose.Fix {
	switch {
	case h.evicted():
		return []diagnose.Fix{{Text: "In Git, request as much of that resource as the hook needs, so that it gets a node that has it"}, h.describe("Check the status of its pod")}
	case h.takenAway() != "":
		return []diagnose.Fix{h.describe("Check the status of its pod, and its node")}
	case h.neverStarted():
		return []diagnose.Fix{{Text: "In Git, correct the command of its container, or its image"}, h.describe("Check the status of its pod")}
	}
	known := h.wayOut(in)
	if len(known) == 0 {
		return append([]diagnose.Fix{h.readLogStep()}, h.goBack(in)...)
	}
	return append(known, h.readLogStep())
}

// gaveUp is what the Job controller says of every Job that failed: it says nothing about why.
const gaveUp = "has reached the specified backoff limit"

// reported is what Argo CD says about the hook where nothing else is known of it.
func (h *run) reported() diagnose.Said {
	if strings.Contains(h.task.Message, gaveUp) {
		return diagnose.Said{}
	}
	return diagnose.Said{Who: "Argo CD reports", Text: h.task.Message}
}
