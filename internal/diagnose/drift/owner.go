package drift

import (
	"cmp"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/foreign"
)

// Owner is an entry of metadata.managedFields that covers a field: who wrote it, how and when.
type Owner struct {
	Manager string
	// Operation is Update or Apply; Subresource is "scale", "status" or empty.
	Operation, Subresource string
	// Time is zero where the API server did not note it.
	Time evidence.Time
	// Exact: the entry names the field itself, or something beneath it. Else it covers a whole that holds the field, such
	// as a list without keys, and says nothing of the single field.
	Exact bool
}

// manager is an owner with all its fields.
type manager struct {
	Owner
	fields map[string]any
}

func managersOf(live evidence.Object) []manager {
	var out []manager
	for _, m := range live.List("metadata", "managedFields") {
		fields, _ := m.At("fieldsV1").(map[string]any)
		out = append(out, manager{
			Owner:  Owner{Manager: m.Text("manager"), Operation: m.Text("operation"), Subresource: m.Text("subresource"), Time: m.Time("time")},
			fields: fields,
		})
	}
	// The last to write comes first. Where the API server notes no time (it does not for a scale), the writing came after
	// the entry was made and nobody knows when: first of all.
	unknown := func(m manager) int {
		if m.Time.IsZero() {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(out, func(a, b manager) int {
		return cmp.Or(cmp.Compare(unknown(a), unknown(b)), b.Time.Compare(a.Time.Time))
	})
	return out
}

// covers reports whether the manager owns the field: the field itself, something beneath it, or a whole that holds it
// (the API server notes lists without keys as one).
func (m manager) covers(p Path) (o Owner, ok bool) {
	o = m.Owner
	at := m.fields
	for i, s := range p {
		if len(at) == 0 {
			return o, i > 0
		}
		if at, ok = step(at, s); !ok {
			return o, false
		}
	}
	o.Exact = true
	return o, true
}

func step(at map[string]any, s Segment) (map[string]any, bool) {
	key := "f:" + s.Field
	if s.Member {
		key = ownedMember + jsonText(s.Keys)
	}
	next, ok := at[key].(map[string]any)
	return next, ok
}

// ownedMember begins the name of a list's member in managedFields; its keys follow.
const ownedMember = "k:"

// respelled are managedFields with the keys of members as [jsonText] writes them. Each is read once here, and then found by its name: a
// list may have thousands of members, each with fields of its own.
func respelled(fields map[string]any) map[string]any {
	out := make(map[string]any, len(fields))
	for k, v := range fields {
		if below, ok := v.(map[string]any); ok {
			v = respelled(below)
		}
		if content, ok := strings.CutPrefix(k, ownedMember); ok {
			var keys map[string]any
			if foreign.Field.JSON([]byte(content), &keys) == nil {
				k = ownedMember + jsonText(keys)
			}
		}
		out[k] = v
	}
	return out
}

// LastUpdate is who last updated the part of an object that a field is in: the whole spec of spec.replicas. An update writes an object
// back as its author knows it, so what is missing then was left out by it.
func LastUpdate(live evidence.Object, p Path) (Owner, bool) {
	if len(p) == 0 || p[0].Member {
		return Owner{}, false
	}
	for _, m := range managersOf(live) {
		if _, wrote := m.fields["f:"+p[0].Field]; wrote && m.Subresource == "" {
			return m.Owner, m.Operation == "Update" && !m.Time.IsZero()
		}
	}
	return Owner{}, false
}

// Owners are all who wrote to an object, the last first.
func Owners(live evidence.Object) []Owner {
	var out []Owner
	for _, m := range managersOf(live) {
		out = append(out, m.Owner)
	}
	return out
}
