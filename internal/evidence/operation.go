package evidence

import (
	"strings"
)

// Phases of an operation, as Argo CD writes them.
const (
	OperationRunning     = "Running"
	OperationTerminating = "Terminating"
	OperationSucceeded   = "Succeeded"
	OperationFailed      = "Failed"
	OperationError       = "Error"
)

// OperationState is the last operation, running or finished.
type OperationState struct {
	Phase      string      `json:"phase,omitempty"`
	Message    string      `json:"message,omitempty"`
	StartedAt  Time        `json:"startedAt,omitzero"`
	FinishedAt Time        `json:"finishedAt,omitzero"`
	RetryCount int64       `json:"retryCount,omitempty"`
	Operation  Operation   `json:"operation"`
	SyncResult *SyncResult `json:"syncResult,omitempty"`
}

// Operation is what was asked for, by whom.
type Operation struct {
	Sync        *SyncOperation `json:"sync,omitempty"`
	InitiatedBy struct {
		Username  string `json:"username,omitempty"`
		Automated bool   `json:"automated,omitempty"`
	} `json:"initiatedBy"`
	Retry Retry `json:"retry"`
	// Info is what its requester noted about it, in the order in which Argo CD shows it.
	Info []OperationInfo `json:"info,omitempty"`
}

// ByAutoSync reports whether auto-sync started it. An ApplicationSet marks the syncs of its RollingSync as automated too, with its name.
func (o *Operation) ByAutoSync() bool { return o.InitiatedBy.Automated && o.InitiatedBy.Username == "" }

// Starter is who started it: "auto-sync", or a user; empty where that is not known.
func (o *Operation) Starter() string {
	if o.ByAutoSync() {
		return "auto-sync"
	}
	return o.InitiatedBy.Username
}

// OperationInfo is one note on an operation.
type OperationInfo struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// SyncOperation names the revision and what was left out.
type SyncOperation struct {
	Revision    string   `json:"revision,omitempty"`
	Revisions   []string `json:"revisions,omitempty"`
	Prune       bool     `json:"prune,omitempty"`
	DryRun      bool     `json:"dryRun,omitempty"`
	SyncOptions []string `json:"syncOptions,omitempty"`
	// Resources are those that were selected; none means all.
	Resources             []Ref `json:"resources,omitempty"`
	AutoHealAttemptsCount int   `json:"autoHealAttemptsCount,omitempty"`
	// SyncStrategy is how it applies: with hooks, which is the default, or without.
	SyncStrategy struct {
		Apply *struct{} `json:"apply,omitempty"`
	} `json:"syncStrategy,omitzero"`
}

// SyncResult is what the operation did, resource by resource, hooks included.
type SyncResult struct {
	Revision  string           `json:"revision,omitempty"`
	Revisions []string         `json:"revisions,omitempty"`
	Resources []ResourceResult `json:"resources,omitempty"`
	// Source is where the manifests came from, with the overrides of that moment.
	Source *ApplicationSource `json:"source,omitempty"`
	// Sources are the same of several.
	Sources []ApplicationSource `json:"sources,omitempty"`
}

// ResourceResult is one task of the sync. Status is empty for hooks; HookPhase is a phase like that of an operation and
// is set for plain resources as well.
type ResourceResult struct {
	Group     string `json:"group,omitempty"`
	Version   string `json:"version,omitempty"`
	Kind      string `json:"kind"`
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name"`
	Status    string `json:"status,omitempty"`
	Message   string `json:"message,omitempty"`
	HookType  string `json:"hookType,omitempty"`
	HookPhase string `json:"hookPhase,omitempty"`
	SyncPhase string `json:"syncPhase,omitempty"`
}

// Results of applying one resource.
const (
	ResultSynced       = "Synced"
	ResultSyncFailed   = "SyncFailed"
	ResultPruned       = "Pruned"
	ResultPruneSkipped = "PruneSkipped"
)

// Ref names the object of the task.
func (r ResourceResult) Ref() Ref {
	return Ref{Group: r.Group, Kind: r.Kind, Namespace: r.Namespace, Name: r.Name}
}

// IsHook reports whether the task is a resource hook, not a resource of the application.
func (r ResourceResult) IsHook() bool { return r.HookType != "" && r.HookType != "Skip" }

// Failed reports whether the task failed, as a hook or as a resource.
func (r ResourceResult) Failed() bool {
	return r.Status == ResultSyncFailed || r.HookPhase == OperationFailed || r.HookPhase == OperationError
}

// Applied reports whether the task wrote or deleted its resource.
func (r ResourceResult) Applied() bool { return r.Status == ResultSynced || r.Status == ResultPruned }

// Running reports whether an operation is under way.
func (o *OperationState) Running() bool {
	return o != nil && (o.Phase == OperationRunning || o.Phase == OperationTerminating)
}

// HalfWritten reports whether the state says that the operation is over but not when, and has no result: the controller that wrote it was
// stopped in the middle.
func (o *OperationState) HalfWritten() bool {
	return o != nil && !o.Running() && o.Phase != "" && o.FinishedAt.IsZero() && !o.StartedAt.IsZero() && o.SyncResult == nil
}

// Failed reports whether the operation ended without success.
func (o *OperationState) Failed() bool {
	return o != nil && (o.Phase == OperationFailed || o.Phase == OperationError)
}

// Terminated reports whether the operation failed only because somebody, or the controller, ended it.
func (o *OperationState) Terminated() bool {
	return o.Failed() && strings.HasPrefix(strings.ToLower(o.Message), "operation terminated")
}

// DryRun reports whether the operation only tries and changes nothing.
func (o *OperationState) DryRun() bool {
	return o != nil && o.Operation.Sync != nil && o.Operation.Sync.DryRun
}

// SkipsHooks reports whether the operation is a sync that runs no hooks: a dry run, one of selected resources, or one that only applies.
func (o *OperationState) SkipsHooks() bool {
	return o.DryRun() || o != nil && o.Operation.Sync != nil && (len(o.Operation.Sync.Resources) > 0 || o.Operation.Sync.SyncStrategy.Apply != nil)
}

// Results are the tasks of the operation; none before a sync result exists.
func (o *OperationState) Results() []ResourceResult {
	if o == nil || o.SyncResult == nil {
		return nil
	}
	return o.SyncResult.Resources
}

// ComparedSince reports whether Argo CD has compared the application since a moment. Seconds after a sync it has not: then the operation is
// new, and all else in the status is from before it. Argo CD counts whole seconds, and compares as soon as an operation ends. Where one of
// the two is not known, the status is taken as it is.
func (a *Application) ComparedSince(t Time) bool {
	return t.IsZero() || a.Status.ReconciledAt.IsZero() || !a.Status.ReconciledAt.Before(t.Time)
}

// MovedOn reports whether Argo CD has since compared another revision than the last operation synced, of any source.
func (a *Application) MovedOn() bool {
	op := a.Status.OperationState
	if op == nil {
		return false
	}
	last := op.FinishedAt
	if op.Running() { // Git may move on meanwhile
		last = op.StartedAt
	}
	if !a.ComparedSince(last) {
		return false
	}
	tried, now := op.Revision(), a.Status.Sync.At()
	return tried != "" && now != "" && tried != now
}

// ServerSideDiff reports whether the application asks Argo CD to compare it by a dry run on the API server.
func (a *Application) ServerSideDiff() bool {
	return strings.Contains(a.Metadata.Annotations["argocd.argoproj.io/compare-options"], "ServerSideDiff=true")
}

// Requested is the operation that somebody asked for and that has not begun; nil where there is none.
func (a *Application) Requested() *Operation {
	if a.Operation == nil || a.Status.OperationState.Running() {
		return nil
	}
	return a.Operation
}

// RequestedAt is a moment at which the operation was already requested; zero where the Application does not tell.
func (a *Application) RequestedAt() Time {
	for _, m := range a.Metadata.ManagedFields {
		if m.Fields.Operation != nil {
			return m.Time
		}
	}
	return Time{}
}

// CurrentOperation is the operation if it is running or failed; else nil.
func (a *Application) CurrentOperation() *OperationState {
	op := a.Status.OperationState
	if op == nil || op.Phase == OperationSucceeded {
		return nil
	}
	return op
}
