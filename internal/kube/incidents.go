package kube

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/argo-why/argo-why/internal/incident"
)

// Journal is an [incident.Journal] of Incident custom resources in one namespace. Errors of the cluster are *Error.
//
// An entry is one object: its status is the whole incident, its spec (what it was about at first) is written once and never
// read. So a replacement is one request, to the status subresource, and the version is the resourceVersion that this request
// is bound to: it is made as a whole or not at all.
//
// Only a new entry takes two, because the API server takes no status along with a new object. A crash between them leaves an
// object without a status, which is no entry yet: Get and List do not know it, Put with that ID completes it, and List
// removes it when it is so old that nobody is about to complete it.
type Journal struct {
	store
	actions *ActionJournal
}

var _ incident.Journal = (*Journal)(nil)

const incidentKind = "Incident"

// incidentRights are those of deploy/rbac/journal.yaml.
func incidentRights() []right {
	return []right{{verb: "list"}, {verb: "get"}, {verb: "create"}, {verb: "update", subresource: "status"}, {verb: "delete"}}
}

// abandoned is the age at which an object without a status is no longer anybody's work in progress, on clocks that differ by
// minutes.
const abandoned = 15 * time.Minute

// Actions is the journal of actions beside it, in the same namespace.
func (j *Journal) Actions() *ActionJournal { return j.actions }

// List implements [incident.Journal].
func (j *Journal) List(ctx context.Context) ([]*incident.Incident, error) {
	return j.list(ctx, j.sweep)
}

// Read is List for those who must not change anything: it removes nothing.
func (j *Journal) Read(ctx context.Context) ([]*incident.Incident, error) {
	return j.list(ctx, func(context.Context, *unstructured.Unstructured) error { return nil })
}

// list has something done with an object that was never completed.
func (j *Journal) list(ctx context.Context, incomplete func(context.Context, *unstructured.Unstructured) error) ([]*incident.Incident, error) {
	const operation = "list incidents"
	var all []*incident.Incident
	var damaged incident.Damaged
	err := j.each(ctx, func(object *unstructured.Unstructured) error {
		i, err := decodeIncident(object)
		switch {
		case errors.Is(err, errNoStatus):
			return incomplete(ctx, object)
		case err != nil:
			damaged = append(damaged, incident.DamagedEntry{ID: object.GetName(), Rest: salvage(object), Err: j.fail(ctx, operation, err)})
		default:
			all = append(all, i)
		}
		return nil
	})
	if err != nil {
		return nil, j.fail(ctx, operation, err)
	}
	slices.SortFunc(all, func(a, b *incident.Incident) int { return cmp.Compare(a.ID, b.ID) })
	return all, damaged.AsError()
}

// sweep removes an object that was never completed.
func (j *Journal) sweep(ctx context.Context, o *unstructured.Unstructured) error {
	if time.Since(o.GetCreationTimestamp().Time) < abandoned {
		return nil
	}
	err := j.remove(ctx, o.GetName(), o.GetResourceVersion())
	if apierrors.IsConflict(err) || j.gone(err) { // somebody was there in the meantime
		return nil
	}
	return err
}

// Get implements [incident.Journal].
func (j *Journal) Get(ctx context.Context, id string) (*incident.Incident, error) {
	operation := "get incident " + id
	object, err := j.get(ctx, id)
	if j.gone(err) {
		return nil, fmt.Errorf("%s: %w", operation, incident.ErrNotFound)
	}
	if err != nil {
		return nil, j.fail(ctx, operation, err)
	}
	i, err := decodeIncident(object)
	if errors.Is(err, errNoStatus) {
		return nil, fmt.Errorf("%s: %w", operation, incident.ErrNotFound)
	}
	if err != nil {
		return nil, j.fail(ctx, operation, err)
	}
	return i, nil
}

// Put implements [incident.Journal].
func (j *Journal) Put(ctx context.Context, i *incident.Incident) error {
	operation := "put incident " + i.ID
	status, err := encodeStatus(i)
	if err != nil {
		return j.fail(ctx, operation, err)
	}
	version := i.Version
	if version == "" {
		version, err = j.create(ctx, i)
	}
	if err == nil {
		version, err = j.replace(ctx, i.ID, version, status)
	}
	switch {
	case errors.Is(err, incident.ErrConflict), apierrors.IsConflict(err), j.gone(err):
		return fmt.Errorf("%s: %w", operation, incident.ErrConflict)
	case err != nil:
		return j.fail(ctx, operation, err)
	}
	i.Version = version
	return nil
}

// create creates the object of an entry, still without a status, or finds one whose maker did not come to the second step.
// If that one is just about to, the version decides between the two.
func (j *Journal) create(ctx context.Context, i *incident.Incident) (version string, err error) {
	object, err := j.objects.Create(ctx, newObject(i), metav1.CreateOptions{FieldManager: fieldManager, FieldValidation: metav1.FieldValidationStrict})
	if apierrors.IsAlreadyExists(err) {
		if object, err = j.get(ctx, i.ID); err == nil && object.Object["status"] != nil {
			return "", incident.ErrConflict
		}
	}
	if err != nil {
		return "", err
	}
	return object.GetResourceVersion(), nil
}

// replace is strict: a definition that does not know a field would make the API server drop it without a word.
func (j *Journal) replace(ctx context.Context, id, version string, status map[string]any) (string, error) {
	object := emptyObject(incidentKind, id)
	object.SetResourceVersion(version)
	object.Object["status"] = status
	stored, err := j.objects.UpdateStatus(ctx, object, metav1.UpdateOptions{FieldManager: fieldManager, FieldValidation: metav1.FieldValidationStrict})
	if err != nil {
		return "", err
	}
	return stored.GetResourceVersion(), nil
}

// Delete implements [incident.Journal].
func (j *Journal) Delete(ctx context.Context, i *incident.Incident) error {
	operation := "delete incident " + i.ID
	if i.Version == "" { // the API server would take that for "whichever it is"
		_, err := j.Get(ctx, i.ID)
		switch {
		case errors.Is(err, incident.ErrNotFound):
			return nil
		case err != nil:
			return err
		}
		return fmt.Errorf("%s: %w", operation, incident.ErrConflict)
	}
	err := j.remove(ctx, i.ID, i.Version)
	switch {
	case err == nil, j.gone(err):
		return nil
	case apierrors.IsConflict(err):
		return fmt.Errorf("%s: %w", operation, incident.ErrConflict)
	}
	return j.fail(ctx, operation, err)
}

func (j *Journal) remove(ctx context.Context, id, version string) error {
	return j.objects.Delete(ctx, id, metav1.DeleteOptions{Preconditions: &metav1.Preconditions{ResourceVersion: &version}})
}
