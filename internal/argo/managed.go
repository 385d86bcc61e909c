package argo

import (
	"context"
	"slices"

	applicationpkg "github.com/argoproj/argo-cd/v2/pkg/apiclient/application"

	"github.com/argo-why/argo-why/internal/evidence"
)

// ManagedResources reads the desired and the live state, for each resource of the application except hooks. An
// application may have thousands, each four times over: of one that was read before, only what a diagnosis compares is
// asked for and kept, the resources that are out of sync and the autoscalers. A recording gets all of them.
func (a *App) ManagedResources(ctx context.Context) ([]evidence.ResourceDiff, error) {
	wanted := a.compared()
	if a.Record != nil || wanted == nil {
		answer, err := a.client.applications.ManagedResources(ctx, a.resourcesQuery())
		type list struct {
			Items []evidence.ResourceDiff `json:"items"`
		}
		managed, err := take[list](ctx, a, "managed resources", evidence.KindManaged, "managedResources", answer, err)
		return managed.Items, err
	}
	answer, err := a.client.applications.ManagedResources(ctx, narrowed(a.resourcesQuery(), wanted))
	if err != nil {
		return nil, a.client.fail(ctx, "read managed resources of "+a.Name(), err)
	}
	index := evidence.IndexOf(wanted)
	var out []evidence.ResourceDiff
	for _, r := range answer.Items {
		d := evidence.ResourceDiff{
			Group: r.Group, Kind: r.Kind, Namespace: r.Namespace, Name: r.Name, Hook: r.Hook, Modified: r.Modified,
			TargetState: evidence.State(r.TargetState), LiveState: evidence.State(r.LiveState),
			NormalizedLiveState: evidence.State(r.NormalizedLiveState), PredictedLiveState: evidence.State(r.PredictedLiveState),
		}
		if index.Find(d.Ref()) != nil {
			out = append(out, d)
		}
	}
	return out, nil
}

// compared are the resources that a diagnosis compares; nil before the application was read.
func (a *App) compared() []evidence.Ref {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.application == nil {
		return nil
	}
	out := []evidence.Ref{}
	for _, r := range a.application.Status.Resources {
		if r.Status == "OutOfSync" || evidence.IsAutoscaler(r.Ref()) {
			out = append(out, r.Ref())
		}
	}
	return out
}

// narrowed asks only for what all of the resources have in common. Argo CD applies such a filter itself.
func narrowed(q *applicationpkg.ResourcesQuery, wanted []evidence.Ref) *applicationpkg.ResourcesQuery {
	if len(wanted) == 0 {
		return q
	}
	same := func(field func(evidence.Ref) string) *string {
		first := field(wanted[0])
		if slices.ContainsFunc(wanted, func(r evidence.Ref) bool { return field(r) != first }) {
			return nil
		}
		return given(first) // the core group is empty, and empty means any
	}
	q.Group, q.Kind = same(func(r evidence.Ref) string { return r.Group }), same(func(r evidence.Ref) string { return r.Kind })
	q.Namespace, q.Name = same(func(r evidence.Ref) string { return r.Namespace }), same(func(r evidence.Ref) string { return r.Name })
	return q
}
