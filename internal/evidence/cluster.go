package evidence

import (
	"cmp"
	"context"
	"errors"
	"slices"
)

// Cluster reads what Argo CD cannot show of the cluster that an application is deployed to. Where the cluster cannot be
// asked the error wraps [ErrAbsent] and says why: the evidence is then as absent as it was without a cluster.
type Cluster interface {
	// Object is nil without an error when the object is known not to exist.
	Object(context.Context, ObjectQuery) (Object, error)
	Events(context.Context, ObjectQuery) ([]Event, error)
	// Autoscalers are all of them in the namespace; none without an error means that there are none.
	Autoscalers(ctx context.Context, namespace string) ([]Object, error)
	// All are all objects of a kind that has no namespaces.
	All(context.Context, Outside) ([]Object, error)
}

// WithCluster is a live source that asks Argo CD first, and the cluster for what Argo CD does not have: of objects those of the kinds
// that are declared ([AllOutside]), and no others. The cluster is asked with rights that the application may not have, and the names come from
// texts that whoever writes the application chooses: so only about namespaces that are the application's. app is what was last read of it; nil
// before.
func WithCluster(s Source, c Cluster, app func() *Application) Source {
	return clusterSource{s, c, &territory{source: s, app: app}}
}

type clusterSource struct {
	Source
	cluster   Cluster
	territory *territory
}

// Tree implements Source.
func (s clusterSource) Tree(ctx context.Context) (*Tree, error) {
	tree, err := s.Source.Tree(ctx)
	if tree != nil {
		see(s.territory, tree.Nodes, func(n *Node) (string, bool) { return n.Namespace, n.Lives() })
	}
	return tree, err
}

// ManagedResources implements Source.
func (s clusterSource) ManagedResources(ctx context.Context) ([]ResourceDiff, error) {
	managed, err := s.Source.ManagedResources(ctx)
	see(s.territory, managed, func(d *ResourceDiff) (string, bool) { return d.Namespace, d.LiveState.Exists() })
	return managed, err
}

// Project implements Source.
func (s clusterSource) Project(ctx context.Context) (*Project, error) {
	return s.territory.readProject(ctx)
}

func (s clusterSource) Object(ctx context.Context, q ObjectQuery) (Object, error) {
	o, err := s.Source.Object(ctx, q)
	if !errors.Is(err, ErrAbsent) {
		return o, err
	}
	outside, declared := OutsideOf(q.Ref)
	if !declared {
		return nil, err
	}
	if !outside.ClusterScoped {
		if err := s.territory.enter(ctx, q.Namespace); err != nil {
			return nil, err
		}
	}
	return s.cluster.Object(ctx, q)
}

func (s clusterSource) Events(ctx context.Context, q ObjectQuery) ([]Event, error) {
	events, err := s.Source.Events(ctx, q)
	if errors.Is(err, ErrAbsent) {
		if err = s.territory.enter(ctx, q.Namespace); err == nil {
			events, err = s.cluster.Events(ctx, q)
		}
	}
	SortEvents(events)
	return events, err
}

func (s clusterSource) Autoscalers(ctx context.Context, namespace string) ([]Object, error) {
	found, err := s.Source.Autoscalers(ctx, namespace)
	if errors.Is(err, ErrAbsent) {
		if err = s.territory.enter(ctx, namespace); err == nil {
			found, err = s.cluster.Autoscalers(ctx, namespace)
		}
	}
	sortObjects(found)
	return found, err
}

// All implements Source. Which of them are asked for is no choice of the application's.
func (s clusterSource) All(ctx context.Context, kind Outside) ([]Object, error) {
	found, err := s.Source.All(ctx, kind)
	if errors.Is(err, ErrAbsent) && kind.ClusterScoped && kind.All && slices.Contains(AllOutside, kind) {
		found, err = s.cluster.All(ctx, kind)
	}
	sortObjects(found)
	return found, err
}

// sortObjects puts objects in the order in which a case file keeps them, so it replays to the same report.
func sortObjects(objects []Object) {
	slices.SortStableFunc(objects, func(a, b Object) int { return cmp.Compare(objectKey(a.Ref()), objectKey(b.Ref())) })
}
