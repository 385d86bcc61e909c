package advice

import (
	"fmt"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
)

// Pointless is the verdict where a sync would fail in the same way. The reason is a clause that continues "Syncing won't help: ".
func Pointless(why string) diagnose.Advice {
	return diagnose.Advice{Verdict: diagnose.SyncPointless, Why: why}
}

// Blocked is the verdict where Argo CD would refuse a sync. The reason is a clause that continues "Argo CD will refuse: ".
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

// SyncOnly is the step that syncs one resource of the application.
func SyncOnly(in *diagnose.In, ref evidence.Ref, text string) diagnose.Fix {
	name := ref.Name
	if ref.Namespace != "" {
		name = ref.Namespace + "/" + name
	}
	return diagnose.Fix{Text: text, Command: diagnose.Shell("argocd app sync %s --resource %s", AppName(in), ref.Group+":"+ref.Kind+":"+name)}
}

// ThenSync is the last step of a fix that needs a sync to take effect.
func ThenSync(in *diagnose.In) diagnose.Fix {
	return Sync(in, "Sync the application")
}

// DryRun is the step that checks a fix without changing anything.
func DryRun(in *diagnose.In) diagnose.Fix {
	return diagnose.Fix{Text: "Check the result with a dry run, which changes nothing", Command: diagnose.Shell("argocd app sync %s --dry-run", AppName(in))}
}

// Refresh is the step that makes Argo CD compare again. It reuses cached manifests.
func Refresh(in *diagnose.In, text string) diagnose.Fix {
	return diagnose.Fix{Text: text, Command: diagnose.Shell("argocd app get %s --refresh", AppName(in))}
}

// Terminate is the step that terminates the running operation, and the action that offers it as a button.
func Terminate(in *diagnose.In, why string) (diagnose.Fix, diagnose.Action) {
	return diagnose.Fix{Text: "Terminate the running operation", Command: diagnose.Shell("argocd app terminate-op %s", AppName(in))},
		diagnose.Action{ID: diagnose.ActionTerminate, Label: "Terminate operation", Why: why}
}

// SeeFinalizer is the step that shows which finalizer blocks a deletion.
func SeeFinalizer(ref evidence.Ref) diagnose.Fix {
	return diagnose.Fix{Text: "Check which finalizer blocks the deletion", Command: diagnose.Shell("kubectl %sget %s -o jsonpath='{.metadata.deletionTimestamp} {.metadata.finalizers}'", InNamespace(ref), ref.Resource())}
}
