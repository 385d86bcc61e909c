package kube

import (
	"context"
	"errors"
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	coordination "k8s.io/client-go/kubernetes/typed/coordination/v1"

	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/incident/parts"
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
//
// The members of a large incident are objects of their own, see memberParts: they are created before the status that names them, and
// deleted after the one that no longer does.
type Journal struct {
	store
	parts   *memberParts
	actions *ActionJournal
	leases  coordination.LeasesGetter
}

var _ incident.Journal = (*Journal)(nil)

const incidentKind = "Incident"

// incidentRights are those of deploy/rbac/journal.yaml.
func incidentRights() []right {
	return []right{{verb: "list"}, {verb: "watch"}, {verb: "get"}, {verb: "create"}, {verb: "update", subresource: "status"}, {verb: "delete"}}
}

// abandoned is the age at which an object without a status is no longer anybody's work in progress, on clocks that differ by
// minutes.
const abandoned = 15 * time.Minute

// Actions is the journal of actions beside it, in the same namespace.
func (j *Journal) Actions() *ActionJournal { return j.actions }

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
	i, err := j.complete(ctx, newListed(object), nil, j.parts.read)
	if errors.Is(err, errNoStatus) || j.gone(err) {
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
	s, split, err := encodeStatus(i)
	if err != nil {
		return j.fail(ctx, operation, err)
	}
	was, now := knownParts{version: i.Version}, written{}
	if i.Version == "" {
		was, err = j.create(ctx, i)
	}
	if err == nil {
		now, err = j.write(ctx, was, s, split)
	}
	switch {
	case errors.Is(err, incident.ErrConflict), apierrors.IsConflict(err), j.gone(err):
		return fmt.Errorf("%s: %w", operation, incident.ErrConflict)
	case errors.Is(err, errOfParts):
		return j.parts.fail(ctx, operation, err)
	case err != nil:
		return j.fail(ctx, operation, err)
	}
	i.Version, i.Size = now.version, now.size
	return nil
}

// written is what a replacement made: a version, and its size.
type written struct {
	version string
	size    int
}

// write replaces the status of a version with one whose members are in these parts, and returns the new one.
func (j *Journal) write(ctx context.Context, was knownParts, s *status, split []parts.Part) (now written, err error) {
	if known := j.parts.of(s.ID); known.version == was.version {
		was = known
	}
	if len(split) > 0 {
		if was, err = j.owned(ctx, was, s.ID); err != nil {
			return written{}, err
		}
		if s.Parts, err = j.parts.write(ctx, was, split); err != nil {
			j.parts.remove(context.WithoutCancel(ctx), s.Parts, was.parts)
			return written{}, err
		}
	}
	object, size, err := s.object()
	now.size = size
	if err == nil {
		now.version, err = j.replace(ctx, s.ID, was.version, object)
	}
	switch {
	case err == nil:
		j.parts.note(s.ID, knownParts{now.version, was.owner, s.Parts})
		j.parts.remove(ctx, was.parts, s.Parts)
	case apierrors.IsConflict(err), j.gone(err): // of any other error nobody knows whether the status was taken
		j.parts.remove(ctx, s.Parts, was.parts)
	}
	return now, err
}

// owned is what is known of the parts of a version, read where that is not known.
func (j *Journal) owned(ctx context.Context, was knownParts, id string) (knownParts, error) {
	if was.owner.UID != "" {
		return was, nil
	}
	object, err := j.get(ctx, id)
	if err != nil {
		return was, err
	}
	if object.GetResourceVersion() != was.version {
		return was, incident.ErrConflict
	}
	was.owner = ownerOf(object)
	s, err := decodeStatus(object)
	if err == nil {
		was.parts = s.Parts
	}
	if errors.Is(err, errNoStatus) {
		err = nil
	}
	return was, err
}

// create creates the object of an entry, still without a status, or finds one whose maker did not come to the second step.
// If that one is just about to, the version decides between the two.
func (j *Journal) create(ctx context.Context, i *incident.Incident) (knownParts, error) {
	object, err := j.objects.Create(ctx, newObject(i), metav1.CreateOptions{FieldManager: fieldManager, FieldValidation: metav1.FieldValidationStrict})
	if apierrors.IsAlreadyExists(err) {
		if object, err = j.get(ctx, i.ID); err == nil && object.Object["status"] != nil {
			return knownParts{}, incident.ErrConflict
		}
	}
	if err != nil {
		return knownParts{}, err
	}
	return knownParts{version: object.GetResourceVersion(), owner: ownerOf(object)}, nil
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
		object, err := j.get(ctx, i.ID)
		switch {
		case j.gone(err), err == nil && object.Object["status"] == nil:
			return nil
		case err != nil:
			return j.fail(ctx, operation, err)
		}
		return fmt.Errorf("%s: %w", operation, incident.ErrConflict)
	}
	err := j.remove(ctx, i.ID, i.Version)
	switch {
	case err == nil, j.gone(err):
		j.parts.remove(ctx, j.parts.of(i.ID).parts, nil)
		j.parts.note(i.ID, knownParts{})
		return nil
	case apierrors.IsConflict(err):
		return fmt.Errorf("%s: %w", operation, incident.ErrConflict)
	}
	return j.fail(ctx, operation, err)
}

func (j *Journal) remove(ctx context.Context, id, version string) error {
	return j.objects.Delete(ctx, id, metav1.DeleteOptions{Preconditions: &metav1.Preconditions{ResourceVersion: &version}})
}
