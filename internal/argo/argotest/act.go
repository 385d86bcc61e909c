package argotest

import (
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/argoproj/argo-cd/v2/pkg/apis/application/v1alpha1"
	"github.com/argoproj/gitops-engine/pkg/health"
	synccommon "github.com/argoproj/gitops-engine/pkg/sync/common"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/argo-why/argo-why/internal/evidence"
)

// Acting says what happens when somebody acts.
type Acting struct {
	// OnSync says how an operation goes that was accepted. Without it each succeeds.
	OnSync func(Operation) Outcome
	// OnRefresh is called before a refresh is answered: it may Put what Argo CD finds.
	OnRefresh func(app string, hard bool)
	// Target is what the target revision of every application means; "" for the revision that was last compared.
	Target string
}

// Operation is a sync that was accepted.
type Operation struct {
	App           string
	Revision      string
	Revisions     []string
	Prune, DryRun bool
	Resources     []evidence.Ref
	Info          []evidence.OperationInfo
}

// Outcome is how an operation goes.
type Outcome struct {
	// Phase is the one that it ends with. "" lets it run, until Finish or until it is terminated.
	Phase, Message string
	// Results are its tasks as they then are. A Job that runs as a hook goes when the operation is terminated.
	Results []evidence.ResourceResult
	// Synced: the application is as Git wants it, and healthy.
	Synced bool
}

// acts are what was done; guarded by the server's mutex.
type acts struct {
	on         *Acting // nil: reading only
	operations []Operation
	refreshes  []string
	deleted    []evidence.Ref
	manifests  map[string][]string
}

// Act makes the server take what changes something, from now on. Without it, that is an error: a diagnosis only reads.
func (s *Server) Act(on Acting) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.acts.on = &on
}

// Operations are the syncs that were accepted, in order.
func (s *Server) Operations() []Operation {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.acts.operations)
}

// Refreshes are those that were answered, in order: "hard courier-api".
func (s *Server) Refreshes() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.acts.refreshes)
}

// Deleted are the objects that were deleted, in order.
func (s *Server) Deleted() []evidence.Ref {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.acts.deleted)
}

// Render makes these the manifests (JSON) of an application, whatever the revision. Without it they are the target states of its
// managed resources.
func (s *Server) Render(app string, manifests ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.acts.manifests == nil {
		s.acts.manifests = map[string][]string{}
	}
	s.acts.manifests[app] = manifests
}

// Finish ends the operation that is under way.
func (s *Server) Finish(t testing.TB, app string, o Outcome) {
	t.Helper()
	for _, d := range s.documents() {
		if d.Application != nil && d.Application.Name == app && d.Application.Operation != nil {
			s.finish(d, o)
			return
		}
	}
	t.Fatalf("argotest: application %s has no operation under way", app)
}

func (s *Server) acting() *Acting {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.acts.on
}

// change replaces an application by a changed one, and tells who watches. Answers may still be reading the old one.
func (s *Server) change(of *document, edit func(*document)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := s.index(of.Application.Namespace, of.Application.Name)
	if i < 0 {
		return // deleted meanwhile
	}
	d := *s.docs[i]
	d.Application, d.Tree = d.Application.DeepCopy(), d.Tree.DeepCopy()
	version, _ := strconv.Atoi(d.Application.ResourceVersion)
	d.Application.ResourceVersion = strconv.Itoa(version + 1)
	edit(&d)
	s.docs[i] = &d
	s.tell(watch.Modified, &d)
}

// begin is the controller that takes up an operation.
func (s *Server) begin(d *document, o Outcome) {
	s.change(d, func(d *document) {
		d.Application.Status.OperationState = &v1alpha1.OperationState{
			Phase: synccommon.OperationRunning, StartedAt: now(), Operation: *d.Application.Operation.DeepCopy(), SyncResult: syncResult(d, o),
		}
	})
}

func syncResult(d *document, o Outcome) *v1alpha1.SyncOperationResult {
	sync := d.Application.Operation.Sync
	return &v1alpha1.SyncOperationResult{Revision: sync.Revision, Revisions: sync.Revisions, Source: d.Application.Spec.GetSource(), Resources: results(o.Results)}
}

func (s *Server) finish(d *document, o Outcome) {
	s.change(d, func(d *document) {
		state, at := d.Application.Status.OperationState, now()
		sync := d.Application.Operation.Sync
		state.Phase, state.Message, state.FinishedAt = synccommon.OperationPhase(o.Phase), o.Message, &at
		state.SyncResult = syncResult(d, o)
		d.Application.Operation = nil
		if o.Synced {
			settle(d.Application, sync)
		}
	})
}

// settle makes the application as Git wants it.
func settle(app *v1alpha1.Application, sync *v1alpha1.SyncOperation) {
	app.Status.Sync.Status, app.Status.Sync.Revision, app.Status.Sync.Revisions = v1alpha1.SyncStatusCodeSynced, sync.Revision, sync.Revisions
	app.Status.Health.Status, app.Status.Conditions = health.HealthStatusHealthy, nil
	for i := range app.Status.Resources {
		r := &app.Status.Resources[i]
		r.Status = v1alpha1.SyncStatusCodeSynced
		if r.Health != nil {
			r.Health = &v1alpha1.HealthStatus{Status: health.HealthStatusHealthy}
		}
	}
}

func results(of []evidence.ResourceResult) v1alpha1.ResourceResults {
	var out v1alpha1.ResourceResults
	for _, r := range of {
		out = append(out, &v1alpha1.ResourceResult{
			Group: r.Group, Version: r.Version, Kind: r.Kind, Namespace: r.Namespace, Name: r.Name, Message: r.Message,
			Status: synccommon.ResultCode(r.Status), HookType: synccommon.HookType(r.HookType),
			HookPhase: synccommon.OperationPhase(r.HookPhase), SyncPhase: synccommon.SyncPhase(r.SyncPhase),
		})
	}
	return out
}

// now is as Kubernetes writes it: in seconds.
func now() metav1.Time { return metav1.NewTime(time.Now().UTC().Truncate(time.Second)) }
