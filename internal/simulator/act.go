package simulator

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"strings"
	"time"

	applicationpkg "github.com/argoproj/argo-cd/v2/pkg/apiclient/application"
	"github.com/argoproj/argo-cd/v2/pkg/apis/application/v1alpha1"
	synccommon "github.com/argoproj/gitops-engine/pkg/sync/common"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/argo-why/argo-why/internal/evidence"
)

// acting are the reactions, or the complaint of a server that is only for reading.
func (s *Server) acting(what string) (Reactions, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.readOnly {
		return Reactions{}, status.Error(codes.Internal, "simulator: read-only: a diagnosis must not "+what)
	}
	return s.reactions, nil
}

func errNoOperation(name Name) error {
	return fmt.Errorf("simulated Argo CD: application %s has no operation in progress", name)
}

func (a *applicationService) refresh(ctx context.Context, q *applicationpkg.ApplicationQuery) error {
	on, err := a.s.acting("refresh")
	if err != nil {
		return err
	}
	app, err := a.find(q.GetName(), q.GetAppNamespace(), strings.Join(q.Projects, ","))
	if err != nil {
		return err
	}
	if a.s.refresh(app.Name, q.GetRefresh() == string(v1alpha1.RefreshTypeHard), on) != nil {
		return errDenied
	}
	a.s.mu.Lock()
	a.s.acts.refreshes = append(a.s.acts.refreshes, q.GetRefresh()+" "+q.GetName())
	a.s.mu.Unlock()
	if app.skipped() {
		<-ctx.Done() // until a controller has removed the annotation, Argo CD's server waits
		return errors.New("application refresh deadline exceeded")
	}
	return nil
}

// skipped reports whether the application controller leaves the application alone.
func (a *application) skipped() bool { return evidence.IsSkipped(a.Application.Annotations) }

// refresh compares an application with Git.
func (s *Server) refresh(name Name, hard bool, on Reactions) error {
	if on.Refresh != nil {
		on.Refresh(name, hard)
	}
	return s.change(name, func(app *application) {
		if app.skipped() {
			app.requestRefresh(hard)
			return
		}
		app.refresh(hard)
		app.removeAnnotation(evidence.AnnotationRefresh)
		at := s.clock()
		app.Application.Status.ReconciledAt = &at
	})
}

func (a *application) removeAnnotation(name string) {
	if _, ok := a.Application.Annotations[name]; ok {
		a.Application.Annotations = maps.Clone(a.Application.Annotations)
		delete(a.Application.Annotations, name)
	}
}

// requestRefresh annotates the application as Argo CD's server does.
func (a *application) requestRefresh(hard bool) {
	kind := v1alpha1.RefreshTypeNormal
	if hard {
		kind = v1alpha1.RefreshTypeHard
	}
	a.Application.Annotations = maps.Clone(a.Application.Annotations)
	a.Application.Annotations[evidence.AnnotationRefresh] = string(kind)
}

// Sync accepts an operation or refuses it in the order of Argo CD's own checks.
func (a *applicationService) Sync(_ context.Context, q *applicationpkg.ApplicationSyncRequest) (*v1alpha1.Application, error) {
	on, err := a.s.acting("sync")
	if err != nil {
		return nil, err
	}
	app, err := a.find(q.GetName(), q.GetAppNamespace(), q.GetProject())
	if err != nil {
		return nil, err
	}
	if err := outsideWindow(app); err != nil {
		return nil, err
	}
	if err := a.s.authorize("sync", app.object()); err != nil {
		return nil, err
	}
	accepted, err := a.s.sync(q, app, "", on)
	if err != nil {
		return nil, err
	}
	return accepted.object(), nil
}

func outsideWindow(app *application) error {
	if !app.Windows.GetCanSync() {
		return status.Error(codes.PermissionDenied, "cannot sync: blocked by sync window")
	}
	return nil
}

// sync takes up an operation of somebody who has the right to, and carries it out.
func (s *Server) sync(q *applicationpkg.ApplicationSyncRequest, app *application, by string, on Reactions) (*application, error) {
	if err := refuse(q, app, on); err != nil {
		return nil, err
	}
	accepted, o, outcome, err := s.accept(q, app.Name, by)
	if err != nil {
		return nil, err
	}
	if on.Sync != nil {
		outcome = on.Sync(o)
		outcome.given = true
	}
	s.carryOut(accepted.Name, outcome)
	return accepted, nil
}

// refuse are the checks between that for the right to sync and that for another operation.
func refuse(q *applicationpkg.ApplicationSyncRequest, app *application, on Reactions) error {
	object := app.object()
	if on.Sync == nil && app.APIError != "" {
		return recordedError(app.APIError)
	}
	if object.DeletionTimestamp != nil {
		return status.Error(codes.FailedPrecondition, "application is deleting")
	}
	target := object.Spec.GetSource().TargetRevision
	automated := object.Spec.SyncPolicy != nil && object.Spec.SyncPolicy.Automated != nil
	if r := q.GetRevision(); automated && !q.GetDryRun() && r != "" && r != target {
		return status.Errorf(codes.FailedPrecondition, "Cannot sync to %s: auto-sync currently set to %s", r, target)
	}
	return nil
}

// grpcText is how gRPC prints a status.
var grpcText = regexp.MustCompile(`(?s)^rpc error: code = (\w+) desc = (.*)$`)

// recordedError is what Argo CD answered when the case was recorded.
func recordedError(text string) error {
	if m := grpcText.FindStringSubmatch(text); m != nil {
		for code := codes.OK; code <= codes.Unauthenticated; code++ {
			if code.String() == m[1] {
				return status.Error(code, m[2])
			}
		}
	}
	return status.Error(codes.FailedPrecondition, text)
}

// accept writes an operation into its application, of which there is one at a time. The outcome is the one by Git.
func (s *Server) accept(q *applicationpkg.ApplicationSyncRequest, name Name, by string) (*application, Operation, Outcome, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	app := s.apps.get(name)
	if app == nil {
		return nil, Operation{}, Outcome{}, errDenied
	}
	if app.Application.Operation != nil {
		busy := status.Error(codes.FailedPrecondition, "another operation is already in progress")
		return nil, Operation{}, Outcome{}, fmt.Errorf("error setting app operation: %w", busy)
	}
	if head := app.git.head; head != nil && head.same {
		app = app.changed(func(app *application) { app.relabel(*head) }) // compared first, as with every sync
	}
	o := operation(q, app)
	o.By = by
	outcome := app.byGit(o)
	if outcome.Phase != string(synccommon.OperationError) { // that one never begins
		outcome.Takes = s.syncTakes
	}
	next := app.changed(func(app *application) {
		app.Application.Operation, app.Application.Status.OperationState = requested(o, app.Application), nil
	})
	s.acts.operations = append(s.acts.operations, o)
	s.put(next)
	return next, o, outcome, nil
}

// carryOut is the controller that takes an operation up and, in its time, ends it.
func (s *Server) carryOut(name Name, o Outcome) {
	s.mu.Lock()
	defer s.mu.Unlock()
	app := s.apps.get(name)
	if app == nil || app.Application.Operation == nil { // deleted or replaced meanwhile
		return
	}
	if app.skipped() {
		return
	}
	begun := s.begin(app, o)
	switch {
	case o.Phase == "":
	case o.Takes <= 0:
		s.finish(begun, o)
	default:
		time.AfterFunc(o.Takes, func() {
			s.mu.Lock()
			defer s.mu.Unlock()
			if app := s.apps.get(name); app != nil && app.Application.Operation != nil && app.operation == begun.operation {
				s.finish(app, o)
			}
		})
	}
}

// TerminateOperation ends the operation at once, and deletes the Jobs of hooks that run.
func (a *applicationService) TerminateOperation(_ context.Context, q *applicationpkg.OperationTerminateRequest) (*applicationpkg.OperationTerminateResponse, error) {
	on, err := a.s.acting("terminate")
	if err != nil {
		return nil, err
	}
	app, err := a.find(q.GetName(), q.GetAppNamespace(), q.GetProject())
	if err != nil {
		return nil, err
	}
	if a.s.authorize("sync", app.object()) != nil {
		return nil, errDenied
	}
	if err := a.s.terminate(app.Name, on); err != nil {
		return nil, err
	}
	return &applicationpkg.OperationTerminateResponse{}, nil
}

func (s *Server) terminate(name Name, on Reactions) error {
	if on.Terminate != nil {
		on.Terminate(name)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	app := s.apps.get(name)
	if app == nil || app.Application.Operation == nil || app.Application.Status.OperationState == nil {
		return status.Error(codes.InvalidArgument, "Unable to terminate operation. No operation is in progress")
	}
	results := tasks(app.Application.Status.OperationState)
	next := app.changed(func(app *application) {
		app.Application.Status.OperationState.Phase = synccommon.OperationTerminating
		for i := range results {
			if task := &results[i]; task.HookPhase == string(synccommon.OperationRunning) && task.Kind == "Job" {
				app.remove(task.Ref())
				task.HookPhase, task.Message = string(synccommon.OperationSucceeded), "Deleted" // Argo CD's own words
			}
		}
	})
	s.put(next)
	s.finish(next, Outcome{Phase: string(synccommon.OperationFailed), Message: messageTerminated, Results: results})
	return nil
}

// DeleteResource takes the object and all that it owns out of the tree.
func (a *applicationService) DeleteResource(_ context.Context, q *applicationpkg.ApplicationResourceDeleteRequest) (*applicationpkg.ApplicationResponse, error) {
	on, err := a.s.acting("delete")
	if err != nil {
		return nil, err
	}
	app, err := a.find(q.GetName(), q.GetAppNamespace(), q.GetProject())
	if err != nil {
		return nil, err
	}
	if a.s.authorize("delete/"+q.GetGroup()+"/"+q.GetKind()+"/*/*", app.object()) != nil {
		return nil, errDenied
	}
	ref := evidence.Ref{Group: q.GetGroup(), Kind: q.GetKind(), Namespace: q.GetNamespace(), Name: q.GetResourceName()}
	if err := a.s.deleteObject(app, ref, on); err != nil {
		return nil, err
	}
	return &applicationpkg.ApplicationResponse{}, nil
}

func (s *Server) deleteObject(app *application, ref evidence.Ref, on Reactions) error {
	if app.node(func(n v1alpha1.ResourceNode) bool { return refOf(n.ResourceRef) == ref }) == nil {
		return status.Errorf(codes.InvalidArgument, "%s %s %s not found as part of application %s", ref.Kind, ref.Group, ref.Name, app.Name.Name)
	}
	if on.Delete != nil {
		on.Delete(app.Name, ref)
	}
	err := s.change(app.Name, func(app *application) {
		app.lose(ref)
		s.acts.deleted = append(s.acts.deleted, ref)
	})
	if err != nil {
		return errDenied
	}
	return nil
}
