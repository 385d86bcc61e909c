package kube

import (
	"context"
	"errors"
	"strings"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/sanitize"
)

// scaler is a kind that changes the replicas or the resource requests of others.
type scaler struct {
	evidence.Outside
	version string
	// addOn: an operator installs it, so many clusters do not know it.
	addOn bool
}

// scalers are those of [evidence.OutsideAutoscalers], which roles grant.
var scalers = []scaler{
	{evidence.OutsideHPA, "v2", false},
	{evidence.OutsideScaledObject, "v1alpha1", true},
	{evidence.OutsideVPA, "v1", true},
}

// Autoscalers lists the autoscalers of a namespace. What one of the kinds does not tell is no reason to keep back what the
// others told; but "none" is said only when all of them said so.
func (a *App) Autoscalers(ctx context.Context, namespace string) ([]evidence.Object, error) {
	if namespace == "" { // the path would be that of all namespaces
		return nil, during("read autoscalers", errNoNamespace)
	}
	operation := "read autoscalers in namespace " + namespace
	conn, err := a.cluster(ctx)
	if err != nil {
		return nil, during(operation, err)
	}
	lists, errs := make([][]unstructured.Unstructured, len(scalers)), make([]error, len(scalers))
	var wg sync.WaitGroup
	for i, s := range scalers {
		wg.Go(func() { lists[i], errs[i] = conn.list(ctx, s, namespace) })
	}
	wg.Wait()
	found := []evidence.Object{}
	for _, list := range lists {
		for i := range list {
			kind := list[i].GroupVersionKind()
			object, err := a.keep(evidence.Ref{Group: kind.Group, Kind: kind.Kind, Namespace: list[i].GetNamespace(), Name: list[i].GetName()}, &list[i])
			if err != nil {
				return nil, during(operation, err)
			}
			found = append(found, object)
		}
	}
	if err = together(errs); err != nil && len(found) == 0 {
		return nil, during(operation, err)
	}
	a.Record.AutoscalersOf(namespace)
	return found, nil
}

// list is empty for a kind that is not installed.
func (c *connection) list(ctx context.Context, s scaler, namespace string) ([]unstructured.Unstructured, error) {
	answer, err := c.objects.Resource(schema.GroupVersionResource{Group: s.Group, Version: s.version, Resource: s.Resource}).Namespace(namespace).List(ctx, metav1.ListOptions{})
	switch {
	case err == nil:
		return answer.Items, nil
	case s.addOn && apierrors.IsNotFound(err):
		return nil, nil
	case s.addOn && apierrors.IsForbidden(err):
		// The API server asks for permission before it looks whether the kind exists.
		if installed, lookErr := c.kinds.installed(ctx, schema.GroupKind{Group: s.Group, Kind: s.Kind}); lookErr == nil && !installed {
			return nil, nil
		}
	}
	return nil, forReading(c.fail(err), s.Outside)
}

// together is one error out of several: what is wrong with the connection is the same for all and said once.
func together(errs []error) error {
	var first *Error
	var texts []string
	for _, err := range errs {
		if err == nil {
			continue
		}
		var e *Error
		if !errors.As(err, &e) {
			return err // not the cluster's word: the read itself ended
		}
		if first == nil {
			first = e
		}
		if len(texts) == 0 || texts[len(texts)-1] != string(e.what) {
			texts = append(texts, string(e.what))
		}
	}
	if first == nil {
		return nil
	}
	whole := *first
	whole.what = sanitize.Line(strings.Join(texts, ", and "))
	if len(texts) > 1 && whole.Problem == Forbidden {
		whole.todo = lost("which autoscaler outside the application sets replicas or requests that differ from Git", grantReading())
	}
	return &whole
}
