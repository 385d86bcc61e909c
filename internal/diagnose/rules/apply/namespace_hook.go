package apply

import (
	"fmt"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
)

// beforeNamespace reports whether what was refused is a PreSync hook. Only these may come before the namespace that CreateNamespace=true
// creates: in old releases of Argo CD all of them, in others those of an earlier wave.
func beforeNamespace(s *diagnose.Statement) bool {
	return s.Result != nil && s.Result.HookType == "PreSync"
}

// beforeItsNamespace completes the finding about a PreSync hook in a namespace that the sync creates.
func beforeItsNamespace(s *diagnose.Statement, ns string, out *diagnose.Finding) {
	out.Why = fmt.Sprintf("The application sets CreateNamespace=true, but %s is a PreSync hook and was applied before the namespace existed: old releases of Argo CD create it only after PreSync, later ones in wave 0 of PreSync, so after hooks of a negative wave (in Helm: a negative hook weight).", statement.Name(s))
	out.Sync = advice.Pointless("the hook will be applied before its namespace again, until the namespace exists")
	out.OutsideGit = true // so that a sync is the next step
	out.Fix = []diagnose.Fix{
		{Text: "Create the namespace once; every later sync finds it", Command: diagnose.Shell("kubectl create namespace %s", ns)},
		{Text: "To have it created next time, give a hook with a negative wave or weight one of 0 or more in Git; if it has none, upgrade Argo CD"},
	}
}

// hookBeforeOwn completes the finding about a PreSync hook in a namespace that the application has a manifest of: that is applied after
// all PreSync hooks, whatever its wave.
func hookBeforeOwn(s *diagnose.Statement, ns string, out *diagnose.Finding) {
	out.Why = fmt.Sprintf("The application has Namespace/%s itself, but %s is a PreSync hook, and these run before all resources, whatever the wave of the Namespace.", ns, statement.Name(s))
	out.Fix = []diagnose.Fix{
		{Text: fmt.Sprintf("Make %s a Sync hook in a wave after the Namespace, in Git, then push", statement.Name(s)), Patch: "metadata:\n  annotations:\n    argocd.argoproj.io/hook: Sync\n    argocd.argoproj.io/sync-wave: \"1\"   # after the Namespace's wave\n"},
		{Text: "Or create the namespace once, so that the hook finds it; then sync", Command: diagnose.Shell("kubectl create namespace %s", ns)},
	}
}
