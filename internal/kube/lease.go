package kube

import (
	"context"
	"fmt"
	"net"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	coordination "k8s.io/client-go/kubernetes/typed/coordination/v1"
	"k8s.io/client-go/rest"
)

var leases = schema.GroupVersionResource{Group: "coordination.k8s.io", Version: "v1", Resource: "leases"}

// LeaseName is that of the Lease which says who leads a shard: argo-why, or argo-why-NAME where each Argo CD has a leader of its own.
func LeaseName(shard string) string {
	if shard == "" {
		return "argo-why"
	}
	return "argo-why-" + shard
}

// leaseRights are those of deploy/rbac/journal.yaml. Kubernetes cannot limit the right to create to a name.
func leaseRights(namespace string, shards ...string) []right {
	on := func(verb, name string) right {
		return right{verb: verb, resource: leases, namespace: namespace, name: name}
	}
	all := []right{on("create", ""), on("get", LeaseName(""))}
	if len(shards) == 0 {
		return append(all, on("update", LeaseName("")))
	}
	for _, shard := range shards {
		all = append(all, on("get", LeaseName(shard)), on("update", LeaseName(shard)))
	}
	return all
}

// checkLeases finds the rights to the Leases of these shards that the account lacks; to the only one where none are named.
func (j *Journal) checkLeases(ctx context.Context, shards ...string) error {
	return j.checkRights(ctx, "check the election of a leader", leaseRights(j.namespace, shards...)...)
}

// leaseRequests are allowed in a second: enough for the Leases of 50 Argo CDs.
const leaseRequests = 100

// newLeases is a client for Leases alone: it waits for no other request, and for no server that does not answer.
func newLeases(config *rest.Config, userAgent string) (coordination.LeasesGetter, error) {
	config = rest.CopyConfig(config)
	config.UserAgent, config.Timeout, config.QPS, config.Burst = userAgent, leaseTimeout, leaseRequests, leaseRequests
	config.WarningHandler = rest.NoWarnings{}
	config.Dial = (&net.Dialer{Timeout: leaseTimeout}).DialContext
	return coordination.NewForConfig(config)
}

// ledByOne is an error while a replica leads all shards: of the time before each Argo CD had a leader of its own.
func (j *Journal) ledByOne(ctx context.Context) error {
	lease, err := j.leases.Leases(j.namespace).Get(ctx, LeaseName(""), metav1.GetOptions{})
	switch {
	case apierrors.IsNotFound(err):
		return nil
	case err != nil:
		return err
	}
	holder, renewed := lease.Spec.HolderIdentity, lease.Spec.RenewTime
	if holder == nil || *holder == "" || renewed == nil || time.Since(renewed.Time) > leaseDuration {
		return nil
	}
	return fmt.Errorf("%s leads all Argo CDs still (lease %s)", *holder, LeaseName(""))
}
