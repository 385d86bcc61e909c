package simulator

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	applicationpkg "github.com/argoproj/argo-cd/v2/pkg/apiclient/application"
	projectpkg "github.com/argoproj/argo-cd/v2/pkg/apiclient/project"
	repositorypkg "github.com/argoproj/argo-cd/v2/pkg/apiclient/repository"
	"github.com/argoproj/argo-cd/v2/pkg/apis/application/v1alpha1"
	"github.com/argoproj/argo-cd/v2/reposerver/apiclient"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
)

type applicationService struct {
	applicationpkg.UnimplementedApplicationServiceServer
	s *Server
}

// find is the application as Argo CD looks it up: without a project a missing one is "permission denied".
func (a *applicationService) find(name, namespace, project string) (*application, error) {
	a.s.mu.Lock()
	app := a.s.apps.named(name, namespace)
	a.s.mu.Unlock()
	switch {
	case app != nil && (project == "" || project == app.Application.Spec.Project):
		return app, nil
	case project != "":
		return nil, status.Errorf(codes.NotFound, "applications.argoproj.io %q not found", name)
	default:
		return nil, errDenied
	}
}

func (a *applicationService) Get(ctx context.Context, q *applicationpkg.ApplicationQuery) (*v1alpha1.Application, error) {
	if q.Refresh != nil {
		if err := a.refresh(ctx, q); err != nil {
			return nil, err
		}
	}
	app, err := a.find(q.GetName(), q.GetAppNamespace(), strings.Join(q.Projects, ","))
	if err != nil {
		return nil, err
	}
	return app.object(), nil
}

func (a *applicationService) List(_ context.Context, q *applicationpkg.ApplicationQuery) (*v1alpha1.ApplicationList, error) {
	wanted, err := filter(q)
	if err != nil {
		return nil, err
	}
	list := &v1alpha1.ApplicationList{}
	for _, app := range a.s.all() {
		if object := app.object(); wanted(object) {
			list.Items = append(list.Items, *object)
		}
	}
	slices.SortStableFunc(list.Items, func(a, b v1alpha1.Application) int { return cmp.Compare(a.Name, b.Name) })
	return list, nil
}

// filter is what a list or a watch is restricted to.
func filter(q *applicationpkg.ApplicationQuery) (func(*v1alpha1.Application) bool, error) {
	selector, err := labels.Parse(q.GetSelector())
	if err != nil {
		return nil, fmt.Errorf("error parsing the selector: %w", err)
	}
	projects := append(slices.Clone(q.Projects), q.Project...)
	return func(app *v1alpha1.Application) bool {
		return (q.GetName() == "" || q.GetName() == app.Name) && (q.GetAppNamespace() == "" || q.GetAppNamespace() == app.Namespace) &&
			(len(projects) == 0 || slices.Contains(projects, app.Spec.GetProject())) && selector.Matches(labels.Set(app.Labels))
	}, nil
}

func (a *applicationService) ResourceTree(_ context.Context, q *applicationpkg.ResourcesQuery) (*v1alpha1.ApplicationTree, error) {
	app, err := a.find(q.GetApplicationName(), q.GetAppNamespace(), q.GetProject())
	if err != nil {
		return nil, err
	}
	if app.Tree == nil {
		return nil, errNotCached("resource tree")
	}
	return app.Tree, nil
}

func (a *applicationService) ManagedResources(_ context.Context, q *applicationpkg.ResourcesQuery) (*applicationpkg.ManagedResourcesResponse, error) {
	app, err := a.find(q.GetApplicationName(), q.GetAppNamespace(), q.GetProject())
	if err != nil {
		return nil, err
	}
	if app.Managed == nil {
		return nil, errNotCached("managed resources")
	}
	out := &applicationpkg.ManagedResourcesResponse{}
	matches := func(filter, value string) bool { return filter == "" || filter == value }
	for _, r := range app.Managed.Items {
		if matches(q.GetGroup(), r.Group) && matches(q.GetKind(), r.Kind) && matches(q.GetNamespace(), r.Namespace) && matches(q.GetName(), r.Name) {
			out.Items = append(out.Items, app.managed(r))
		}
	}
	return out, nil
}

// managed is a managed resource of this application.
func (a *application) managed(r *v1alpha1.ResourceDiff) *v1alpha1.ResourceDiff {
	if a.recordedAs == nil {
		return r
	}
	own := *r
	for _, state := range []*string{&own.TargetState, &own.LiveState, &own.NormalizedLiveState, &own.PredictedLiveState} {
		*state = a.manifest(*state)
	}
	return &own
}

func errNotCached(what string) error {
	return status.Errorf(codes.Unknown, "error getting cached app %s: cache: key is missing", what)
}

func (a *applicationService) GetResource(_ context.Context, q *applicationpkg.ApplicationResourceRequest) (*applicationpkg.ApplicationResourceResponse, error) {
	app, err := a.find(q.GetName(), q.GetAppNamespace(), q.GetProject())
	if err != nil {
		return nil, err
	}
	if app.node(func(n v1alpha1.ResourceNode) bool {
		return n.Group == q.GetGroup() && n.Kind == q.GetKind() && n.Namespace == q.GetNamespace() && n.Name == q.GetResourceName()
	}) == nil {
		return nil, status.Errorf(codes.InvalidArgument, "%s %s %s not found as part of application %s", q.GetKind(), q.GetGroup(), q.GetResourceName(), q.GetName())
	}
	manifest, found := app.live(q.GetGroup(), q.GetKind(), q.GetNamespace(), q.GetResourceName())
	if !found {
		return nil, status.Errorf(codes.NotFound, "error getting resource: %ss %q not found", strings.ToLower(q.GetKind()), q.GetResourceName())
	}
	manifest = app.manifest(manifest)
	return &applicationpkg.ApplicationResourceResponse{Manifest: &manifest}, nil
}

func (a *applicationService) ListResourceEvents(_ context.Context, q *applicationpkg.ApplicationResourceEventsQuery) (*corev1.EventList, error) {
	app, err := a.find(q.GetName(), q.GetAppNamespace(), q.GetProject())
	if err != nil {
		return nil, err
	}
	name, namespace, uid := q.GetResourceName(), q.GetResourceNamespace(), q.GetResourceUID()
	if name == "" && uid == "" { // those of the application, under the name that it has in the case
		meta := &app.Application.ObjectMeta
		if app.recordedAs != nil {
			meta = app.recordedAs
		}
		name, namespace, uid = meta.Name, meta.Namespace, string(meta.UID)
	} else if app.node(func(n v1alpha1.ResourceNode) bool { return n.UID == uid && n.Name == name && n.Namespace == namespace }) == nil {
		return nil, status.Errorf(codes.InvalidArgument, "%s not found as part of application %s", name, q.GetName())
	}
	list := &corev1.EventList{}
	for _, e := range app.Events {
		if o := e.InvolvedObject; o.Name == name && o.Namespace == namespace && string(o.UID) == uid {
			list.Items = append(list.Items, e)
		}
	}
	return list, nil
}

// PodLogs streams a recorded log line by line and a last entry; what the API server would complain of comes as an entry
// without the name of a pod; for a pod outside of the tree the stream just ends. All as Argo CD does it.
func (a *applicationService) PodLogs(q *applicationpkg.ApplicationPodLogsQuery, stream applicationpkg.ApplicationService_PodLogsServer) error {
	app, err := a.find(q.GetName(), q.GetAppNamespace(), q.GetProject())
	if err != nil {
		return err
	}
	if app.node(func(n v1alpha1.ResourceNode) bool {
		return n.Kind == "Pod" && n.Name == q.GetPodName() && n.Namespace == q.GetNamespace()
	}) == nil {
		return nil
	}
	pod := q.GetPodName()
	lines, found := app.log(q)
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

func (a *applicationService) GetApplicationSyncWindows(_ context.Context, q *applicationpkg.ApplicationSyncWindowsQuery) (*applicationpkg.ApplicationSyncWindowsResponse, error) {
	app, err := a.find(q.GetName(), q.GetAppNamespace(), q.GetProject())
	if err != nil {
		return nil, err
	}
	return app.Windows, nil
}

// GetManifests gives what Render was told, else the target states of the managed resources.
func (a *applicationService) GetManifests(_ context.Context, q *applicationpkg.ApplicationManifestQuery) (*apiclient.ManifestResponse, error) {
	app, err := a.find(q.GetName(), q.GetAppNamespace(), q.GetProject())
	if err != nil {
		return nil, err
	}
	if st, r := app.Application.Status, q.GetRevision(); st.OperationState != nil && st.OperationState.SyncResult != nil &&
		r == st.OperationState.SyncResult.Revision && r != revisionOf(&st.Sync) && !slices.Contains(app.git.alike, r) {
		return nil, status.Errorf(codes.NotFound, "the simulator keeps only the manifests of the newest commit, not those of %s", r)
	}
	manifests := app.manifests
	if !app.rendered && app.Managed != nil {
		for _, r := range app.Managed.Items {
			if r.TargetState != "" && r.TargetState != "null" {
				manifests = append(manifests, app.manifest(r.TargetState))
			}
		}
	}
	if !app.rendered && app.whole {
		manifests = append(manifests, app.hooks()...)
	}
	return &apiclient.ManifestResponse{Manifests: manifests}, nil
}

type projectService struct {
	projectpkg.UnimplementedProjectServiceServer
	s *Server
}

func (p *projectService) Get(_ context.Context, q *projectpkg.ProjectQuery) (*v1alpha1.AppProject, error) {
	for _, app := range p.s.all() {
		if app.Project != nil && app.Project.Name == q.Name {
			return app.Project, nil
		}
	}
	return nil, status.Errorf(codes.PermissionDenied, "permission denied: projects, get, %s", q.Name) // it exists: applications are of it
}

type repositoryService struct {
	repositorypkg.UnimplementedRepositoryServiceServer
	s *Server
}

// ListRepositories gives those of each case once, however many applications share it.
func (r *repositoryService) ListRepositories(context.Context, *repositorypkg.RepoQuery) (*v1alpha1.RepositoryList, error) {
	list, seen := &v1alpha1.RepositoryList{}, map[*v1alpha1.Repository]bool{}
	for _, app := range r.s.all() {
		for _, repository := range app.Repositories {
			if !seen[repository] {
				seen[repository] = true
				list.Items = append(list.Items, repository)
			}
		}
	}
	list.Items = r.s.shown(list.Items)
	return list, nil
}
