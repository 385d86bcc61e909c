package simulator

import (
	"context"
	"maps"
	"slices"
	"time"

	clusterpkg "github.com/argoproj/argo-cd/v2/pkg/apiclient/cluster"
	"github.com/argoproj/argo-cd/v2/pkg/apis/application/v1alpha1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/argo-why/argo-why/internal/evidence"
)

// Connect has Argo CD show a connection, to a repository or a cluster, in that state. Before, it shows the repositories of the cases, and the
// cluster that it runs in.
func (s *Server) Connect(c evidence.Connection) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.connections == nil {
		s.connections = map[string]evidence.Connection{}
	}
	s.connections[string(c.Kind)+" "+c.Project+" "+c.Address] = c
}

// Tested is a connection to a Git repository, or to the cluster of that name, as Argo CD shows it when it has just tested it: with that error,
// or "" if it works.
func Tested(cluster, address, err string) evidence.Connection {
	c := evidence.Connection{
		Kind: evidence.ConnectionToRepository, Address: address, Type: "git", Status: evidence.ConnectionSuccessful, Message: err,
		Tested: evidence.Time{Time: time.Now()},
	}
	if cluster != "" {
		c.Kind, c.Name, c.Type = evidence.ConnectionToCluster, cluster, ""
	}
	if err != "" {
		c.Status = evidence.ConnectionFailed
	}
	return c
}

// Disconnect removes one from Argo CD's settings.
func (s *Server) Disconnect(c evidence.Connection) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.connections, string(c.Kind)+" "+c.Project+" "+c.Address)
}

// connected are the connections of a kind; none without the right to see them, as Argo CD has it.
func (s *Server) connected(kind evidence.ConnectionKind, resource string) (all []evidence.Connection, allowed bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, key := range slices.Sorted(maps.Keys(s.connections)) {
		if c := s.connections[key]; c.Kind == kind {
			all = append(all, c)
		}
	}
	return all, !s.denied[resource+" get *"]
}

func (s *Server) stateOf(c *evidence.Connection) v1alpha1.ConnectionState {
	tested := metav1.NewTime(c.Tested.Time)
	if c.Tested.IsZero() {
		tested = s.clock()
	}
	return v1alpha1.ConnectionState{Status: c.Status, Message: c.Message, ModifiedAt: &tested}
}

type clusterService struct {
	clusterpkg.UnimplementedClusterServiceServer
	s *Server
}

// StopController has the application controller stop reporting on clusters, which it does every few seconds, or begin again.
func (s *Server) StopController(stop bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.controllerStopped = evidence.Time{}
	if stop {
		s.controllerStopped = evidence.Time{Time: time.Now()}
	}
}

// reported is when the application controller last reported; zero is now.
func (s *Server) reported() evidence.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.controllerStopped
}

// inCluster is the cluster that Argo CD runs in.
var inCluster = evidence.Connection{
	Kind: evidence.ConnectionToCluster, Address: "https://kubernetes.default.svc", Name: "in-cluster", Status: evidence.ConnectionSuccessful, Version: "1.31",
}

func (c *clusterService) List(context.Context, *clusterpkg.ClusterQuery) (*v1alpha1.ClusterList, error) {
	all, allowed := c.s.connected(evidence.ConnectionToCluster, "clusters")
	list := &v1alpha1.ClusterList{}
	if !allowed {
		return list, nil
	}
	if !slices.ContainsFunc(all, func(c evidence.Connection) bool { return c.Address == inCluster.Address }) {
		all = append(all, inCluster)
	}
	for i := range all {
		all[i].Tested = c.s.reported()
		one := v1alpha1.Cluster{Server: all[i].Address, Name: all[i].Name, Project: all[i].Project}
		one.Info.ConnectionState = c.s.stateOf(&all[i])
		one.Info.CacheInfo.ResourcesCount, one.Info.ServerVersion = all[i].Resources, all[i].Version
		list.Items = append(list.Items, one)
	}
	return list, nil
}

// shown are the repositories of the cases with the state that Connect gave them, and those that only Connect named.
func (s *Server) shown(recorded v1alpha1.Repositories) v1alpha1.Repositories {
	all, allowed := s.connected(evidence.ConnectionToRepository, "repositories")
	if !allowed {
		return nil
	}
	out := slices.Clone(recorded)
	for i := range all {
		c := &all[i]
		one := &v1alpha1.Repository{Repo: c.Address, Name: c.Name, Project: c.Project, Type: c.Type, EnableOCI: c.OCI}
		at := slices.IndexFunc(out, func(r *v1alpha1.Repository) bool { return r.Repo == c.Address && r.Project == c.Project })
		if at >= 0 {
			one = out[at].DeepCopy()
			out[at] = one
		} else {
			out = append(out, one)
		}
		one.ConnectionState = s.stateOf(c)
	}
	return out
}
