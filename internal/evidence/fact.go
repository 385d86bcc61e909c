package evidence

import (
	"context"
	"errors"
	"slices"
	"strconv"
)

// Kind is a kind of evidence. A rule declares the kinds it may ask for.
type Kind string

// The kinds of evidence, in the order in which a report lists them.
const (
	KindApplication  Kind = "application"
	KindTree         Kind = "resource-tree"
	KindManaged      Kind = "managed-resources"
	KindObject       Kind = "live-object"
	KindEvents       Kind = "events"
	KindLog          Kind = "logs"
	KindWindows      Kind = "sync-windows"
	KindProject      Kind = "project"
	KindRepositories Kind = "repositories"
	KindAutoscalers  Kind = "autoscalers"
	KindChild        Kind = "child-application"
	KindRendered     Kind = "rendered-manifests"
	KindAll          Kind = "cluster-objects"
)

// Fact is one piece of evidence of type T: what to read, not the value. The engine reads a fact once per diagnosis,
// identified by kind and key.
type Fact[T any] struct {
	Kind Kind
	// Key distinguishes facts of one kind: the object, the container. Empty for facts there is one of.
	Key  string
	Read func(context.Context, Source) (T, error)
}

// Subject is the application itself and, where Argo CD refused the request, its answer. One of the two may be missing.
type Subject struct {
	Application *Application
	// Refusal is what Argo CD answered to the request, with its gRPC code where known.
	Refusal string
}

// LogQuery names one container's log. An empty container means the only one.
type LogQuery struct {
	Namespace, Pod, Container string
	Previous                  bool
}

// ObjectQuery names one live object. UID is what Argo CD wants for events; it may be empty offline. Created is when the object was made, zero
// where that is not known.
type ObjectQuery struct {
	Ref
	UID     string
	Created Time
}

// Source reads evidence about one application. Each call is at most one request to Argo CD. A case file is a source, too:
// one that also has a method Free(), which says that reading costs nothing.
type Source interface {
	Subject(context.Context) (Subject, error)
	Tree(context.Context) (*Tree, error)
	ManagedResources(context.Context) ([]ResourceDiff, error)
	// Object is nil without an error when the object is known not to exist.
	Object(context.Context, ObjectQuery) (Object, error)
	Events(context.Context, ObjectQuery) ([]Event, error)
	Log(context.Context, LogQuery) (Log, error)
	SyncWindows(context.Context) (*SyncWindows, error)
	// Project is nil without an error when there is known to be none of the name that the application gives.
	Project(context.Context) (*Project, error)
	Repositories(context.Context) ([]Repository, error)
	// Autoscalers are the HorizontalPodAutoscalers, ScaledObjects and VerticalPodAutoscalers of a namespace, whether they
	// belong to the application or not. Argo CD knows only those that do.
	Autoscalers(ctx context.Context, namespace string) ([]Object, error)
	// All are all objects of a kind that has no namespaces, such as nodes.
	All(context.Context, Outside) ([]Object, error)
	// Child is an Application that is a resource of this one: app of apps.
	Child(context.Context, Ref) (*Application, error)
	// Rendered is a digest of the manifests of a commit: equal for two commits that change nothing of this application. It ends in
	// [Partly] where some of them cannot be compared, and is empty where none can.
	Rendered(ctx context.Context, revision string) (string, error)
}

// Partly ends a digest of manifests that leaves something out: where it is different, so are the manifests, but not the reverse.
const Partly = "+"

// ErrAbsent says that a source does not have the evidence: a case file without that key. It is never proof of absence.
var ErrAbsent = errors.New("not available")

// The facts there is one of.
var (
	FactSubject      = Fact[Subject]{Kind: KindApplication, Read: func(ctx context.Context, s Source) (Subject, error) { return s.Subject(ctx) }}
	FactTree         = Fact[*Tree]{Kind: KindTree, Read: func(ctx context.Context, s Source) (*Tree, error) { return s.Tree(ctx) }}
	FactManaged      = Fact[[]ResourceDiff]{Kind: KindManaged, Read: func(ctx context.Context, s Source) ([]ResourceDiff, error) { return s.ManagedResources(ctx) }}
	FactWindows      = Fact[*SyncWindows]{Kind: KindWindows, Read: func(ctx context.Context, s Source) (*SyncWindows, error) { return s.SyncWindows(ctx) }}
	FactProject      = Fact[*Project]{Kind: KindProject, Read: func(ctx context.Context, s Source) (*Project, error) { return s.Project(ctx) }}
	FactRepositories = Fact[[]Repository]{Kind: KindRepositories, Read: func(ctx context.Context, s Source) ([]Repository, error) { return s.Repositories(ctx) }}
)

// FactOwnLogs are logs of Argo CD's own pods, which a case file may have: somebody put them there. Argo CD gives out no such logs.
var FactOwnLogs = Fact[[]Log]{Kind: KindLog, Key: "argocd", Read: func(_ context.Context, s Source) ([]Log, error) {
	if c, ok := s.(interface{ AllLogs() []Log }); ok {
		return c.AllLogs(), nil
	}
	return nil, ErrAbsent
}}

// FactObject is a live object by value.
func FactObject(q ObjectQuery) Fact[Object] {
	return Fact[Object]{Kind: KindObject, Key: objectKey(q.Ref), Read: func(ctx context.Context, s Source) (Object, error) { return s.Object(ctx, q) }}
}

// FactEvents are the events about an object, oldest first. What happened to another object of its name, such as the pod that a StatefulSet had
// before, is none of its own.
func FactEvents(q ObjectQuery) Fact[[]Event] {
	return Fact[[]Event]{Kind: KindEvents, Key: objectKey(q.Ref), Read: func(ctx context.Context, s Source) ([]Event, error) {
		events, err := s.Events(ctx, q)
		return slices.DeleteFunc(slices.Clone(events), func(e Event) bool { return !q.isAbout(&e) }), err
	}}
}

// isAbout reports whether an event may be about the object: it is of no other one, and not older. Kubernetes counts the creation in whole seconds.
func (q *ObjectQuery) isAbout(e *Event) bool {
	if of := e.InvolvedObject.UID; of != "" && q.UID != "" {
		return of == q.UID
	}
	return e.Last().IsZero() || !e.Last().Before(q.Created.Time)
}

// FactLog is the tail of a container's log.
func FactLog(q LogQuery) Fact[Log] {
	key := q.Namespace + "/" + q.Pod + "/" + q.Container + "/" + strconv.FormatBool(q.Previous)
	return Fact[Log]{Kind: KindLog, Key: key, Read: func(ctx context.Context, s Source) (Log, error) { return s.Log(ctx, q) }}
}

// FactAutoscalers are the autoscalers of a namespace.
func FactAutoscalers(namespace string) Fact[[]Object] {
	return Fact[[]Object]{Kind: KindAutoscalers, Key: namespace, Read: func(ctx context.Context, s Source) ([]Object, error) { return s.Autoscalers(ctx, namespace) }}
}

// FactAll are all objects of a kind that has no namespaces.
func FactAll(kind Outside) Fact[[]Object] {
	return Fact[[]Object]{Kind: KindAll, Key: kind.Resource, Read: func(ctx context.Context, s Source) ([]Object, error) { return s.All(ctx, kind) }}
}

// FactChild is a child application.
func FactChild(ref Ref) Fact[*Application] {
	return Fact[*Application]{Kind: KindChild, Key: objectKey(ref), Read: func(ctx context.Context, s Source) (*Application, error) { return s.Child(ctx, ref) }}
}

// FactRendered is what the manifests of a commit come to: see [Source.Rendered].
func FactRendered(revision string) Fact[string] {
	return Fact[string]{Kind: KindRendered, Key: revision, Read: func(ctx context.Context, s Source) (string, error) { return s.Rendered(ctx, revision) }}
}

func objectKey(r Ref) string { return r.Group + "/" + r.Kind + "/" + r.Namespace + "/" + r.Name }
