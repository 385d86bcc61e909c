package kube

import (
	"cmp"
	"context"
	"os"
	"time"

	"github.com/argo-why/argo-why/internal/sanitize"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/evidence"
)

var events = schema.GroupVersionResource{Version: "v1", Resource: "events"}

// The limits of an event, in bytes: https://kubernetes.io/docs/reference/kubernetes-api/cluster-resources/event-v1/
const (
	maxEventMessage  = 1024
	maxEventInstance = 128
)

// home is the cluster that Argo CD itself runs in, shown to be it by the application.
func (a *App) home(ctx context.Context) (*connection, *evidence.Application, error) {
	app := a.application()
	if app == nil {
		return nil, nil, &Error{Problem: NoAccess, what: "the application, which identifies Argo CD's own cluster, was not read"}
	}
	own, err := a.clusters.ownEndpoint()
	if err != nil {
		return nil, nil, err
	}
	conn, err := a.clusters.connect(own)
	if err != nil {
		return nil, nil, err
	}
	looking, cancel := context.WithTimeout(ctx, findTimeout)
	defer cancel()
	return conn, app, notTheirs(ctx, conn.verify(looking, app.Metadata))
}

// Announce writes an Event on the Application, in the cluster that Argo CD itself runs in. Its name is that of the record:
// announced twice, it is there once.
func (a *App) Announce(ctx context.Context, e action.Event) error {
	const operation = "write an event on the Application"
	name := "argo-why." + e.Record
	if problems := validation.IsDNS1123Subdomain(name); len(problems) > 0 {
		return during(operation, &Error{Problem: Failed, what: sanitize.Sprintf("%q cannot be a name: %s", e.Record, problems[0])})
	}
	conn, app, err := a.home(ctx)
	if err != nil {
		return during(operation, err)
	}
	_, err = conn.objects.Resource(events).Namespace(app.Metadata.Namespace).
		Create(ctx, newEvent(name, app.Metadata, e), metav1.CreateOptions{FieldManager: fieldManager, FieldValidation: metav1.FieldValidationStrict})
	if err != nil && !apierrors.IsAlreadyExists(err) {
		return during(operation, notTheirs(ctx, forAction(conn.fail(err))))
	}
	return nil
}

// newEvent has the form of Argo CD's own events, so `kubectl describe` and Argo CD's page show both in one list.
func newEvent(name string, about evidence.Metadata, e action.Event) *unstructured.Unstructured {
	kind, at := "Normal", e.At.UTC().Format(time.RFC3339)
	if e.Warning {
		kind = "Warning"
	}
	host, err := os.Hostname()
	if err != nil {
		host = ""
	}
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1", "kind": "Event", "metadata": map[string]any{"name": name, "namespace": about.Namespace},
		"involvedObject": map[string]any{
			"apiVersion": applications.GroupVersion().String(), "kind": "Application", "namespace": about.Namespace, "name": about.Name, "uid": about.UID,
		},
		"type": kind, "reason": e.Reason, "action": e.Reason, "message": sanitize.Fit(e.Message, maxEventMessage),
		"firstTimestamp": at, "lastTimestamp": at, "count": int64(1),
		"source":             map[string]any{"component": fieldManager},
		"reportingComponent": fieldManager, "reportingInstance": sanitize.Fit(cmp.Or(host, fieldManager), maxEventInstance),
	}}
}
