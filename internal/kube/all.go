package kube

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/sanitize"
)

// maxAll is how many objects of a kind are read. Whoever has more is better told by the scheduler's count than by a list.
const maxAll = 500

// All lists all objects of a kind that has no namespaces, without what fills them and tells nothing: a node alone lists hundreds of images.
func (a *App) All(ctx context.Context, kind evidence.Outside) ([]evidence.Object, error) {
	operation := "read " + kind.Resource
	conn, err := a.cluster(ctx)
	if err != nil {
		return nil, during(operation, err)
	}
	of := schema.GroupVersionResource{Group: kind.Group, Version: "v1", Resource: kind.Resource}
	answer, err := conn.objects.Resource(of).List(ctx, metav1.ListOptions{Limit: maxAll})
	if err != nil {
		return nil, during(operation, forReading(conn.fail(err), kind))
	}
	if answer.GetContinue() != "" {
		return nil, during(operation, &Error{Problem: Failed, what: sanitize.Sprintf("there are more than %d", maxAll)})
	}
	found := []evidence.Object{}
	for i := range answer.Items {
		o := &answer.Items[i]
		o.SetManagedFields(nil)
		unstructured.RemoveNestedField(o.Object, "status", "images")
		object, err := a.keep(evidence.Ref{Group: kind.Group, Kind: kind.Kind, Name: o.GetName()}, o)
		if err != nil {
			return nil, during(operation, err)
		}
		found = append(found, object)
	}
	a.Record.AllOf(kind)
	return found, nil
}
