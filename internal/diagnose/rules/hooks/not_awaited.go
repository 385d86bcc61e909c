package hooks

import (
	"fmt"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/evidence"
)

var NotAwaited = &diagnose.Rule{
	ID: "hook/not-awaited",
	Doc: diagnose.Doc{
		Title:    "Sync did not wait for a running hook",
		What:     "Resources of a later phase were applied while a hook of an earlier phase was still running, so the order the hook was meant to guarantee is broken.",
		Decisive: "A PreSync hook is Running in the sync result, and resources of the Sync phase already have a result.",
		Example:  "PreSync Job/migrate Running, Deployment/web configured",
		Fix:      "Wait for the hook before you rely on the new pods. Check the hook's annotations and the version of Argo CD.",
	},
	Sync: diagnose.Advice{Verdict: diagnose.SyncUnknown, Why: "the hook of the running sync has not finished"},
	Check: func(in *diagnose.In) diagnose.Outcome {
		op := in.App().CurrentOperation()
		var hook, applied *evidence.ResourceResult
		for i, r := range op.Results() {
			switch {
			case r.IsHook() && r.HookType == "PreSync" && r.HookPhase == evidence.OperationRunning:
				hook = &op.Results()[i]
			case !r.IsHook() && r.Status == evidence.ResultSynced && r.SyncPhase == "Sync": // CreateNamespace applies in PreSync
				applied = &op.Results()[i]
			}
		}
		if hook == nil || applied == nil {
			return diagnose.Nothing
		}
		return diagnose.Found(diagnose.Finding{
			Resource: hook.Ref(), Confidence: diagnose.Likely,
			Title:    fmt.Sprintf("Sync did not wait for PreSync hook %s", hook.Name),
			Why:      fmt.Sprintf("%s was applied while %s, which must finish first, is still running.", applied.Ref(), hook.Ref()),
			Evidence: []diagnose.Quote{{From: "sync result of " + hook.Ref().String(), Text: hook.HookPhase}, {From: "sync result of " + applied.Ref().String(), Text: applied.Message}},
			Fix:      []diagnose.Fix{untilDone(hook.Ref())},
		})
	},
}

// untilDone is the step that shows how a hook ends: only a Job has a condition to wait for.
func untilDone(hook evidence.Ref) diagnose.Fix {
	if hook.Kind == "Job" {
		return diagnose.Fix{
			Text:    "Wait for the hook to finish before you rely on the new pods",
			Command: diagnose.Shell("kubectl %swait --for=condition=complete --timeout=10m %s", advice.InNamespace(hook), hook.Resource()),
		}
	}
	return diagnose.Fix{Text: "Check how the hook ends before you rely on the new pods", Command: diagnose.Shell("kubectl %sdescribe %s", advice.InNamespace(hook), hook.Resource())}
}
