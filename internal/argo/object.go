package argo

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	applicationpkg "github.com/argoproj/argo-cd/v2/pkg/apiclient/application"
	"google.golang.org/grpc/codes"

	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/foreign"
)

// Object reads a live object of the application's tree. It is nil without an error when the object is known not to exist:
// its cluster says so, or it belongs to the application and Argo CD does not see it in the cluster. Of objects outside of
// the tree Argo CD tells nothing, not even that they are missing: [evidence.ErrAbsent].
func (a *App) Object(ctx context.Context, q evidence.ObjectQuery) (evidence.Object, error) {
	version := "" // required, and empty means the version in the tree
	answer, err := a.client.applications.GetResource(ctx, &applicationpkg.ApplicationResourceRequest{
		Name: &a.name, AppNamespace: given(a.namespace), Project: given(a.project),
		Namespace: &q.Namespace, ResourceName: &q.Name, Version: &version, Group: &q.Group, Kind: &q.Kind,
	})
	switch {
	case err == nil:
	case isMissingObject(err), isOutsideTree(err) && a.mustHave(q.Ref):
		a.Record.Missing(q.Ref)
		return nil, nil
	case isOutsideTree(err):
		return nil, fmt.Errorf("read %s: Argo CD does not find it in application %s: %w", q.Ref, a.Name(), evidence.ErrAbsent)
	default:
		return nil, a.client.fail(ctx, "read "+q.Ref.String(), err)
	}
	raw := []byte(answer.GetManifest())
	object, err := evidence.DecodeObject(raw)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", q.Ref, err)
	}
	if object == nil {
		return nil, nil
	}
	a.Record.Object(q.Ref, raw)
	a.mu.Lock()
	defer a.mu.Unlock()
	a.uids[q.Ref] = object.Text("metadata", "uid")
	return object, nil
}

// isMissingObject: the API server of the object's cluster has no such object. The prefix distinguishes it from a missing
// application, which has the same code.
func isMissingObject(err error) bool {
	return code(err) == codes.NotFound && strings.HasPrefix(message(err), "error getting resource: ")
}

// isOutsideTree: the object is not in the tree of the application.
func isOutsideTree(err error) bool {
	return code(err) == codes.InvalidArgument && strings.Contains(message(err), "not found as part of application")
}

// mustHave reports whether the object, if it existed, would be in the tree: it is a resource of the application or a
// task of its last sync. Not so during an operation, whose tasks may be younger than the tree, and while the comparison
// fails: then Argo CD empties the tree, whatever lives.
func (a *App) mustHave(ref evidence.Ref) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.application == nil || a.application.Status.OperationState.Running() {
		return false
	}
	if s := a.application.Status.Sync.Status; s != "Synced" && s != "OutOfSync" {
		return false
	}
	for _, r := range a.application.Status.OperationState.Results() {
		if r.Ref() == ref {
			return true
		}
	}
	for _, r := range a.application.Status.Resources {
		if r.Ref() == ref {
			return true
		}
	}
	return false
}

// Events reads the events about the application itself or about an object of its tree, the last one last. Argo CD finds
// an object's events by its UID; where the query has none, the one seen in the tree is taken.
func (a *App) Events(ctx context.Context, q evidence.ObjectQuery) ([]evidence.Event, error) {
	request := &applicationpkg.ApplicationResourceEventsQuery{Name: &a.name, AppNamespace: given(a.namespace), Project: given(a.project)}
	if !a.isSelf(q.Ref) {
		uid := cmp.Or(q.UID, a.uid(q.Ref))
		if uid == "" {
			return nil, fmt.Errorf("read events of %s: its UID is not known: %w", q.Ref, evidence.ErrAbsent)
		}
		request.ResourceNamespace, request.ResourceName, request.ResourceUID = &q.Namespace, &q.Name, &uid
	}
	answer, err := a.client.applications.ListResourceEvents(ctx, request)
	if err != nil {
		if isOutsideTree(err) {
			return nil, fmt.Errorf("read events of %s: Argo CD does not find it in application %s: %w", q.Ref, a.Name(), evidence.ErrAbsent)
		}
		return nil, a.client.fail(ctx, "read events of "+q.Ref.String(), err)
	}
	raws := make([]json.RawMessage, len(answer.Items))
	events := make([]evidence.Event, len(answer.Items))
	for i := range answer.Items {
		raw, err := json.Marshal(&answer.Items[i])
		if err == nil {
			err = foreign.Field.JSON(raw, &events[i])
		}
		if err != nil {
			return nil, fmt.Errorf("read events of %s: %w", q.Ref, err)
		}
		raws[i] = raw
	}
	a.Record.Events(q.Ref, raws)
	if a.isSelf(q.Ref) {
		a.mu.Lock()
		a.answered[evidence.KindEvents] = true
		a.mu.Unlock()
	}
	evidence.SortEvents(events)
	return events, nil
}

// isSelf reports whether the object is the application, which is not in its own tree.
func (a *App) isSelf(ref evidence.Ref) bool {
	return ref.Kind == "Application" && ref.Name == a.name &&
		(ref.Group == "" || ref.Group == "argoproj.io") && (ref.Namespace == "" || ref.Namespace == a.ownNamespace())
}

// ownNamespace is where the application lives; "" while that is neither given nor read.
func (a *App) ownNamespace() string {
	if a.namespace != "" {
		return a.namespace
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.application != nil {
		return a.application.Metadata.Namespace
	}
	return ""
}

func (a *App) uid(ref evidence.Ref) string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.uids[ref]
}

// Child reads an Application that this one deploys. It is read as Argo CD shows it, not as it is in the cluster: Argo CD
// fills in the health of each resource. Without a namespace it is one beside this application, not one of Argo CD's own namespace.
func (a *App) Child(ctx context.Context, ref evidence.Ref) (*evidence.Application, error) {
	child := a.client.App(ref.Name, cmp.Or(ref.Namespace, a.ownNamespace()), "")
	subject, err := child.Subject(ctx)
	if err != nil {
		return nil, err
	}
	if subject.Application == nil {
		return nil, fmt.Errorf("read %s: %w", ref, evidence.ErrAbsent)
	}
	subject.Application.APIVersion, subject.Application.Kind = "argoproj.io/v1alpha1", "Application"
	raw, err := json.Marshal(subject.Application)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", ref, err)
	}
	a.Record.Object(ref, raw)
	return subject.Application, nil
}

// All are not for Argo CD to list either.
func (a *App) All(_ context.Context, kind evidence.Outside) ([]evidence.Object, error) {
	return nil, fmt.Errorf("read %s: this needs access to the cluster: %w", kind.Resource, evidence.ErrAbsent)
}

// Autoscalers are not for Argo CD to list: it knows only those of the application, which are among its resources.
func (a *App) Autoscalers(context.Context, string) ([]evidence.Object, error) {
	return nil, fmt.Errorf("read autoscalers outside the application: this needs access to the cluster: %w", evidence.ErrAbsent)
}
