package kube

import (
	"context"
	"errors"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/sanitize"
)

var applications = schema.GroupVersionResource{Group: "argoproj.io", Version: "v1alpha1", Resource: "applications"}

// verify shows that the connection leads to the cluster that Argo CD runs in: it contains the very Application that Argo CD
// gave. No UID is drawn twice, while names repeat from one cluster to the next.
func (c *connection) verify(ctx context.Context, of evidence.Metadata) error {
	name := of.Namespace + "/" + of.Name
	if of.UID == "" || of.Namespace == "" || of.Name == "" {
		return &Error{Problem: NoAccess, what: "Argo CD did not return the UID of the application, which identifies its own cluster"}
	}
	found, err := c.objects.Resource(applications).Namespace(of.Namespace).Get(ctx, of.Name, metav1.GetOptions{})
	switch {
	case apierrors.IsNotFound(err):
		return &Error{Problem: OtherCluster, what: sanitize.Sprintf("%s is another cluster (it has no Application %s)", c.name, name), todo: "use --kube-context NAME", Err: err}
	case err != nil:
		var e *Error
		if err = c.fail(err); errors.As(err, &e) && e.Problem == Forbidden {
			e.what += sanitize.Sprintf(", which is needed to identify the cluster of %s", c.name)
			e.todo = grantReading()
		}
		return err
	case string(found.GetUID()) != of.UID:
		return &Error{Problem: OtherCluster, what: sanitize.Sprintf("%s is another cluster (its Application %s is another one)", c.name, name), todo: "use --kube-context NAME"}
	}
	return nil
}
