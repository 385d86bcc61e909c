package apply

import (
	"fmt"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
	"github.com/argo-why/argo-why/internal/evidence"
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

// hookBeforeOwn completes the finding about PreSync hooks in a namespace that the application has a manifest of: that is applied after
// all PreSync hooks, whatever its wave.
func hookBeforeOwn(in *diagnose.In, s *diagnose.Statement, own *evidence.ResourceStatus, out *diagnose.Finding) {
	hooks := hooksWithout(in, s, own.Name)
	names, are, kind := list(hooks), "is a PreSync hook, and these run", "a Sync hook"
	if len(hooks) > 1 {
		are, kind = "are PreSync hooks, and these run", "Sync hooks"
	}
	out.Why = fmt.Sprintf("The application has Namespace/%s itself, but %s %s before all resources, whatever the wave of the Namespace.", own.Name, names, are)
	step := fmt.Sprintf("Make %s %s in a wave after the Namespace, in Git, then push", names, kind)
	const onHook = "metadata:\n  annotations:\n    argocd.argoproj.io/hook: Sync\n    argocd.argoproj.io/sync-wave: \"%d\"   # after the Namespace's wave%s\n"
	patch := fmt.Sprintf(onHook, own.SyncWave+1, "")
	if first, ok := firstAfter(in, own); ok {
		step = fmt.Sprintf("Make %s %s in a wave between the Namespace and the resources, in Git, then push", names, kind)
		patch = fmt.Sprintf(onHook, first-1, ", before the resources'")
		if first-1 <= own.SyncWave { // no room between them
			patch = fmt.Sprintf("# on Namespace/%s\n%s---\n# on %s\n", own.Name, waveAnnotation(first-2), names) + patch
		}
	}
	out.Fix = []diagnose.Fix{{Text: step, Patch: patch}}
	switch {
	case own.Name != in.App().Spec.Destination.Namespace:
	case in.App().HasSyncOption("CreateNamespace=true"):
		out.Fix = append(out.Fix, diagnose.Fix{Text: "Or remove the Namespace's manifest in Git, then push: the sync option CreateNamespace=true has no effect while the manifest is there, and creates the namespace before the hooks otherwise"})
	default:
		out.Fix = append(out.Fix, diagnose.Fix{Text: "Or remove the Namespace's manifest, and let Argo CD create the namespace before the hooks: set the sync option in " + advice.Manifest(in) + " (it has no effect while the manifest is there)", Patch: "spec:\n  syncPolicy:\n    syncOptions:\n    - CreateNamespace=true\n"})
	}
	out.Fix = append(out.Fix, diagnose.Fix{Text: "Or create the namespace once, so that the next sync finds it", Command: diagnose.Shell("kubectl create namespace %s", own.Name)})
}

// hooksWithout are the PreSync hooks that failed because their namespace does not exist, in the order of the sync.
func hooksWithout(in *diagnose.In, s *diagnose.Statement, ns string) []string {
	var out []string
	for _, r := range in.App().CurrentOperation().Results() {
		if r.Failed() && r.HookType == "PreSync" && strings.Contains(r.Message, `"`+ns+`"`) && noNamespace.MatchString(r.Message) {
			out = append(out, r.Ref().String())
		}
	}
	if name := statement.Name(s); !slices.Contains(out, name) {
		out = append(out, name)
	}
	return out
}

// firstAfter is the first wave of the other resources of the application that is not before the Namespace's: these may need the hooks.
func firstAfter(in *diagnose.In, own *evidence.ResourceStatus) (wave int64, ok bool) {
	for _, r := range in.App().Status.Resources {
		if r.Ref() == own.Ref() || r.Hook || r.SyncWave < own.SyncWave {
			continue
		}
		if !ok || r.SyncWave < wave {
			wave, ok = r.SyncWave, true
		}
	}
	return wave, ok
}

// firstIn is the first wave of what the application has in a namespace.
func firstIn(in *diagnose.In, ns string) (wave int64) {
	for _, r := range in.App().Status.Resources {
		if r.Namespace == ns {
			wave = min(wave, r.SyncWave)
		}
	}
	return wave
}

// waveAnnotation is the patch that sets the wave of a resource.
func waveAnnotation(wave int64) string {
	return fmt.Sprintf("metadata:\n  annotations:\n    argocd.argoproj.io/sync-wave: \"%d\"\n", wave)
}
