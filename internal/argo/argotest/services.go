package argotest

import (
	"context"
	"fmt"
	"strings"
	"time"

	applicationpkg "github.com/argoproj/argo-cd/v2/pkg/apiclient/application"
	projectpkg "github.com/argoproj/argo-cd/v2/pkg/apiclient/project"
	repositorypkg "github.com/argoproj/argo-cd/v2/pkg/apiclient/repository"
	"github.com/argoproj/argo-cd/v2/pkg/apis/application/v1alpha1"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type applications struct {
	applicationpkg.UnimplementedApplicationServiceServer
	s *Server
}

// find is the application as Argo CD looks it up: without a project a missing one is "permission denied".
func (a *applications) find(name, namespace, project string) (*document, error) {
	for _, d := range a.s.documents() {
		if d.Application == nil || d.Application.Name != name || namespace != "" && namespace != d.Application.Namespace {
			continue
		}
		if project == "" || project == d.Application.Spec.Project {
			return d, nil
		}
	}
	if project != "" {
		return nil, status.Errorf(codes.NotFound, "applications.argoproj.io %q not found", name)
	}
	return nil, status.Error(codes.PermissionDenied, "permission denied")
}

func (a *applications) Get(_ context.Context, q *applicationpkg.ApplicationQuery) (*v1alpha1.Application, error) {
	if q.Refresh != nil {
		if err := a.refresh(q); err != nil {
			return nil, err
		}
	}
	d, err := a.find(q.GetName(), q.GetAppNamespace(), strings.Join(q.Projects, ","))
	if err != nil {
		return nil, err
	}
	return d.Application, nil
}

func (a *applications) List(context.Context, *applicationpkg.ApplicationQuery) (*v1alpha1.ApplicationList, error) {
	list := &v1alpha1.ApplicationList{}
	for _, d := range a.s.documents() {
		if d.Application != nil {
			list.Items = append(list.Items, *d.Application)
		}
	}
	return list, nil
}

func (a *applications) ResourceTree(_ context.Context, q *applicationpkg.ResourcesQuery) (*v1alpha1.ApplicationTree, error) {
	d, err := a.find(q.GetApplicationName(), q.GetAppNamespace(), q.GetProject())
	if err != nil {
		return nil, err
	}
	if d.Tree == nil {
		return nil, errNotCached("resource tree")
	}
	return d.Tree, nil
}

func (a *applications) ManagedResources(_ context.Context, q *applicationpkg.ResourcesQuery) (*applicationpkg.ManagedResourcesResponse, error) {
	d, err := a.find(q.GetApplicationName(), q.GetAppNamespace(), q.GetProject())
	if err != nil {
		return nil, err
	}
	if d.Managed == nil {
		return nil, errNotCached("managed resources")
	}
	out := &applicationpkg.ManagedResourcesResponse{}
	matches := func(filter, value string) bool { return filter == "" || filter == value }
	for _, r := range d.Managed.Items {
		if matches(q.GetGroup(), r.Group) && matches(q.GetKind(), r.Kind) && matches(q.GetNamespace(), r.Namespace) && matches(q.GetName(), r.Name) {
			out.Items = append(out.Items, r)
		}
	}
	return out, nil
}

func errNotCached(what string) error {
	return status.Errorf(codes.Unknown, "error getting cached app %s: cache: key is missing", what)
}

// node finds an object in the tree; Argo CD looks nowhere else.
func (d *document) node(match func(v1alpha1.ResourceNode) bool) *v1alpha1.ResourceNode {
	if d.Tree == nil {
		return nil
	}
	for _, list := range [][]v1alpha1.ResourceNode{d.Tree.Nodes, d.Tree.OrphanedNodes} {
		for i := range list {
			if list[i].UID != "" && match(list[i]) {
				return &list[i]
			}
		}
	}
	return nil
}

func (a *applications) GetResource(_ context.Context, q *applicationpkg.ApplicationResourceRequest) (*applicationpkg.ApplicationResourceResponse, error) {
	d, err := a.find(q.GetName(), q.GetAppNamespace(), q.GetProject())
	if err != nil {
		return nil, err
	}
	if d.node(func(n v1alpha1.ResourceNode) bool {
		return n.Group == q.GetGroup() && n.Kind == q.GetKind() && n.Namespace == q.GetNamespace() && n.Name == q.GetResourceName()
	}) == nil {
		return nil, status.Errorf(codes.InvalidArgument, "%s %s %s not found as part of application %s", q.GetKind(), q.GetGroup(), q.GetResourceName(), q.GetName())
	}
	manifest, found := d.object(q.GetGroup(), q.GetKind(), q.GetNamespace(), q.GetResourceName())
	if !found {
		return nil, status.Errorf(codes.NotFound, "error getting resource: %ss %q not found", strings.ToLower(q.GetKind()), q.GetResourceName())
	}
	return &applicationpkg.ApplicationResourceResponse{Manifest: &manifest}, nil
}

func (a *applications) ListResourceEvents(_ context.Context, q *applicationpkg.ApplicationResourceEventsQuery) (*corev1.EventList, error) {
	d, err := a.find(q.GetName(), q.GetAppNamespace(), q.GetProject())
	if err != nil {
		return nil, err
	}
	name, namespace, uid := q.GetResourceName(), q.GetResourceNamespace(), q.GetResourceUID()
	if name == "" && uid == "" {
		name, namespace, uid = d.Application.Name, d.Application.Namespace, string(d.Application.UID)
	} else if d.node(func(n v1alpha1.ResourceNode) bool { return n.UID == uid && n.Name == name && n.Namespace == namespace }) == nil {
		return nil, status.Errorf(codes.InvalidArgument, "%s not found as part of application %s", name, q.GetName())
	}
	list := &corev1.EventList{}
	for _, e := range d.Events {
		if o := e.InvolvedObject; o.Name == name && o.Namespace == namespace && string(o.UID) == uid {
			list.Items = append(list.Items, e)
		}
	}
	return list, nil
}

// PodLogs streams a recorded log line by line and a last entry; what the API server would complain of comes as an entry
// without the name of a pod; for a pod outside of the tree the stream just ends. All as Argo CD does it.
func (a *applications) PodLogs(q *applicationpkg.ApplicationPodLogsQuery, stream applicationpkg.ApplicationService_PodLogsServer) error {
	d, err := a.find(q.GetName(), q.GetAppNamespace(), q.GetProject())
	if err != nil {
		return err
	}
	if d.node(func(n v1alpha1.ResourceNode) bool {
		return n.Kind == "Pod" && n.Name == q.GetPodName() && n.Namespace == q.GetNamespace()
	}) == nil {
		return nil
	}
	pod := q.GetPodName()
	lines, found := d.log(q)
	if !found {
		pod, lines = "", []string{fmt.Sprintf("container %q in pod %q is waiting to start: ContainerCreating", q.GetContainer(), q.GetPodName())}
	}
	for _, line := range lines {
		if err := stream.Send(logEntry(pod, line, false)); err != nil {
			return err
		}
	}
	return stream.Send(logEntry("", "", true))
}

// log is the tail of a recorded log, as many lines as asked for.
func (d *document) log(q *applicationpkg.ApplicationPodLogsQuery) (lines []string, found bool) {
	for _, l := range d.Logs {
		if l.Pod != q.GetPodName() || l.Previous != q.GetPrevious() || q.GetContainer() != "" && l.Container != q.GetContainer() {
			continue
		}
		lines = strings.Split(l.Text, "\n")
		if n := int(q.GetTailLines()); n > 0 && len(lines) > n {
			lines = lines[len(lines)-n:]
		}
		return lines, true
	}
	return nil, false
}

func logEntry(pod, line string, last bool) *applicationpkg.LogEntry {
	at := metav1.NewTime(time.Unix(0, 0))
	text := at.Format(time.RFC3339Nano)
	return &applicationpkg.LogEntry{Content: &line, TimeStamp: &at, Last: &last, TimeStampStr: &text, PodName: &pod}
}

func (a *applications) GetApplicationSyncWindows(_ context.Context, q *applicationpkg.ApplicationSyncWindowsQuery) (*applicationpkg.ApplicationSyncWindowsResponse, error) {
	d, err := a.find(q.GetName(), q.GetAppNamespace(), q.GetProject())
	if err != nil {
		return nil, err
	}
	return d.windows(), nil
}

type projects struct {
	projectpkg.UnimplementedProjectServiceServer
	s *Server
}

func (p *projects) Get(_ context.Context, q *projectpkg.ProjectQuery) (*v1alpha1.AppProject, error) {
	for _, d := range p.s.documents() {
		if d.Project != nil && d.Project.Name == q.Name {
			return d.Project, nil
		}
	}
	return nil, status.Errorf(codes.NotFound, "appprojects.argoproj.io %q not found", q.Name)
}

type repositories struct {
	repositorypkg.UnimplementedRepositoryServiceServer
	s *Server
}

func (r *repositories) ListRepositories(context.Context, *repositorypkg.RepoQuery) (*v1alpha1.RepositoryList, error) {
	list := &v1alpha1.RepositoryList{}
	for _, d := range r.s.documents() {
		list.Items = append(list.Items, d.Repositories...)
	}
	return list, nil
}
