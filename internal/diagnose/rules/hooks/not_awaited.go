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
		Title:    "The sync went on although the hook still runs",
		What:     "Resources of a later phase were applied while a hook of an earlier phase has not ended. The order that the hook was meant to give is not kept.",
		Decisive: "A PreSync hook is Running in the sync result, and resources of the Sync phase have a result.",
		Example:  "PreSync Job/migrate Running, Deployment/web configured",
		Fix:      "Check the hook's annotations and Argo CD's version; wait for the hook before relying on the new pods.",
	},
	Sync: diagnose.Advice{Verdict: diagnose.SyncUnknown, Why: "the hook of the running sync has not ended"},
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
			Title:    fmt.Sprintf("the sync went on although the PreSync hook %s still runs", hook.Ref()),
			Why:      fmt.Sprintf("%s was applied while %s, which should have ended before, is still running.", applied.Ref(), hook.Ref()),
			Evidence: []diagnose.Quote{{From: "sync result of " + hook.Ref().String(), Text: hook.HookPhase}, {From: "sync result of " + applied.Ref().String(), Text: applied.Message}},
			Fix:      []diagnose.Fix{{Text: "See how the hook ends", Command: diagnose.Shell("kubectl %swait --for=condition=complete %s", advice.InNamespace(hook.Ref()), hook.Ref().Resource())}},
		})
	},
}
