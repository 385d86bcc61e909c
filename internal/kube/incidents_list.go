package kube

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/argo-why/argo-why/internal/incident"
)

// List implements [incident.Journal].
func (j *Journal) List(ctx context.Context) ([]*incident.Incident, error) { return j.list(ctx, true) }

// Read is List for those who must not change anything: it removes nothing.
func (j *Journal) Read(ctx context.Context) ([]*incident.Incident, error) { return j.list(ctx, false) }

// list also removes, if it may, what was never completed.
func (j *Journal) list(ctx context.Context, sweeps bool) ([]*incident.Incident, error) {
	const operation = "list incidents"
	var entries []*listed
	err := j.each(ctx, func(object *unstructured.Unstructured) error {
		e := newListed(object)
		switch {
		case !errors.Is(e.err, errNoStatus):
			entries = append(entries, e)
		case sweeps:
			return j.sweep(ctx, object)
		}
		return nil
	})
	if err != nil {
		return nil, j.fail(ctx, operation, err)
	}
	found, err := j.partsOf(ctx, entries, sweeps)
	if err != nil {
		return nil, j.parts.fail(ctx, operation, err)
	}
	var all []*incident.Incident
	var damaged incident.Damaged
	for _, e := range entries {
		i, err := j.complete(ctx, e, found, j.parts.read)
		switch {
		case err == nil:
			all = append(all, i)
		case errors.Is(err, errNoStatus), j.gone(err): // deleted meanwhile
		case ctx.Err() != nil:
			return nil, j.fail(ctx, operation, err)
		default:
			damaged = append(damaged, incident.DamagedEntry{ID: e.object.GetName(), Rest: salvage(e.object), Err: j.fail(ctx, operation, err)})
		}
	}
	slices.SortFunc(all, func(a, b *incident.Incident) int { return cmp.Compare(a.ID, b.ID) })
	return all, damaged.AsError()
}

// listed is an object and its status, or why that cannot be read.
type listed struct {
	object *unstructured.Unstructured
	status *status
	err    error
}

func newListed(object *unstructured.Unstructured) *listed {
	s, err := decodeStatus(object)
	return &listed{object, s, err}
}

// partsOf are the parts of all entries, without those that nobody refers to. A cluster that does not know the kind, or a role that does not
// let it be read, matters only where there are any.
func (j *Journal) partsOf(ctx context.Context, entries []*listed, sweeps bool) (stored, error) {
	referred := map[string]bool{}
	for _, e := range entries {
		if e.err != nil {
			continue
		}
		for _, ref := range e.status.Parts {
			referred[ref.Name] = true
		}
	}
	found, err := j.parts.readAll(ctx)
	switch {
	case err != nil && len(referred) == 0:
		return nil, ctx.Err()
	case err != nil || !sweeps:
		return found, err
	}
	return found, j.parts.sweep(ctx, found, referred)
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

// readParts reads the parts that an incident names, perhaps among others.
type readParts func(ctx context.Context, id string, refs []partRef) (stored, error)

// complete is the incident of an entry, of which these parts are found; nil: none was looked for. Where some are missing both are read
// again: somebody may have replaced them meanwhile.
func (j *Journal) complete(ctx context.Context, e *listed, found stored, read readParts) (*incident.Incident, error) {
	for again := 0; ; again++ {
		var err error
		if found == nil && e.hasParts() {
			if found, err = read(ctx, e.object.GetName(), e.status.Parts); err != nil {
				return nil, err
			}
		}
		i, err := e.incident(found)
		switch {
		case err == nil:
			j.parts.note(i.ID, knownParts{i.Version, ownerOf(e.object), e.status.Parts})
			return i, nil
		case !errors.Is(err, errPartMissing), again == readAgain:
			return nil, err
		}
		object, err := j.get(ctx, e.object.GetName())
		if err != nil {
			return nil, err
		}
		e, found = newListed(object), nil
	}
}

func (e *listed) hasParts() bool { return e.err == nil && len(e.status.Parts) > 0 }

// incident is that of an entry. found has its parts, perhaps among others.
func (e *listed) incident(found stored) (*incident.Incident, error) {
	if e.err != nil {
		return nil, e.err
	}
	i := e.status.Incident
	i.Members = e.status.Members
	if !e.hasParts() {
		return i, nil
	}
	members, err := found.of(e.status.Parts)
	if err != nil {
		return nil, damagedIncident(e.object, err)
	}
	i.Members = members
	return i, nil
}
