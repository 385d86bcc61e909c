package simulator

import (
	"fmt"
	"slices"
	"strings"

	"github.com/argoproj/argo-cd/v2/pkg/apis/application/v1alpha1"
	synccommon "github.com/argoproj/gitops-engine/pkg/sync/common"

	"github.com/argo-why/argo-why/internal/evidence"
)

// Reactions say what happens when somebody acts. Each may call any method of the server. What is nil happens as on Argo CD:
//   - A sync ends as the commit makes it end that it applies: see [Commit]. A manifest error ends it at once. A hook's failed
//     Job that no delete policy removes is judged again instead of the new one. A selective sync runs no hooks.
//   - A refresh, terminating and deleting do what they always do; the functions here are called before.
type Reactions struct {
	// Sync says how an operation goes that was accepted.
	Sync func(Operation) Outcome
	// Refresh is called before a refresh is answered: it may Put or Push what Argo CD finds.
	Refresh func(app Name, hard bool)
	// Terminate is called before an operation is terminated.
	Terminate func(app Name)
	// Delete is called before an object is deleted.
	Delete func(app Name, object evidence.Ref)
}

// React replaces the reactions.
func (s *Server) React(r Reactions) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reactions = r
}

// SetReadOnly makes the server refuse, as a mistake of the caller, whatever changes something; or ends that.
func (s *Server) SetReadOnly(on bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.readOnly = on
}

// refresh compares the application with Git.
func (a *application) refresh(hard bool) {
	status := &a.Application.Status
	status.Sync.ComparedTo = comparedTo(&a.Application.Spec)
	if hard {
		for i := range status.Conditions { // rendered again, not remembered
			status.Conditions[i].Message = strings.ReplaceAll(status.Conditions[i].Message, "Manifest generation error (cached): ", "")
		}
	}
	head := a.git.head
	if head == nil || head.revision == a.git.compared.revision && !hard {
		return
	}
	if head.same {
		a.relabel(*head)
		return
	}
	outside := head.outside || head.revision == a.git.compared.revision
	a.git.take(*head)
	if head.result != nil && len(renderErrors(head.result.Application)) > 0 {
		operation := status.OperationState
		a.become(head.result)
		a.Application.Status.OperationState = operation
		return
	}
	unread := status.Sync.Status == v1alpha1.SyncStatusCodeUnknown // nothing could be compared
	status.Conditions = slices.DeleteFunc(status.Conditions, isOfOneCommit)
	a.comparedAt(head.revision)
	o := status.OperationState
	switch {
	case outside && !unread && head.result == nil: // compared with the same as before
	case outside && unread && head.result == nil && (o == nil || o.Phase == synccommon.OperationSucceeded):
		a.settle(&v1alpha1.SyncOperation{Revision: status.Sync.Revision, Revisions: status.Sync.Revisions}) // what lives was deployed from it
	default:
		a.changedBy(head)
	}
	a.fill()
}

// comparedAt is the revision that Argo CD shows beside the state of the comparison.
func (a *application) comparedAt(revision string) {
	sync := &a.Application.Status.Sync
	if len(sync.Revisions) > 0 {
		sync.Revisions = slices.Clone(sync.Revisions)
		sync.Revisions[0] = revision
		return
	}
	sync.Revision = revision
}

// relabel takes in a commit that changes nothing of the application: only the hash is another one.
func (a *application) relabel(c commit) {
	c.same = false
	if a.git.ran.revision == a.git.compared.revision {
		a.git.ran.revision = c.revision
	}
	alike := append(slices.Clone(a.git.alike), revisionOf(&a.Application.Status.Sync))
	a.git.take(c)
	a.git.alike = alike
	if a.Application.Status.Sync.Status != v1alpha1.SyncStatusCodeUnknown { // of what does not render there is no comparison
		a.comparedAt(c.revision)
	}
}

// isOfOneCommit: the next commit that is compared has its own, or none.
func isOfOneCommit(c v1alpha1.ApplicationCondition) bool {
	return isRenderError(c) || c.Type == v1alpha1.ApplicationConditionSyncError || c.Type == v1alpha1.ApplicationConditionUnknownError
}

func isRenderError(c v1alpha1.ApplicationCondition) bool {
	return c.Type == v1alpha1.ApplicationConditionComparisonError || c.Type == v1alpha1.ApplicationConditionInvalidSpecError
}

// renderErrors are the conditions that keep Argo CD from syncing.
func renderErrors(app *v1alpha1.Application) []string {
	var out []string
	for _, c := range app.Status.Conditions {
		if isRenderError(c) {
			out = append(out, c.Type+": "+c.Message)
		}
	}
	return out
}

// byGit is how a sync goes when nobody says otherwise.
func (a *application) byGit(o Operation) Outcome {
	applies, newer := a.git.compared, false
	revision := o.Revision
	if len(o.Revisions) > 0 {
		revision = o.Revisions[0]
	}
	errs := renderErrors(a.Application)
	if head := a.git.head; head != nil && revision == head.revision {
		newer = head.revision != a.git.compared.revision
		if newer || len(errs) == 0 { // what Argo CD rendered it keeps; whatever else is the cause is gone
			applies = *head
		}
	}
	if newer && applies.result != nil {
		errs = renderErrors(applies.result.Application)
	} else if newer {
		errs = nil
	}
	switch {
	case len(errs) > 0:
		return Outcome{Phase: string(synccommon.OperationError), Message: strings.Join(errs, ";")}
	case o.DryRun:
		return Outcome{Phase: string(synccommon.OperationSucceeded), Message: messageSucceeded}
	case len(o.Resources) > 0:
		return Outcome{Phase: string(synccommon.OperationSucceeded), Message: messageSucceeded, applied: true}
	}
	if failed, ok := a.hookInTheWay(revision != a.git.ran.revision); ok {
		return Outcome{Phase: string(synccommon.OperationFailed), Message: messageTaskFailed, Results: failed}
	}
	if applies.result == nil {
		return Outcome{Phase: string(synccommon.OperationSucceeded), Message: messageSucceeded, Synced: true, of: &applies}
	}
	state := applies.result.Application.Status.OperationState
	out := Outcome{Phase: string(synccommon.OperationSucceeded), Message: messageSucceeded, Results: tasks(state), of: &applies}
	if newer {
		out.becomes = applies.result
	}
	if state == nil || state.Phase == synccommon.OperationSucceeded {
		out.applied = !newer
		return out
	}
	out.Phase, out.Message, out.becomes = string(state.Phase), state.Message, applies.result
	if !state.Phase.Completed() {
		out.Phase = "" // it hangs, as recorded
	}
	return out
}

// hookInTheWay are the tasks of a sync that stumbles over the Job of a hook that failed before: it is still there, and its
// delete policy is one that does not delete it before the next sync. The same manifest is judged by the old Job, a changed one
// cannot be applied.
func (a *application) hookInTheWay(changed bool) ([]evidence.ResourceResult, bool) {
	if a.git.ran.result == nil {
		return nil, false
	}
	recorded := tasks(a.git.ran.result.Application.Status.OperationState)
	for i, r := range recorded {
		if !isFailedJob(&r) {
			continue
		}
		manifest, found := a.live(r.Group, r.Kind, r.Namespace, r.Name)
		there := a.node(func(n v1alpha1.ResourceNode) bool { return refOf(n.ResourceRef) == r.Ref() }) != nil
		job, err := evidence.DecodeObject([]byte(manifest))
		if !there || !found || err != nil {
			continue
		}
		policy := job.Annotation("argocd.argoproj.io/hook-delete-policy") + job.Annotation("helm.sh/hook-delete-policy")
		if policy == "" || strings.Contains(strings.ToLower(strings.ReplaceAll(policy, "-", "")), "beforehookcreation") {
			continue // Argo CD deletes it by itself
		}
		if changed {
			recorded[i].Message = fmt.Sprintf("Job.batch %q is invalid: spec.template: Invalid value: core.PodTemplateSpec{…}: field is immutable", r.Name)
		}
		return recorded, true
	}
	return nil, false
}

func isFailedJob(r *evidence.ResourceResult) bool {
	return r.HookType != "" && r.Kind == "Job" && r.HookPhase == string(synccommon.OperationFailed)
}
