package kube

import (
	"context"
	"log/slog"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/argo-why/argo-why/internal/incident"
)

// FollowReplicas calls there for each replica whose entry is in the journal, at first and after each change, with how many shards it leads, and
// gone for each that has removed its entry, until the context ends. A replica that was killed leaves its entry behind.
func (j *Journal) FollowReplicas(ctx context.Context, log *slog.Logger, there func(replica string, leads int), gone func(replica string)) {
	j.reflect(ctx, log, &replicaEntries{there: there, gone: gone, known: map[string]string{}})
}

// replicaEntries passes on the entries of replicas, each state once.
type replicaEntries struct {
	there func(replica string, leads int)
	gone  func(replica string)
	// known are the versions by the name of the object.
	known map[string]string
}

func (r *replicaEntries) put(o *unstructured.Unstructured) {
	phase, _, _ := unstructured.NestedString(o.Object, "status", "phase")
	replica, _, _ := unstructured.NestedString(o.Object, "status", "cause", "subject")
	leads, _, _ := unstructured.NestedInt64(o.Object, "status", "leads")
	if phase != string(incident.HandedOver) || replica == "" || r.known[o.GetName()] == o.GetResourceVersion() {
		return
	}
	r.known[o.GetName()] = o.GetResourceVersion()
	r.there(replica, int(leads))
}

func (r *replicaEntries) remove(o *unstructured.Unstructured) {
	replica, _, _ := unstructured.NestedString(o.Object, "status", "cause", "subject")
	if _, ok := r.known[o.GetName()]; ok {
		delete(r.known, o.GetName())
		r.gone(replica)
	}
}

// replace is after each list. Whoever is not in it is gone, which shows in that it writes no more.
func (r *replicaEntries) replace(all []*unstructured.Unstructured) {
	for _, o := range all {
		r.put(o)
	}
}
