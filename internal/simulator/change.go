package simulator

import (
	"slices"
	"strings"

	applicationpkg "github.com/argoproj/argo-cd/v2/pkg/apiclient/application"
	"github.com/argoproj/argo-cd/v2/pkg/apis/application/v1alpha1"
	"github.com/argoproj/gitops-engine/pkg/health"
	synccommon "github.com/argoproj/gitops-engine/pkg/sync/common"

	"github.com/argo-why/argo-why/internal/evidence"
)

// changedBy makes the application what it is once Argo CD has compared it with another commit: what the commit changes is
// out of sync. A commit that repairs changes what fails; any commit changes something, unless all that it does is to make Git
// like the cluster.
func (a *application) changedBy(c *commit) {
	status := &a.Application.Status
	likeLive := false
	if c.result == nil {
		likeLive = a.permit() || likeLive
		likeLive = a.putBack() || likeLive
		likeLive = a.leaveToAutoscaler() || likeLive
	}
	for i := range status.Resources {
		r := &status.Resources[i]
		switch {
		case r.Hook:
		case c.result == nil && (isUnhealthy(r) || a.failedToApply(r)):
			a.outOfSync(r, c.revision)
		case r.Status == v1alpha1.SyncStatusCodeUnknown:
			cure(r)
		}
	}
	if !likeLive && !a.differs() {
		a.outOfSync(a.mainResource(), c.revision)
	}
	status.Sync.Status = v1alpha1.SyncStatusCodeSynced
	if a.differs() {
		status.Sync.Status = v1alpha1.SyncStatusCodeOutOfSync
	}
}

func isUnhealthy(r *v1alpha1.ResourceStatus) bool {
	return r.Health != nil && (r.Health.Status == health.HealthStatusDegraded || r.Health.Status == health.HealthStatusProgressing)
}

// failedToApply: the API server refused what the last commit wanted of a resource that is live.
func (a *application) failedToApply(r *v1alpha1.ResourceStatus) bool {
	return !isMissing(r) && slices.ContainsFunc(tasks(a.Application.Status.OperationState), func(t evidence.ResourceResult) bool {
		return t.Status == string(synccommon.ResultCodeSyncFailed) && t.Ref() == refOfStatus(r)
	})
}

// differs reports whether any resource is out of sync.
func (a *application) differs() bool {
	return slices.ContainsFunc(a.Application.Status.Resources, func(r v1alpha1.ResourceStatus) bool {
		return !r.Hook && r.Status == v1alpha1.SyncStatusCodeOutOfSync
	})
}

// outOfSync makes a resource one that the commit changes. Where the last commit was refused, this one goes on from what was
// applied before.
func (a *application) outOfSync(r *v1alpha1.ResourceStatus, revision string) {
	r.Status = v1alpha1.SyncStatusCodeOutOfSync
	a.editManaged(refOfStatus(r), func(m *v1alpha1.ResourceDiff) {
		if before := wanted(object(m.LiveState)); before != nil {
			m.TargetState, m.PredictedLiveState = text(before), m.NormalizedLiveState
		}
		differ(m, revision)
	})
}

// editManaged changes a copy of a managed resource.
func (a *application) editManaged(ref evidence.Ref, edit func(*v1alpha1.ResourceDiff)) {
	if a.Managed == nil {
		return
	}
	items := slices.Clone(a.Managed.Items)
	for i, m := range items {
		if refOfDiff(m) == ref {
			changed := *m
			edit(&changed)
			items[i] = &changed
		}
	}
	a.Managed = &applicationpkg.ManagedResourcesResponse{Items: items}
}

// permit takes out of Git what the project forbids, and what therefore never came into the cluster.
func (a *application) permit() bool {
	status := &a.Application.Status
	var gone []evidence.Ref
	for _, t := range tasks(status.OperationState) {
		if t.Status == string(synccommon.ResultCodeSyncFailed) && strings.Contains(t.Message, "is not permitted in project") {
			gone = append(gone, t.Ref())
		}
	}
	before := len(status.Resources)
	status.Resources = slices.DeleteFunc(status.Resources, func(r v1alpha1.ResourceStatus) bool {
		return isMissing(&r) && slices.Contains(gone, refOfStatus(&r))
	})
	if a.Managed != nil {
		a.Managed = &applicationpkg.ManagedResourcesResponse{Items: slices.DeleteFunc(slices.Clone(a.Managed.Items), func(m *v1alpha1.ResourceDiff) bool {
			return slices.Contains(gone, refOfDiff(m))
		})}
	}
	a.remove(gone...)
	if len(status.Resources) == before {
		return false
	}
	status.Health.Status = overall(status)
	if status.Health.Status == health.HealthStatusMissing && !slices.ContainsFunc(status.Resources, func(r v1alpha1.ResourceStatus) bool { return isMissing(&r) }) {
		status.Health.Status = health.HealthStatusHealthy
	}
	return true
}

// putBack makes Git have again what it had lost and the cluster still has.
func (a *application) putBack() bool {
	status, found := &a.Application.Status, false
	for i := range status.Resources {
		r := &status.Resources[i]
		if r.Hook || !r.RequiresPruning {
			continue
		}
		found, r.RequiresPruning, r.Status = true, false, v1alpha1.SyncStatusCodeSynced
		a.editManaged(refOfStatus(r), func(m *v1alpha1.ResourceDiff) {
			target := wanted(object(m.LiveState))
			if target == nil {
				target = object(m.NormalizedLiveState)
			}
			m.TargetState, m.PredictedLiveState, m.Modified = text(target), m.NormalizedLiveState, false
		})
	}
	return found
}

// leaveToAutoscaler takes the replicas out of Git where an autoscaler sets them and nothing else differs.
func (a *application) leaveToAutoscaler() bool {
	if a.Managed == nil || a.node(func(n v1alpha1.ResourceNode) bool { return n.Kind == "HorizontalPodAutoscaler" }) == nil {
		return false
	}
	status, found := &a.Application.Status, false
	for i := range status.Resources {
		r := &status.Resources[i]
		a.editManaged(refOfStatus(r), func(m *v1alpha1.ResourceDiff) {
			target, live, predicted := object(m.TargetState), object(m.NormalizedLiveState), object(m.PredictedLiveState)
			if _, set := inside(target, "spec")["replicas"]; !set || live == nil || predicted == nil || r.Status != v1alpha1.SyncStatusCodeOutOfSync {
				return
			}
			inside(predicted, "spec")["replicas"] = inside(live, "spec")["replicas"]
			if text(predicted) != text(live) {
				return
			}
			delete(inside(target, "spec"), "replicas")
			m.TargetState, m.PredictedLiveState, m.Modified = text(target), m.NormalizedLiveState, false
			found, r.Status = true, v1alpha1.SyncStatusCodeSynced
		})
	}
	return found
}

// mainResource is the one that a commit most likely changes. An application that has none yet has a Deployment of its name.
func (a *application) mainResource() *v1alpha1.ResourceStatus {
	status := &a.Application.Status
	for _, kind := range []string{"Deployment", "StatefulSet", "Rollout", "DaemonSet", "ConfigMap", ""} {
		for i := range status.Resources {
			if r := &status.Resources[i]; !r.Hook && (r.Kind == kind || kind == "") {
				return r
			}
		}
	}
	r := v1alpha1.ResourceStatus{
		Group: "apps", Version: "v1", Kind: "Deployment", Namespace: a.Application.Spec.Destination.Namespace, Name: a.Name.Name,
		Status: v1alpha1.SyncStatusCodeSynced, Health: &v1alpha1.HealthStatus{Status: health.HealthStatusHealthy},
	}
	status.Resources = append(status.Resources, r)
	tree := v1alpha1.ApplicationTree{}
	if a.Tree != nil {
		tree = *a.Tree
	}
	tree.Nodes = append(slices.Clone(tree.Nodes), v1alpha1.ResourceNode{
		ResourceRef: v1alpha1.ResourceRef{Group: r.Group, Version: r.Version, Kind: r.Kind, Namespace: r.Namespace, Name: r.Name, UID: string(a.uid())},
		Health:      r.Health,
	})
	a.Tree = &tree
	return &status.Resources[len(status.Resources)-1]
}
