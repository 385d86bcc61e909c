package hooks

import (
	"fmt"
	"strings"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

var TTLDeleted = &diagnose.Rule{
	ID:      "hook/ttl-deleted",
	Needs:   needs,
	Outside: []evidence.Outside{evidence.OutsideJob, evidence.OutsideEvent},
	Doc: diagnose.Doc{
		Title:    "Hook was deleted before Argo CD saw it finish",
		What:     "The Job ran and was deleted (by ttlSecondsAfterFinished, or by someone) before Argo CD checked it. Argo CD 2.x then waits forever or reports the hook as missing.",
		Decisive: "\"… is missing, it might have been deleted\", or the operation waits for a hook that is not in the resource tree.",
		Example:  "Resource batch/Job/migrate is missing, it might have been deleted",
		Fix:      "Remove ttlSecondsAfterFinished from the Job and use a hook delete policy instead.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/user-guide/resource_hooks/#hook-deletion-policies"},
	},
	Sync: diagnose.Advice{Verdict: diagnose.SyncSafe, Why: "it creates and runs the hook again"},
	Check: reporting(func(in *diagnose.In, h *run) (diagnose.Finding, bool) {
		reported := containsAll(h.task.Message, "missing", "might have been deleted")
		// A hook that was created a moment ago may not be in the tree yet.
		gone := !h.failed && h.inTree && h.node == nil && h.job == nil && in.RunningFor() > time.Minute
		if !reported && !gone {
			return diagnose.Finding{}, false
		}
		title, named := h.titled("was deleted before Argo CD saw it finish")
		likely := ""
		if h.ref.Kind == "Job" {
			likely = "Usually ttlSecondsAfterFinished on the Job does this."
		}
		f := diagnose.Finding{
			Confidence: diagnose.Likely,
			Title:      title,
			Why:        text.Paragraph(named, "It is no longer in the cluster, and Argo CD does not know how it ended.", likely),
		}
		if h.ref.Kind == "Job" {
			f.Fix = []diagnose.Fix{{Text: "In Git, remove spec.ttlSecondsAfterFinished from the hook, if it has it: a delete policy also removes the old Job", Patch: "metadata:\n  annotations:\n    argocd.argoproj.io/hook-delete-policy: BeforeHookCreation\n"}}
		} else {
			f.Fix = advice.Steps(fmt.Sprintf("Find out what deletes the %s, for example its own operator or a clean-up job", h.ref.Kind))
		}
		if gone {
			fix, offer := advice.Terminate(in, "it is waiting for a hook that no longer exists")
			f.Why = text.Paragraph(named, fmt.Sprintf("It is no longer in the cluster, but the sync is still waiting for it after %s.", text.Age(in.RunningFor())), likely)
			f.Fix = append([]diagnose.Fix{fix}, f.Fix...)
			f.Offers = []diagnose.Action{offer}
		}
		f.Fix = append(f.Fix, advice.ThenSync(in))
		return f, true
	}),
}

func containsAll(s string, words ...string) bool {
	for _, w := range words {
		if !strings.Contains(s, w) {
			return false
		}
	}
	return true
}
