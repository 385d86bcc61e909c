package simulator

import (
	"cmp"
	"slices"
	"time"

	applicationpkg "github.com/argoproj/argo-cd/v2/pkg/apiclient/application"
	"github.com/argoproj/argo-cd/v2/pkg/apis/application/v1alpha1"
	synccommon "github.com/argoproj/gitops-engine/pkg/sync/common"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/argo-why/argo-why/internal/evidence"
)

// Operation is a sync that was accepted.
type Operation struct {
	Namespace, App string
	Revision       string
	Revisions      []string
	Prune, DryRun  bool
	Resources      []evidence.Ref
	Info           []evidence.OperationInfo
	// By is the user of Argo CD who asked for it; "" for the account of the token.
	By string
}

// Name is the application that is synced.
func (o Operation) Name() Name { return Name{o.Namespace, o.App} }

// operation is what a request asks for.
func operation(q *applicationpkg.ApplicationSyncRequest, app *application) Operation {
	object := app.object()
	o := Operation{Namespace: app.Namespace, App: app.Name.Name, Prune: q.GetPrune(), DryRun: q.GetDryRun()}
	switch {
	case object.Spec.HasMultipleSources():
		o.Revisions = app.targets()
		for i, at := range q.SourcePositions {
			if n := int(at) - 1; n >= 0 && n < len(o.Revisions) {
				o.Revisions[n] = q.Revisions[i]
			}
		}
	case q.GetRevision() == "" || q.GetRevision() == object.Spec.GetSource().TargetRevision:
		o.Revision = app.target()
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
	op := &v1alpha1.Operation{Sync: sync, InitiatedBy: v1alpha1.OperationInitiator{Username: cmp.Or(o.By, Account)}}
	for _, i := range o.Info {
		op.Info = append(op.Info, &v1alpha1.Info{Name: i.Name, Value: i.Value})
	}
	return op
}

// Outcome is how an operation goes.
type Outcome struct {
	// Phase is the one that it ends with. "" lets it run, until Finish or until it is terminated.
	Phase, Message string
	// Results are its tasks as they then are. A Job that runs as a hook goes when the operation is terminated.
	Results []evidence.ResourceResult
	// Takes is how long it runs; 0: it has ended when the request for it is answered. See Options.SyncTakes.
	Takes time.Duration
	// Synced: the application is as Git wants it, and healthy.
	Synced bool

	// given: a reaction of the caller said how it goes, also which tasks it shows while it runs.
	given bool
	// applied: what was out of sync is as Git wants it; what was unhealthy although it was in sync stays so.
	applied bool
	// becomes is what the application is like afterwards, apart from its name.
	becomes *document
	// of is the commit that was synced, where it is known.
	of *commit
}

// Succeed is a sync that succeeds and cures everything.
func Succeed(o Operation) Outcome {
	return Outcome{Phase: string(synccommon.OperationSucceeded), Message: messageSucceeded, Synced: !o.DryRun}
}

// Argo CD's own words.
const (
	messageSucceeded  = "successfully synced (all tasks run)"
	messageTaskFailed = "one or more synchronization tasks completed unsuccessfully"
	messageTerminated = "Operation terminated"
)

// acts are what was done; guarded by the server's mutex.
type acts struct {
	operations []Operation
	begun      int // operations that were taken up
	refreshes  []string
	deleted    []evidence.Ref
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

// Finish ends the operation that is under way.
func (s *Server) Finish(name Name, o Outcome) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	app := s.apps.get(name)
	if app == nil || app.Application.Operation == nil {
		return errNoOperation(name)
	}
	s.finish(app, o)
	return nil
}

// begin is the controller that takes up an operation. With s.mu held, as all below.
func (s *Server) begin(app *application, o Outcome) *application {
	s.acts.begun++
	next := app.changed(func(app *application) {
		app.operation = s.acts.begun
		if o.Phase == "" && o.becomes != nil {
			app.become(o.becomes)
		}
		app.Application.Status.OperationState = &v1alpha1.OperationState{
			Phase: synccommon.OperationRunning, Message: o.running().Message, StartedAt: s.clock(), Operation: *app.Application.Operation.DeepCopy(),
			SyncResult: syncResult(app.Application, o.running()),
		}
	})
	s.put(next)
	return next
}

// running is the outcome as long as nobody knows it. One that has no end is known already.
func (o Outcome) running() Outcome {
	if o.Phase == "" {
		return o
	}
	o.Message = ""
	if o.Takes > 0 && !o.given {
		o.Results = nil
	}
	return o
}

func (s *Server) finish(app *application, o Outcome) {
	s.put(app.changed(func(app *application) {
		if app.Application.Status.OperationState == nil {
			app.Application.Status.OperationState = &v1alpha1.OperationState{StartedAt: s.clock()}
		}
		state, at := app.Application.Status.OperationState, s.clock()
		state.Phase, state.Message, state.FinishedAt = synccommon.OperationPhase(o.Phase), o.Message, &at
		state.SyncResult = syncResult(app.Application, o)
		sync := app.Application.Operation.Sync
		app.Application.Operation = nil
		if o.becomes != nil {
			app.become(o.becomes)
			app.Application.Status.OperationState = state
		}
		if o.of != nil {
			if o.Synced && o.of.revision != app.git.compared.revision && !o.of.outside {
				app.changedBy(o.of)
			}
			app.git.take(*o.of)
			app.git.ran = *o.of
		}
		compared := metav1.NewTime(at.Add(time.Second)) // Argo CD compares as soon as an operation ends
		app.Application.Status.ReconciledAt = &compared
		if sync != nil && o.Synced {
			app.settle(sync)
		} else if sync != nil && o.applied {
			app.apply(sync)
		}
		app.fill()
	}))
}

func syncResult(app *v1alpha1.Application, o Outcome) *v1alpha1.SyncOperationResult {
	out := &v1alpha1.SyncOperationResult{Source: app.Spec.GetSource(), Resources: results(o.Results)}
	if app.Operation != nil && app.Operation.Sync != nil {
		out.Revision, out.Revisions = app.Operation.Sync.Revision, app.Operation.Sync.Revisions
	}
	return out
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

// tasks are the results of an operation that was recorded.
func tasks(state *v1alpha1.OperationState) []evidence.ResourceResult {
	if state == nil || state.SyncResult == nil {
		return nil
	}
	var out []evidence.ResourceResult
	for _, r := range state.SyncResult.Resources {
		out = append(out, evidence.ResourceResult{
			Group: r.Group, Version: r.Version, Kind: r.Kind, Namespace: r.Namespace, Name: r.Name, Message: r.Message,
			Status: string(r.Status), HookType: string(r.HookType), HookPhase: string(r.HookPhase), SyncPhase: string(r.SyncPhase),
		})
	}
	return out
}
