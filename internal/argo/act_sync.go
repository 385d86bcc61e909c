package argo

import (
	"context"
	"strings"

	applicationpkg "github.com/argoproj/argo-cd/v2/pkg/apiclient/application"
	"github.com/argoproj/argo-cd/v2/pkg/apis/application/v1alpha1"
	"google.golang.org/grpc/codes"

	"github.com/argo-why/argo-why/internal/evidence"
)

// SyncRequest is a sync. What it does not say is as the application has it: its syncOptions and its retry. Argo CD takes
// those itself where a request brings none; the boxes of its web page begin with the same.
type SyncRequest struct {
	// Revision is the commit or the chart version, of an application of one source; Revisions are those of several sources, one
	// for each in their order. Without either Argo CD takes what the target revision means at that moment.
	Revision  string
	Revisions []string
	// Exactly: no other commit will do. Else what the target revision means is asked for where Argo CD takes nothing else.
	Exactly bool
	// Prune deletes what is no longer in Git. DryRun asks the API server and changes nothing, but it is an operation as any
	// other: Argo CD forgets the last one for it.
	Prune, DryRun bool
	// Resources are those to be synced; none means all. Hooks do not run in a sync of selected resources.
	Resources []evidence.Ref
	// Info is written into the operation, and shown by Argo CD.
	Info []SyncInfo
}

// SyncInfo is one entry of an operation's info.
type SyncInfo struct{ Name, Value string }

// Sync starts an operation, and returns the revision that Argo CD will sync: of several sources all of them, joined by ", ".
//
// It is the one that was asked for, with an exception: of an application that syncs itself Argo CD takes no revision but its
// target revision, except for a dry run, and it can be told to be as strict with all. Then that is asked for, and it may have
// moved: the caller compares. Who knows that it has moved wants it [SyncRequest.Exactly].
func (a *App) Sync(ctx context.Context, r SyncRequest) (revision string, err error) {
	request := &applicationpkg.ApplicationSyncRequest{
		Name: &a.name, AppNamespace: given(a.namespace), Project: given(a.project),
		Prune: &r.Prune, DryRun: &r.DryRun,
		Strategy: &v1alpha1.SyncStrategy{Hook: &v1alpha1.SyncStrategyHook{}},
		Revision: given(r.Revision), Revisions: r.Revisions, SourcePositions: positions(len(r.Revisions)),
	}
	for _, ref := range r.Resources {
		request.Resources = append(request.Resources, &v1alpha1.SyncOperationResource{Group: ref.Group, Kind: ref.Kind, Namespace: ref.Namespace, Name: ref.Name})
	}
	for _, i := range r.Info {
		request.Infos = append(request.Infos, &v1alpha1.Info{Name: i.Name, Value: i.Value})
	}
	answer, err := a.client.applications.Sync(ctx, request)
	if isTargetOnly(err) && !r.Exactly {
		request.Revision, request.Revisions, request.SourcePositions = nil, nil, nil
		answer, err = a.client.applications.Sync(ctx, request)
	}
	if err != nil {
		operation := "sync application "
		if r.DryRun {
			operation = "dry run of a sync of application "
		}
		return "", a.failed(ctx, operation+a.Name(), RightSync, err)
	}
	if answer.Operation == nil || answer.Operation.Sync == nil {
		return "", nil
	}
	if of := answer.Operation.Sync.Revisions; len(of) > 0 {
		return strings.Join(of, ", "), nil
	}
	return answer.Operation.Sync.Revision, nil
}

// positions count the sources as Argo CD does: from 1.
func positions(n int) []int64 {
	var out []int64
	for i := range n {
		out = append(out, int64(i+1))
	}
	return out
}

// isTargetOnly: Argo CD takes no other revision than the target revision, because the application syncs itself, or because
// application.sync.requireOverridePrivilegeForRevisionSync wants the right to override for that.
func isTargetOnly(err error) bool {
	switch text := message(err); code(err) {
	case codes.FailedPrecondition:
		return strings.Contains(text, "auto-sync currently set to")
	case codes.PermissionDenied:
		return strings.HasPrefix(text, "permission denied: applications, override,")
	default:
		return false
	}
}
