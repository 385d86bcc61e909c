package advice

import (
	"fmt"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
)

// Pointless is the verdict where a sync would fail in the same way.
func Pointless(why string) diagnose.Advice {
	return diagnose.Advice{Verdict: diagnose.SyncPointless, Why: why}
}

// Blocked is the verdict where Argo CD would refuse a sync.
func Blocked(format string, args ...any) diagnose.Advice {
	return diagnose.Advice{Verdict: diagnose.SyncBlocked, Why: fmt.Sprintf(format, args...)}
}

// Steps makes steps without a command.
func Steps(texts ...string) []diagnose.Fix {
	var out []diagnose.Fix
	for _, t := range texts {
		out = append(out, diagnose.Fix{Text: t})
	}
	return out
}

// Sync is the step that syncs the whole application.
func Sync(in *diagnose.In, text string) diagnose.Fix {
	return diagnose.Fix{Text: text, Command: diagnose.Shell("argocd app sync %s", AppName(in))}
}

// ThenSync is the last step.
func ThenSync(in *diagnose.In) diagnose.Fix {
	return Sync(in, "Then sync")
}

// DryRun is the command that asks the API server again without changing anything.
func DryRun(in *diagnose.In) diagnose.Fix {
	return diagnose.Fix{Text: "When it is fixed, ask the API server without changing anything", Command: diagnose.Shell("argocd app sync %s --dry-run", AppName(in))}
}

// Refresh is the step that makes Argo CD compare again, with what it keeps of the rendered manifests.
func Refresh(in *diagnose.In, text string) diagnose.Fix {
	return diagnose.Fix{Text: text, Command: diagnose.Shell("argocd app get %s --refresh", AppName(in))}
}

// Terminate offers to end a running operation.
func Terminate(in *diagnose.In, why string) (diagnose.Fix, diagnose.Action) {
	return diagnose.Fix{Text: "End the running operation", Command: diagnose.Shell("argocd app terminate-op %s", AppName(in))},
		diagnose.Action{ID: diagnose.ActionTerminate, Label: "Terminate operation", Why: why}
}

// SeeFinalizer is the step that shows what holds a deletion.
func SeeFinalizer(ref evidence.Ref) diagnose.Fix {
	return diagnose.Fix{Text: "See which finalizer holds it", Command: diagnose.Shell("kubectl %sget %s -o jsonpath='{.metadata.deletionTimestamp} {.metadata.finalizers}'", InNamespace(ref), ref.Resource())}
}
