package hooks

import (
	"fmt"
	"strings"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/text"
)

var TTLDeleted = &diagnose.Rule{
	ID:    "hook/ttl-deleted",
	Needs: needs,
	Doc: diagnose.Doc{
		Title:    "The hook's Job vanished before Argo CD saw it end",
		What:     "The Job ran and was deleted (ttlSecondsAfterFinished, or somebody) before Argo CD looked. Argo CD 2.x then waits for ever or reports the hook as missing.",
		Decisive: "\"… is missing, it might have been deleted\", or the operation waits for a hook that is not in the resource tree.",
		Example:  "Resource batch/Job/migrate is missing, it might have been deleted",
		Fix:      "Drop ttlSecondsAfterFinished and use a hook delete policy instead.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/user-guide/resource_hooks/#hook-deletion-policies"},
	},
	Sync: diagnose.Advice{Verdict: diagnose.SyncSafe, Why: "the hook is created and runs again"},
	Check: reporting(func(in *diagnose.In, h *run) (diagnose.Finding, bool) {
		reported := containsAll(h.task.Message, "missing", "might have been deleted")
		// A hook that was created a moment ago may not be in the tree yet.
		gone := !h.failed && h.inTree && h.node == nil && in.RunningFor() > time.Minute
		if !reported && !gone {
			return diagnose.Finding{}, false
		}
		f := diagnose.Finding{
			Confidence: diagnose.Likely,
			Title:      fmt.Sprintf("the %s %s vanished before Argo CD saw it end", h.phaseName(), h.ref),
			Why:        fmt.Sprintf("%s is not in the cluster any more, and Argo CD never saw it end. Most often a ttlSecondsAfterFinished on the Job does this.", h.ref),
			Fix: []diagnose.Fix{
				{Text: "Take ttlSecondsAfterFinished out of the hook and let Argo CD clean up", Patch: "metadata:\n  annotations:\n    argocd.argoproj.io/hook-delete-policy: BeforeHookCreation\nspec:\n  ttlSecondsAfterFinished: null\n"},
			},
		}
		if gone {
			fix, offer := advice.Terminate(in, "it waits for a Job that is gone")
			f.Why = fmt.Sprintf("The operation has been waiting for %s for %s, and that is not in the resource tree. Most often a ttlSecondsAfterFinished on the Job does this.", h.ref, text.Age(in.RunningFor()))
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
