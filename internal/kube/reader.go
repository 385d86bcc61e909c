package kube

import (
	"context"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/argo-why/argo-why/internal/evidence"
)

// Reader is the account that reads the cluster of an application.
type Reader struct {
	conn *connection
	// Place is how the cluster is reached, as errors call it; Context the context of the kubeconfig, "" for the pod's own account.
	Place, Context string
	// Own: Argo CD itself runs in the cluster.
	Own bool
}

// Reader finds the account. The error says why there is none.
func (a *App) Reader(ctx context.Context) (*Reader, error) {
	conn, err := a.cluster(ctx)
	if err != nil {
		return nil, during(askRights, err)
	}
	at, err := a.clusters.endpoint(a.application().Spec.Destination)
	if err != nil {
		return nil, during(askRights, err)
	}
	return &Reader{conn: conn, Place: at.String(), Context: at.context, Own: at.verify}, nil
}

var selfReviews = schema.GroupVersionResource{Group: "authentication.k8s.io", Version: "v1", Resource: "selfsubjectreviews"}

// Account is the name of the account in its cluster: "system:serviceaccount:argo-why:argo-why".
func (r *Reader) Account(ctx context.Context) (string, error) {
	answer, err := r.conn.objects.Resource(selfReviews).Create(ctx, &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": selfReviews.GroupVersion().String(), "kind": "SelfSubjectReview",
	}}, metav1.CreateOptions{})
	if err != nil {
		return "", during(askRights, notTheirs(ctx, r.conn.fail(err)))
	}
	name, _, err := unstructured.NestedString(answer.Object, "status", "userInfo", "username")
	return name, err
}

// addOns are the groups of kinds that come with an operator: a cluster without it has nothing to read.
var addOns = []string{
	evidence.OutsideScaledObject.Group, evidence.OutsideVPA.Group, evidence.OutsideIssuer.Group, evidence.OutsideSecretStore.Group,
}

// Lacks says which right to read a kind the account lacks in a namespace; "" if it lacks none, or the cluster does not know the kind.
// Without a namespace it asks for all of them.
func (r *Reader) Lacks(ctx context.Context, kind evidence.Outside, namespace string) (string, error) {
	asked := right{verb: kind.Verb(), resource: schema.GroupVersionResource{Group: kind.Group, Resource: kind.Resource}, name: kind.Only, namespace: namespace, clusterScoped: kind.ClusterScoped}
	may, err := r.conn.may(ctx, asked)
	switch {
	case err != nil:
		return "", during(askRights, notTheirs(ctx, r.conn.fail(err)))
	case may:
		return "", nil
	case slices.Contains(addOns, kind.Group):
		if installed, err := r.conn.kinds.installed(ctx, schema.GroupKind{Group: kind.Group, Kind: kind.Kind}); err == nil && !installed {
			return "", nil
		}
	}
	return string(asked.lacking()), nil
}
