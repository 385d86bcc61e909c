package kube

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/util/flowcontrol"

	"github.com/argo-why/argo-why/internal/evidence"
)

// The kind of the custom resources; deploy/crd/incidents.yaml defines it.
var (
	incidentKind      = schema.GroupVersionKind{Group: "argo-why.dev", Version: "v1alpha1", Kind: "Incident"}
	incidentResources = incidentKind.GroupVersion().WithResource("incidents")
)

// An outage changes a handful of entries a second; the API server itself fends off what is too much for it.
const writesPerSecond, writeBurst = 50, 100

// podNamespace is where a pod finds the namespace that it runs in:
// https://kubernetes.io/docs/tasks/run-application/access-api-from-pod/#directly-accessing-the-rest-api
const podNamespace = "/var/run/secrets/kubernetes.io/serviceaccount/namespace"

// OpenJournal is the journal in a namespace of the cluster that this pod runs in, or of the one that the kubeconfig leads
// to. Without a namespace it is the pod's own, or that of the context. It does not ask the cluster yet: see [Journal.Check].
func OpenJournal(o Options, namespace string) (*Journal, error) {
	return Open(o).journal(namespace)
}

func (c *Clusters) journal(namespace string) (*Journal, error) {
	const operation = "open the journal of incidents"
	if err := c.Check(); err != nil {
		return nil, fmt.Errorf("%s: %w", operation, err)
	}
	own, err := c.ownWay()
	if err != nil {
		return nil, during(operation, err)
	}
	if namespace == "" {
		if namespace, err = c.ownNamespace(own); err != nil {
			return nil, during(operation, err)
		}
	}
	conn, err := c.dial(own, flowcontrol.NewTokenBucketRateLimiter(writesPerSecond, writeBurst))
	if err != nil {
		return nil, during(operation, err)
	}
	return &Journal{conn, namespace, conn.objects.Resource(incidentResources).Namespace(namespace)}, nil
}

// ownNamespace is where a client works whom nobody told another one.
func (c *Clusters) ownNamespace(w way) (string, error) {
	if w.pod == nil {
		var namespace string
		if at := c.config.Contexts[w.context]; at != nil {
			namespace = at.Namespace
		}
		return cmp.Or(namespace, metav1.NamespaceDefault), nil
	}
	text, err := os.ReadFile(c.podNamespace)
	if namespace := strings.TrimSpace(string(text)); err == nil && namespace != "" {
		return namespace, nil
	}
	return "", &Error{Problem: NoAccess, what: "the namespace of this pod is not in " + c.podNamespace, todo: "name the namespace of the journal", Err: err}
}

// Check finds what the cluster will refuse, before there is an incident to write down: all at once, a line each.
func (j *Journal) Check(ctx context.Context) error {
	const operation = "check the journal of incidents"
	if _, err := j.page(ctx, metav1.ListOptions{Limit: 1}); err != nil && !apierrors.IsForbidden(err) {
		return j.fail(ctx, operation, err)
	}
	var missing []error
	for _, right := range []struct{ verb, subresource string }{{"list", ""}, {"get", ""}, {"create", ""}, {"update", "status"}, {"delete", ""}} {
		may, err := j.may(ctx, right.verb, right.subresource)
		if err != nil {
			return j.fail(ctx, operation, err)
		}
		if !may {
			resource := strings.TrimSuffix(incidentResources.GroupResource().String()+"/"+right.subresource, "/")
			missing = append(missing, &Error{Problem: Forbidden, Operation: operation, what: fmt.Sprintf("the bot may not %s %s in namespace %s", right.verb, resource, j.namespace), todo: applyRole})
		}
	}
	return errors.Join(missing...)
}

// may asks whether this account has a right; every account may ask that of itself.
func (j *Journal) may(ctx context.Context, verb, subresource string) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	reviews := schema.GroupVersionResource{Group: "authorization.k8s.io", Version: "v1", Resource: "selfsubjectaccessreviews"}
	answer, err := j.conn.objects.Resource(reviews).Create(ctx, &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "authorization.k8s.io/v1", "kind": "SelfSubjectAccessReview",
		"spec": map[string]any{"resourceAttributes": map[string]any{
			"namespace": j.namespace, "verb": verb, "group": incidentResources.Group, "resource": incidentResources.Resource, "subresource": subresource,
		}},
	}}, metav1.CreateOptions{})
	if err != nil {
		return false, err
	}
	allowed, _, err := unstructured.NestedBool(answer.Object, "status", "allowed")
	return allowed, err
}

// What to do about what the cluster lacks.
const (
	applyCRD  = "kubectl apply -f deploy/crd"
	applyRole = "kubectl apply -f deploy/rbac/journal.yaml, and bind it to that account"
)

// fail says what went wrong with an operation.
func (j *Journal) fail(ctx context.Context, operation string, err error) error {
	var e *Error
	if !errors.As(err, &e) {
		errors.As(j.conn.fail(err), &e)
	}
	named := *e
	switch {
	case apierrors.IsNotFound(err) && apierrors.IsUnexpectedServerError(err):
		named.what, named.todo = "the cluster does not know the kind Incident", applyCRD
	case apierrors.IsNotFound(err): // of an object that is asked for it is no failure
		named.what, named.todo = "there is no namespace "+j.namespace, "kubectl create namespace "+j.namespace
	case isStrict(err):
		named.what, named.todo = "the cluster knows an older kind Incident: "+evidence.OneLine(err.Error()), applyCRD
	case named.Problem == Forbidden:
		named.todo = applyRole
	case errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil:
		named.Err = nil // a deadline of our own, which the caller would take for theirs
	}
	return during(operation, &named)
}

// isGone: the kind is known, and there is no such object.
func isGone(err error) bool {
	var status apierrors.APIStatus
	return apierrors.IsNotFound(err) && !apierrors.IsUnexpectedServerError(err) &&
		errors.As(err, &status) && status.Status().Details != nil && status.Status().Details.Kind == incidentResources.Resource
}

// isStrict: the API server knows not all that was written. It has no code of its own for it.
func isStrict(err error) bool {
	return apierrors.IsBadRequest(err) && strings.Contains(err.Error(), "strict decoding error")
}
