package simulator

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"time"

	"github.com/argoproj/argo-cd/v2/pkg/apis/application/v1alpha1"
	synccommon "github.com/argoproj/gitops-engine/pkg/sync/common"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/argo-why/argo-why/internal/evidence"
)

// wellSince is how long ago the last sync of an application ended that has been well since.
const wellSince = 26 * time.Hour

// Settle makes an application as it was before the failure of its case: deployed from an earlier commit, synced a day ago,
// healthy, and nothing in its way. Put the case again to break it. Without Options.Whole, what a case does not hold is not made
// up: without managed resources, for example, there are none afterwards either.
func (s *Server) Settle(name Name) error {
	return s.change(name, func(app *application) { app.calm(s.clock()) })
}

func (a *application) calm(now metav1.Time) {
	sync := &v1alpha1.SyncOperation{Revision: a.earlier()}
	if sources := len(a.Application.Spec.Sources); sources > 0 {
		sync.Revisions = slices.Clone(a.Application.Status.Sync.Revisions)
		if len(sync.Revisions) != sources {
			sync.Revisions = make([]string, sources)
			for i := range sync.Revisions {
				sync.Revisions[i] = sync.Revision
			}
		}
		sync.Revisions[0], sync.Revision = sync.Revision, ""
	}
	a.APIError, a.Windows, a.Events, a.Logs = "", complete(nil), nil, nil
	a.clear()
	a.settle(sync)
	a.git = git{compared: commit{revision: revisionOf(&a.Application.Status.Sync)}}
	a.git.ran = a.git.compared
	a.fill()

	ended := metav1.NewTime(now.Add(-wellSince))
	begun := metav1.NewTime(ended.Add(-4 * time.Second))
	status := &a.Application.Status
	a.Application.Operation, a.Application.DeletionTimestamp = nil, nil
	a.operation = 0
	status.ReconciledAt, status.Health.LastTransitionTime = &now, &ended
	status.OperationState = &v1alpha1.OperationState{
		Operation: v1alpha1.Operation{Sync: sync, InitiatedBy: v1alpha1.OperationInitiator{Username: Person}},
		Phase:     synccommon.OperationSucceeded, Message: messageSucceeded, StartedAt: begun, FinishedAt: &ended,
		SyncResult: &v1alpha1.SyncOperationResult{
			Source: a.Application.Spec.GetSource(), Sources: a.Application.Spec.Sources, Revision: sync.Revision, Revisions: sync.Revisions,
		},
	}
}

// earlier is the commit that was deployed before the one that fails.
func (a *application) earlier() string { return a.document.earlier(a.Name) }

func (d *document) earlier(of Name) string {
	now := revisionOf(&d.Application.Status.Sync)
	for _, h := range slices.Backward(d.Application.Status.History) {
		if h.Revision != "" && h.Revision != now {
			return h.Revision
		}
	}
	return fmt.Sprintf("%x", sha256.Sum256([]byte(now+" before "+of.String())))[:40]
}

// clear takes away what was left behind: the Jobs of hooks, what is no longer in Git, what nobody owns.
func (a *application) clear() {
	status := &a.Application.Status
	var gone []evidence.Ref
	for _, r := range tasks(status.OperationState) {
		if r.HookType != "" {
			gone = append(gone, r.Ref())
		}
	}
	if !slices.ContainsFunc(status.Resources, func(r v1alpha1.ResourceStatus) bool { return !r.Hook && !r.RequiresPruning }) {
		a.putBack() // Git held nothing at all: that is the failure
	}
	status.Resources = slices.DeleteFunc(status.Resources, func(r v1alpha1.ResourceStatus) bool {
		if r.Hook || r.RequiresPruning {
			gone = append(gone, refOfStatus(&r))
		}
		return r.Hook || r.RequiresPruning
	})
	a.remove(gone...)
	if a.Managed != nil {
		managed := *a.Managed
		managed.Items = slices.DeleteFunc(slices.Clone(managed.Items), func(r *v1alpha1.ResourceDiff) bool {
			return r.TargetState == "" || r.TargetState == "null"
		})
		a.Managed = &managed
	}
	if a.Tree != nil {
		tree := *a.Tree
		tree.OrphanedNodes = nil
		a.Tree = &tree
	}
}
