package kube

import (
	"context"
	"maps"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
)

// heldParts are the parts that somebody who follows the journal has read. A part never changes, so that a change of a large incident costs
// only those that are new. It is not safe for parallel use.
type heldParts struct {
	parts *memberParts
	// byIncident has those that each incident named last, by the name of its object.
	byIncident map[string]stored
}

// fewParts is how many are read one by one. More, as those of an incident that was not seen before, are listed.
const fewParts = 4

func newHeldParts(parts *memberParts) *heldParts {
	return &heldParts{parts: parts, byIncident: map[string]stored{}}
}

// read is a readParts that reads what is not held.
func (h *heldParts) read(ctx context.Context, id string, refs []partRef) (stored, error) {
	held := h.byIncident[id]
	missing := slices.DeleteFunc(slices.Clone(refs), func(ref partRef) bool { return held[ref.Name] != nil })
	found, err := h.readMissing(ctx, id, missing)
	if err != nil {
		return nil, err
	}
	now := stored{}
	for _, ref := range refs {
		part := held[ref.Name]
		if part == nil {
			part = found[ref.Name]
		}
		if part != nil {
			now[ref.Name] = part
		}
	}
	h.byIncident[id] = now
	return now, nil
}

func (h *heldParts) readMissing(ctx context.Context, id string, missing []partRef) (stored, error) {
	if len(missing) > fewParts {
		return h.parts.read(ctx, id, missing)
	}
	found := stored{}
	for _, ref := range missing {
		// Not by a get, for which another right would be necessary: https://kubernetes.io/docs/concepts/overview/working-with-objects/field-selectors/
		one, err := h.parts.list(ctx, metav1.ListOptions{FieldSelector: fields.OneTermEqualSelector(metav1.ObjectNameField, ref.Name).String()})
		if err != nil {
			return nil, err
		}
		maps.Copy(found, one)
	}
	return found, nil
}

// keep forgets those of all incidents but these.
func (h *heldParts) keep(ids map[string]bool) {
	maps.DeleteFunc(h.byIncident, func(id string, _ stored) bool { return !ids[id] })
}

// forget forgets those of one incident.
func (h *heldParts) forget(id string) { delete(h.byIncident, id) }
