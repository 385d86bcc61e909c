package kube

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"

	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/foreign"
)

// App is the cluster that one application is deployed to: an [evidence.Cluster], safe for parallel use. Errors are *Error.
type App struct {
	// Record, when set, is given every answer as the cluster gave it, without the values of Secrets.
	Record *evidence.Recording

	clusters    *Clusters
	application func() *evidence.Application

	mu sync.Mutex
	// conn and err are the outcome of looking for the cluster, once settled.
	settled bool
	conn    *connection
	err     error
}

// App is the cluster of an application, which is asked for when it is needed: nil while it is not read yet.
func (c *Clusters) App(application func() *evidence.Application) *App {
	return &App{clusters: c, application: application}
}

// errNoNamespace: the question cannot be asked. Asked all the same it would get an answer, to another question.
var errNoNamespace = &Error{Problem: Failed, what: "the namespace is not known"}

// findTimeout is for finding the cluster. It has a time of its own within that of the caller, because there is another way where
// it is not found: half of what one fact of a diagnosis has.
const findTimeout = 5 * time.Second

// cluster finds the application's cluster, once: who asks while somebody else looks waits for the outcome.
func (a *App) cluster(ctx context.Context) (*connection, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.settled {
		return a.conn, a.err
	}
	looking, cancel := context.WithTimeout(ctx, findTimeout)
	defer cancel()
	a.conn, a.err = a.find(looking)
	a.settled = ctx.Err() == nil // else it was the caller who gave up
	var e *Error
	if a.settled && looking.Err() != nil && errors.As(a.err, &e) {
		e.Err = nil // a deadline that is not the caller's, who would take it for theirs
	}
	return a.conn, a.err
}

func (a *App) find(ctx context.Context) (*connection, error) {
	app := a.application()
	if app == nil {
		return nil, &Error{Problem: NoAccess, what: "the application, which names its cluster, was not read"}
	}
	endpoint, err := a.clusters.endpoint(app.Spec.Destination)
	if err != nil {
		return nil, err
	}
	conn, err := a.clusters.connect(endpoint)
	if err != nil {
		return nil, err
	}
	if endpoint.verify {
		if err := conn.verify(ctx, app.Metadata); err != nil {
			return nil, err
		}
	}
	return conn, nil
}

// Object reads a live object. It is nil without an error when the cluster says that there is none.
func (a *App) Object(ctx context.Context, q evidence.ObjectQuery) (evidence.Object, error) {
	object, err := a.object(ctx, q)
	if err != nil {
		return nil, during("read "+q.Ref.String(), err)
	}
	if object == nil {
		a.Record.Missing(q.Ref)
	}
	return object, nil
}

func (a *App) object(ctx context.Context, q evidence.ObjectQuery) (evidence.Object, error) {
	conn, err := a.cluster(ctx)
	if err != nil {
		return nil, err
	}
	mapping, err := conn.kinds.find(ctx, schema.GroupKind{Group: q.Group, Kind: q.Kind})
	switch {
	case errors.Is(err, errUnknownKind) && q.Group != "":
		return nil, nil
	case errors.Is(err, errUnknownKind):
		return nil, &Error{Problem: Failed, what: "the API group of the kind is not known", Err: err}
	case err != nil:
		return nil, conn.fail(err)
	}
	var reader dynamic.ResourceInterface = conn.objects.Resource(mapping.Resource)
	if mapping.Scope.Name() == meta.RESTScopeNameNamespace {
		if q.Namespace == "" { // the path would be that of a cluster-scoped object, which is never there
			return nil, errNoNamespace
		}
		reader = conn.objects.Resource(mapping.Resource).Namespace(q.Namespace)
	}
	found, err := reader.Get(ctx, q.Name, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return nil, nil
	}
	if err != nil {
		declared, _ := evidence.OutsideOf(q.Ref)
		return nil, forReading(conn.fail(err), declared)
	}
	return a.keep(q.Ref, found)
}

// keep takes over an object, without what is secret, and records it.
func (a *App) keep(ref evidence.Ref, found *unstructured.Unstructured) (evidence.Object, error) {
	withoutValues(found)
	raw, err := found.MarshalJSON()
	if err != nil {
		return nil, err
	}
	// Through JSON, as everything else that is read: client-go has numbers of other types.
	object, err := evidence.DecodeObject(raw)
	if err != nil {
		return nil, err
	}
	a.Record.Object(ref, raw)
	return object, nil
}

// Events reads the events about an object: about the one of that UID where it is known, else about all that had its name.
func (a *App) Events(ctx context.Context, q evidence.ObjectQuery) ([]evidence.Event, error) {
	events, err := a.events(ctx, q)
	if err != nil {
		return nil, during("read events of "+q.Ref.String(), err)
	}
	return events, nil
}

func (a *App) events(ctx context.Context, q evidence.ObjectQuery) ([]evidence.Event, error) {
	conn, err := a.cluster(ctx)
	if err != nil {
		return nil, err
	}
	about := fields.Set{"involvedObject.kind": q.Kind, "involvedObject.name": q.Name}
	if q.UID != "" {
		about["involvedObject.uid"] = q.UID
	}
	namespace := q.Namespace
	if namespace == "" {
		mapping, err := conn.kinds.find(ctx, schema.GroupKind{Group: q.Group, Kind: q.Kind})
		if err != nil {
			return nil, conn.fail(err)
		}
		if mapping.Scope.Name() == meta.RESTScopeNameNamespace {
			return nil, errNoNamespace
		}
		namespace = metav1.NamespaceDefault // where events about cluster-scoped objects are kept
	}
	list, err := conn.objects.Resource(events).Namespace(namespace).
		List(ctx, metav1.ListOptions{FieldSelector: about.String()})
	if err != nil {
		return nil, forReading(conn.fail(err), evidence.OutsideEvent)
	}
	raws, events := []json.RawMessage{}, []evidence.Event{}
	for i := range list.Items {
		if !isAbout(&list.Items[i], q.Group) {
			continue
		}
		raw, err := list.Items[i].MarshalJSON()
		if err != nil {
			return nil, err
		}
		var event evidence.Event
		if err := foreign.Field.JSON(raw, &event); err != nil {
			return nil, fmt.Errorf("decode event: %w", err)
		}
		raws, events = append(raws, raw), append(events, event)
	}
	a.Record.Events(q.Ref, raws)
	return events, nil
}

// isAbout distinguishes kinds of one name: Knative and the core API both have a Service. An event may name no group, and a
// question too.
func isAbout(event *unstructured.Unstructured, group string) bool {
	version, _, _ := unstructured.NestedString(event.Object, "involvedObject", "apiVersion")
	parsed, err := schema.ParseGroupVersion(version)
	return err != nil || version == "" || group == "" || parsed.Group == group
}
