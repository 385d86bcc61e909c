package hooks

import (
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
)

// madeBefore is the hook of the same operation that is the object which this hook lacks, and which was applied: then its name is right,
// and the object was there. Nil where there is none.
func (h *run) madeBefore(in *diagnose.In, kind, name string) *evidence.ResourceResult {
	results := in.App().CurrentOperation().Results()
	for i := range results {
		r := &results[i]
		same := r.Kind == kind || strings.Contains(kind, " ") && (r.Kind == "Secret" || r.Kind == "ConfigMap") // "Secret or ConfigMap"
		if r.IsHook() && same && r.Name == name && r.Namespace == h.ref.Namespace && r.HookPhase == evidence.OperationSucceeded {
			return r
		}
	}
	return nil
}

// removedAgain completes the finding about an object that is a hook as well, and that the sync has created and removed.
func (h *run) removedAgain(made *evidence.ResourceResult, f *diagnose.Finding) {
	annotation, before, success := evidence.DeletePolicyAnnotation, beforeCreation, afterSuccess
	if h.job.Annotation("helm.sh/hook") != "" { // Argo CD follows its own policies and Helm's: another annotation would not take this one away
		annotation, before, success = evidence.HelmDeletePolicyAnnotation, "before-hook-creation", "hook-succeeded"
	}
	f.Why += fmt.Sprintf(" This sync created %s as a %s hook, and it is gone again: most likely its delete policy %s removed it before the pod was made.", made.Ref(), made.HookType, success)
	f.Fix[0] = diagnose.Fix{
		Text:  fmt.Sprintf("Keep %s until the next sync: give it, and other objects that this hook needs, only the delete policy %s, then push. If they are those of a chart, turn the hook off in its values, or use another version of the chart", made.Ref(), before),
		Patch: fmt.Sprintf("# on %s\nmetadata:\n  annotations:\n    %s: %s\n", made.Ref(), annotation, before),
	}
}
