package argotest

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	applicationpkg "github.com/argoproj/argo-cd/v2/pkg/apiclient/application"
	"github.com/argoproj/argo-cd/v2/pkg/apis/application/v1alpha1"
	"github.com/argoproj/argo-cd/v2/reposerver/apiclient"
	synccommon "github.com/argoproj/gitops-engine/pkg/sync/common"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/argo-why/argo-why/internal/evidence"
)

// may answers as Argo CD's RBAC; for the account that has all rights but those denied.
func (s *Server) may(action string, app *v1alpha1.Application) error {
	project := app.Spec.GetProject()
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, objects := range []string{"*/*", project + "/*", project + "/" + app.Name} {
		if s.denied["applications "+action+" "+objects] {
			return status.Errorf(codes.PermissionDenied, "permission denied: applications, %s, %s/%s, sub: %s, iat: 2026-01-01T00:00:00Z", action, project, app.Name, Account)
		}
	}
	return nil
}

// errDenied is what Argo CD says where it does not want to tell whether there is such an application.
var errDenied = status.Error(codes.PermissionDenied, "permission denied")

func errReadsOnly(what string) error {
	return status.Error(codes.Internal, "argotest: a diagnosis must not "+what)
}

func (a *applications) refresh(q *applicationpkg.ApplicationQuery) error {
	on := a.s.acting()
	if on == nil {
		return errReadsOnly("refresh")
	}
	d, err := a.find(q.GetName(), q.GetAppNamespace(), strings.Join(q.Projects, ","))
	if err != nil {
		return err
	}
	if on.OnRefresh != nil {
		on.OnRefresh(q.GetName(), q.GetRefresh() == string(v1alpha1.RefreshTypeHard))
	}
	a.s.change(d, func(d *document) {
		at := now()
		d.Application.Status.ReconciledAt = &at
		a.s.acts.refreshes = append(a.s.acts.refreshes, q.GetRefresh()+" "+q.GetName())
	})
	return nil
}

// Sync accepts an operation or refuses it in the order of Argo CD's own checks.
func (a *applications) Sync(_ context.Context, q *applicationpkg.ApplicationSyncRequest) (*v1alpha1.Application, error) {
	on := a.s.acting()
	if on == nil {
		return nil, errReadsOnly("sync")
	}
	d, err := a.find(q.GetName(), q.GetAppNamespace(), q.GetProject())
	if err != nil {
		return nil, err
	}
	app := d.Application
	if !d.windows().GetCanSync() {
		return nil, status.Error(codes.PermissionDenied, "cannot sync: blocked by sync window")
	}
	if err := a.s.may("sync", app); err != nil {
		return nil, err
	}
	if app.DeletionTimestamp != nil {
		return nil, status.Error(codes.FailedPrecondition, "application is deleting")
	}
	target := app.Spec.GetSource().TargetRevision
	automated := app.Spec.SyncPolicy != nil && app.Spec.SyncPolicy.Automated != nil
	if r := q.GetRevision(); automated && !q.GetDryRun() && r != "" && r != target {
		return nil, status.Errorf(codes.FailedPrecondition, "Cannot sync to %s: auto-sync currently set to %s", r, target)
	}
	if app.Operation != nil {
		busy := status.Error(codes.FailedPrecondition, "another operation is already in progress")
		return nil, fmt.Errorf("error setting app operation: %w", busy)
	}
	o := a.operation(q, app, on.Target)
	a.s.change(d, func(d *document) {
		d.Application.Operation, d.Application.Status.OperationState = requested(o, d.Application), nil
		a.s.acts.operations = append(a.s.acts.operations, o)
	})
	accepted, err := a.find(q.GetName(), q.GetAppNamespace(), q.GetProject())
	if err != nil {
		return nil, err
	}
	outcome := Outcome{Phase: "Succeeded", Message: "successfully synced (all tasks run)", Synced: !o.DryRun}
	if on.OnSync != nil {
		outcome = on.OnSync(o)
	}
	a.s.begin(accepted, outcome)
	if outcome.Phase != "" {
		a.s.finish(accepted, outcome)
	}
	return accepted.Application, nil
}

func (a *applications) operation(q *applicationpkg.ApplicationSyncRequest, app *v1alpha1.Application, target string) Operation {
	if target == "" {
		target = app.Status.Sync.Revision
	}
	o := Operation{App: app.Name, Prune: q.GetPrune(), DryRun: q.GetDryRun()}
	switch {
	case app.Spec.HasMultipleSources():
		o.Revisions = slices.Clone(app.Status.Sync.Revisions)
		for i, at := range q.SourcePositions {
			if n := int(at) - 1; n >= 0 && n < len(o.Revisions) {
				o.Revisions[n] = q.Revisions[i]
			}
		}
	case q.GetRevision() == "" || q.GetRevision() == app.Spec.GetSource().TargetRevision:
		o.Revision = target
	default:
		o.Revision = q.GetRevision()
	}
	for _, r := range q.Resources {
		o.Resources = append(o.Resources, evidence.Ref{Group: r.Group, Kind: r.Kind, Namespace: r.Namespace, Name: r.Name})
	}
	for _, i := range q.Infos {
		o.Info = append(o.Info, evidence.OperationInfo{Name: i.Name, Value: i.Value})
	}
	return o
}

// requested is the operation as Argo CD writes it into the application.
func requested(o Operation, app *v1alpha1.Application) *v1alpha1.Operation {
	sync := &v1alpha1.SyncOperation{Revision: o.Revision, Revisions: o.Revisions, Prune: o.Prune, DryRun: o.DryRun}
	if app.Spec.SyncPolicy != nil {
		sync.SyncOptions = app.Spec.SyncPolicy.SyncOptions
	}
	for _, r := range o.Resources {
		sync.Resources = append(sync.Resources, v1alpha1.SyncOperationResource{Group: r.Group, Kind: r.Kind, Namespace: r.Namespace, Name: r.Name})
	}
	op := &v1alpha1.Operation{Sync: sync, InitiatedBy: v1alpha1.OperationInitiator{Username: Account}}
	for _, i := range o.Info {
		op.Info = append(op.Info, &v1alpha1.Info{Name: i.Name, Value: i.Value})
	}
	return op
}

// TerminateOperation ends the operation at once, and deletes the Jobs of hooks that run.
func (a *applications) TerminateOperation(_ context.Context, q *applicationpkg.OperationTerminateRequest) (*applicationpkg.OperationTerminateResponse, error) {
	if a.s.acting() == nil {
		return nil, errReadsOnly("terminate")
	}
	d, err := a.find(q.GetName(), q.GetAppNamespace(), q.GetProject())
	if err != nil {
		return nil, err
	}
	if a.s.may("sync", d.Application) != nil {
		return nil, errDenied
	}
	if d.Application.Operation == nil || d.Application.Status.OperationState == nil {
		return nil, status.Error(codes.InvalidArgument, "Unable to terminate operation. No operation is in progress")
	}
	var tasks []evidence.ResourceResult
	a.s.change(d, func(d *document) {
		state := d.Application.Status.OperationState
		state.Phase = synccommon.OperationTerminating
		if state.SyncResult == nil {
			return
		}
		for _, r := range state.SyncResult.Resources {
			task := evidence.ResourceResult{Group: r.Group, Version: r.Version, Kind: r.Kind, Namespace: r.Namespace, Name: r.Name, Message: r.Message,
				Status: string(r.Status), HookType: string(r.HookType), HookPhase: string(r.HookPhase), SyncPhase: string(r.SyncPhase)}
			if r.HookPhase == synccommon.OperationRunning && r.Kind == "Job" {
				d.remove(task.Ref())
				task.HookPhase, task.Message = string(synccommon.OperationSucceeded), "Deleted" // Argo CD's own words
			}
			tasks = append(tasks, task)
		}
	})
	a.s.finish(d, Outcome{Phase: "Failed", Message: "Operation terminated", Results: tasks})
	return &applicationpkg.OperationTerminateResponse{}, nil
}

// DeleteResource takes the object and all that it owns out of the tree.
func (a *applications) DeleteResource(_ context.Context, q *applicationpkg.ApplicationResourceDeleteRequest) (*applicationpkg.ApplicationResponse, error) {
	if a.s.acting() == nil {
		return nil, errReadsOnly("delete")
	}
	d, err := a.find(q.GetName(), q.GetAppNamespace(), q.GetProject())
	if err != nil {
		return nil, err
	}
	if a.s.may("delete/"+q.GetGroup()+"/"+q.GetKind()+"/*/*", d.Application) != nil {
		return nil, errDenied
	}
	ref := evidence.Ref{Group: q.GetGroup(), Kind: q.GetKind(), Namespace: q.GetNamespace(), Name: q.GetResourceName()}
	if d.node(func(n v1alpha1.ResourceNode) bool { return refOf(n.ResourceRef) == ref }) == nil {
		return nil, status.Errorf(codes.InvalidArgument, "%s %s %s not found as part of application %s", ref.Kind, ref.Group, ref.Name, q.GetName())
	}
	a.s.change(d, func(d *document) {
		d.remove(ref)
		a.s.acts.deleted = append(a.s.acts.deleted, ref)
	})
	return &applicationpkg.ApplicationResponse{}, nil
}

func refOf(r v1alpha1.ResourceRef) evidence.Ref {
	return evidence.Ref{Group: r.Group, Kind: r.Kind, Namespace: r.Namespace, Name: r.Name}
}

// remove deletes an object and what it owns.
func (d *document) remove(ref evidence.Ref) {
	if d.Tree == nil {
		return
	}
	gone := map[evidence.Ref]bool{ref: true}
	for before := 0; before != len(gone); {
		before = len(gone)
		for _, n := range d.Tree.Nodes {
			if slices.ContainsFunc(n.ParentRefs, func(p v1alpha1.ResourceRef) bool { return gone[refOf(p)] }) {
				gone[refOf(n.ResourceRef)] = true
			}
		}
	}
	d.Tree.Nodes = slices.DeleteFunc(d.Tree.Nodes, func(n v1alpha1.ResourceNode) bool { return gone[refOf(n.ResourceRef)] })
	d.Resources = slices.DeleteFunc(slices.Clone(d.Resources), func(raw json.RawMessage) bool {
		o, err := evidence.DecodeObject(raw)
		return err == nil && gone[o.Ref()]
	})
}

// GetManifests gives what Render was told, else the target states of the managed resources.
func (a *applications) GetManifests(_ context.Context, q *applicationpkg.ApplicationManifestQuery) (*apiclient.ManifestResponse, error) {
	d, err := a.find(q.GetName(), q.GetAppNamespace(), q.GetProject())
	if err != nil {
		return nil, err
	}
	a.s.mu.Lock()
	manifests, told := a.s.acts.manifests[d.Application.Name]
	a.s.mu.Unlock()
	if !told && d.Managed != nil {
		for _, r := range d.Managed.Items {
			if r.TargetState != "" && r.TargetState != "null" {
				manifests = append(manifests, r.TargetState)
			}
		}
	}
	return &apiclient.ManifestResponse{Manifests: manifests}, nil
}
