package simulator

import (
	"slices"

	applicationpkg "github.com/argoproj/argo-cd/v2/pkg/apiclient/application"
	"github.com/argoproj/argo-cd/v2/pkg/apis/application/v1alpha1"
	"github.com/argoproj/gitops-engine/pkg/health"

	"github.com/argo-why/argo-why/internal/evidence"
)

// become makes the application like another one, whose case it shares from then on, but for its name and its spec.
func (a *application) become(d *document) {
	next := *d
	next.Application = a.Application
	next.Application.Status = *d.Application.Status.DeepCopy()
	next.Application.Status.Sync.ComparedTo = comparedTo(&next.Application.Spec)
	next.Windows, next.Project = a.Windows, a.Project
	a.document = &next
}

// settle makes the application as Git wants it, and healthy.
func (a *application) settle(sync *v1alpha1.SyncOperation) {
	status := &a.Application.Status
	status.Sync.Status, status.Sync.Revision, status.Sync.Revisions = v1alpha1.SyncStatusCodeSynced, sync.Revision, sync.Revisions
	status.Health.Status, status.Conditions = health.HealthStatusHealthy, nil
	a.putBack()
	for i := range status.Resources {
		cure(&status.Resources[i])
	}
	a.compareAll(func(evidence.Ref) bool { return true })
	a.heal()
}

func cure(r *v1alpha1.ResourceStatus) {
	r.Status = v1alpha1.SyncStatusCodeSynced
	if r.Health != nil {
		r.Health = &v1alpha1.HealthStatus{Status: health.HealthStatusHealthy}
	}
}

// apply makes what was out of sync as Git wants it. What was in sync and unhealthy stays so, and so does what only pruning
// would change.
func (a *application) apply(sync *v1alpha1.SyncOperation) {
	status := &a.Application.Status
	var pruned []evidence.Ref
	status.Resources = slices.DeleteFunc(status.Resources, func(r v1alpha1.ResourceStatus) bool {
		gone := r.RequiresPruning && !r.Hook && sync.Prune && selected(sync, refOfStatus(&r))
		if gone {
			pruned = append(pruned, refOfStatus(&r))
		}
		return gone
	})
	a.remove(pruned...)
	synced := true
	for i := range status.Resources {
		r := &status.Resources[i]
		if r.Status == v1alpha1.SyncStatusCodeOutOfSync && !r.RequiresPruning && selected(sync, refOfStatus(r)) {
			cure(r)
		}
		synced = synced && (r.Hook || r.Status != v1alpha1.SyncStatusCodeOutOfSync)
	}
	a.compareAll(func(ref evidence.Ref) bool { return selected(sync, ref) })
	if synced {
		status.Sync.Status, status.Sync.Revision, status.Sync.Revisions = v1alpha1.SyncStatusCodeSynced, sync.Revision, sync.Revisions
	}
	if status.Health.Status = overall(status); synced && status.Health.Status == health.HealthStatusMissing {
		status.Health.Status = health.HealthStatusHealthy // nothing is missing any longer
	}
}

func selected(sync *v1alpha1.SyncOperation, ref evidence.Ref) bool {
	return len(sync.Resources) == 0 || slices.ContainsFunc(sync.Resources, func(r v1alpha1.SyncOperationResource) bool {
		return r.Group == ref.Group && r.Kind == ref.Kind && r.Name == ref.Name && (r.Namespace == "" || r.Namespace == ref.Namespace)
	})
}

// overall is the health of an application: the worst of its resources'. Where the case does not tell theirs, it stays.
func overall(status *v1alpha1.ApplicationStatus) health.HealthStatusCode {
	worst, known := health.HealthStatusHealthy, false
	for _, r := range status.Resources {
		if r.Health == nil || r.Hook {
			continue
		}
		known = true
		if health.IsWorse(worst, r.Health.Status) {
			worst = r.Health.Status
		}
	}
	if !known {
		return status.Health.Status
	}
	return worst
}

// compareAll makes the live side of managed resources as Git wants it.
func (a *application) compareAll(of func(evidence.Ref) bool) {
	if a.Managed == nil {
		return
	}
	items := make([]*v1alpha1.ResourceDiff, 0, len(a.Managed.Items))
	for _, r := range a.Managed.Items {
		wanted := r.TargetState != "" && r.TargetState != "null"
		ref := evidence.Ref{Group: r.Group, Kind: r.Kind, Namespace: r.Namespace, Name: r.Name}
		if wanted && r.NormalizedLiveState != r.PredictedLiveState && of(ref) {
			same := *r
			live := appliedAs(r.PredictedLiveState, r.TargetState)
			same.LiveState, same.NormalizedLiveState, same.PredictedLiveState, same.Modified = live, live, live, false
			a.replace(ref, []byte(live))
			r = &same
		}
		items = append(items, r)
	}
	a.Managed = &applicationpkg.ManagedResourcesResponse{Items: items}
}

// appliedAs notes in a live object what was applied, where one notes it.
func appliedAs(live, target string) string {
	o := object(live)
	annotations := inside(o, "metadata", "annotations")
	if _, noted := annotations[lastApplied]; !noted {
		return live
	}
	annotations[lastApplied] = target
	return text(o)
}

// heal makes every object of the tree healthy. Unhealthy pods go: a controller replaces them, and there is none here.
func (a *application) heal() {
	if a.Tree == nil {
		return
	}
	var gone []evidence.Ref
	for _, n := range a.Tree.Nodes {
		if n.Kind == "Pod" && n.Health != nil && n.Health.Status != health.HealthStatusHealthy {
			gone = append(gone, refOf(n.ResourceRef))
		}
	}
	a.remove(gone...)
	tree := *a.Tree
	tree.Nodes = slices.Clone(tree.Nodes)
	for i := range tree.Nodes {
		if tree.Nodes[i].Health != nil {
			tree.Nodes[i].Health = &v1alpha1.HealthStatus{Status: health.HealthStatusHealthy}
		}
	}
	a.Tree = &tree
}

// lose takes an object away that somebody deleted, and what it owns. Argo CD misses it when Git has it.
func (a *application) lose(ref evidence.Ref) {
	a.remove(ref)
	status := &a.Application.Status
	status.Resources = slices.DeleteFunc(status.Resources, func(r v1alpha1.ResourceStatus) bool {
		return refOfStatus(&r) == ref && (r.Hook || r.RequiresPruning)
	})
	for i := range status.Resources {
		if r := &status.Resources[i]; refOfStatus(r) == ref {
			r.Status, r.Health = v1alpha1.SyncStatusCodeOutOfSync, &v1alpha1.HealthStatus{Status: health.HealthStatusMissing}
			status.Sync.Status, status.Health.Status = v1alpha1.SyncStatusCodeOutOfSync, overall(status)
		}
	}
}
