package kube

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/sanitize"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/tools/pager"
)

const (
	// pageSize is how many entries come in one answer: each may have a megabyte.
	pageSize = 50
	// fieldManager is who wrote, as `kubectl get -o yaml --show-managed-fields` shows it.
	fieldManager = "argo-why"
)

// group is that of all custom resources; deploy/crd defines them.
var group = schema.GroupVersion{Group: "argo-why.dev", Version: "v1alpha1"}

// store is where the custom resources of one kind are: a namespace of the cluster that the bot runs in.
type store struct {
	conn      *connection
	namespace string
	kind      string
	resource  schema.GroupVersionResource
	objects   dynamic.ResourceInterface
	// does is what the bot does there.
	does []right
}

func newStore(conn *connection, namespace, kind, plural string, does ...right) store {
	resource := group.WithResource(plural)
	for i := range does {
		does[i].resource, does[i].namespace = resource, namespace
	}
	return store{conn, namespace, kind, resource, conn.objects.Resource(resource).Namespace(namespace), does}
}

// emptyObject is one with its name alone.
func emptyObject(kind, name string) *unstructured.Unstructured {
	o := &unstructured.Unstructured{Object: map[string]any{}}
	o.SetGroupVersionKind(group.WithKind(kind))
	o.SetName(name)
	return o
}

// each does something with every object that there is.
func (s *store) each(ctx context.Context, do func(*unstructured.Unstructured) error) error {
	list, _, err := pager.New(s.page).List(ctx, metav1.ListOptions{Limit: pageSize})
	if err != nil {
		return err
	}
	return meta.EachListItem(list, func(o runtime.Object) error {
		object, ok := o.(*unstructured.Unstructured)
		if !ok {
			return fmt.Errorf("the answer contains a %T", o)
		}
		return do(object)
	})
}

func (s *store) page(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
	return s.objects.List(ctx, options)
}

func (s *store) get(ctx context.Context, name string) (*unstructured.Unstructured, error) {
	return s.objects.Get(ctx, name, metav1.GetOptions{})
}

// check finds what the cluster will refuse, before there is anything to write: all in one run, a line each.
func (s *store) check(ctx context.Context, operation string) error {
	if _, err := s.page(ctx, metav1.ListOptions{Limit: 1}); err != nil && !apierrors.IsForbidden(err) {
		return s.fail(ctx, operation, err)
	}
	return s.checkRights(ctx, operation, s.does...)
}

// checkRights finds the rights that the account lacks.
func (s *store) checkRights(ctx context.Context, operation string, rights ...right) error {
	var missing []error
	for _, right := range rights {
		may, err := s.conn.may(ctx, right)
		if err != nil {
			return s.fail(ctx, operation, err)
		}
		if !may {
			missing = append(missing, &Error{Problem: Forbidden, Operation: operation, what: right.lacking(), todo: applyRole})
		}
	}
	return errors.Join(missing...)
}

// applyCRD is what to do about a kind that the cluster does not know.
const applyCRD = "set crds.install=true in the Helm chart, or kubectl apply -f deploy/crd"

// fail says what went wrong with an operation.
func (s *store) fail(ctx context.Context, operation string, err error) error {
	var e *Error
	if !errors.As(err, &e) {
		errors.As(s.conn.fail(err), &e)
	}
	named := *e
	switch {
	case apierrors.IsNotFound(err) && apierrors.IsUnexpectedServerError(err):
		named.what, named.todo = sanitize.Sprintf("the cluster does not know the kind %s", s.kind), applyCRD
	case apierrors.IsNotFound(err): // of an object that is asked for it is no failure
		named.what, named.todo = sanitize.Sprintf("there is no namespace %s", s.namespace), sanitize.Sprintf("kubectl create namespace %s", s.namespace)
	case isStrict(err):
		named.what, named.todo = sanitize.Sprintf("the cluster has an older version of the kind %s: %s", s.kind, err), applyCRD
	case named.Problem == Forbidden:
		named.todo = applyRole
	}
	return during(operation, notTheirs(ctx, &named))
}

// gone: the kind is known, and there is no such object.
func (s *store) gone(err error) bool { return isGone(err, s.resource.Resource) }

// isGone: the kind is known, and there is no such object. A path that nobody serves is another 404.
func isGone(err error, resource string) bool {
	var status apierrors.APIStatus
	return apierrors.IsNotFound(err) && !apierrors.IsUnexpectedServerError(err) &&
		errors.As(err, &status) && status.Status().Details != nil && status.Status().Details.Kind == resource
}

// isStrict: the API server knows not all that was written. It has no code of its own for it.
func isStrict(err error) bool {
	return apierrors.IsBadRequest(err) && strings.Contains(err.Error(), "strict decoding error")
}
