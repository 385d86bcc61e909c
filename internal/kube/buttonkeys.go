package kube

import (
	"context"
	"encoding/base64"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/sanitize"
)

const (
	// buttonKeysName is the Secret of deploy/rbac/journal.yaml. The bot does not create it: with the right to create Secrets it
	// could make one that Kubernetes fills with the token of any account of the namespace.
	buttonKeysName = "argo-why-button-keys"
	buttonKeysKey  = "keys.json"
)

var secrets = schema.GroupVersionResource{Version: "v1", Resource: "secrets"}

// ButtonKeys are the keys that sign buttons: what is in the Secret beside the journal. They are not in a custom resource, which more people
// can read. nil: the Secret is empty.
func (j *Journal) ButtonKeys(ctx context.Context) (keys []byte, version string, err error) {
	const operation = "read the key of buttons"
	o, err := j.conn.objects.Resource(secrets).Namespace(j.namespace).Get(ctx, buttonKeysName, metav1.GetOptions{})
	if err != nil {
		return nil, "", j.keysFail(ctx, operation, err)
	}
	encoded, _, err := unstructured.NestedString(o.Object, "data", buttonKeysKey)
	if err != nil {
		return nil, "", fmt.Errorf("%s: %w", operation, err)
	}
	if encoded == "" {
		return nil, o.GetResourceVersion(), nil
	}
	if keys, err = base64.StdEncoding.DecodeString(encoded); err != nil {
		return nil, "", fmt.Errorf("%s: %w", operation, err)
	}
	return keys, o.GetResourceVersion(), nil
}

// PutButtonKeys replaces them, if nobody has since they were read: else incident.ErrConflict.
func (j *Journal) PutButtonKeys(ctx context.Context, keys []byte, version string) error {
	const operation = "write the key of buttons"
	at := j.conn.objects.Resource(secrets).Namespace(j.namespace)
	o, err := at.Get(ctx, buttonKeysName, metav1.GetOptions{})
	if err != nil {
		return j.keysFail(ctx, operation, err)
	}
	o.SetResourceVersion(version)
	if err := unstructured.SetNestedField(o.Object, base64.StdEncoding.EncodeToString(keys), "data", buttonKeysKey); err != nil {
		return fmt.Errorf("%s: %w", operation, err)
	}
	_, err = at.Update(ctx, o, metav1.UpdateOptions{FieldManager: fieldManager})
	if apierrors.IsConflict(err) {
		return fmt.Errorf("%s: %w", operation, incident.ErrConflict)
	}
	return j.keysFail(ctx, operation, err)
}

// keysFail says what went wrong. That there is no Secret is a right that is missing: the same file gives both.
func (j *Journal) keysFail(ctx context.Context, operation string, err error) error {
	switch {
	case err == nil:
		return nil
	case isGone(err, secrets.Resource):
		return &Error{
			Problem: Forbidden, Operation: operation, Err: err, todo: "set rbac.journal=true in the Helm chart, or kubectl apply -f deploy/rbac/journal.yaml",
			what: sanitize.Sprintf("there is no Secret %s in namespace %s", buttonKeysName, j.namespace),
		}
	}
	return j.fail(ctx, operation, err)
}
