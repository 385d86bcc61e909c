package outofsync

import (
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/drift"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
	"github.com/argo-why/argo-why/internal/evidence"
)

// ignoreEntry is the entry of ignoreDifferences for fields of a resource: by who wrote them where that is better, else by their paths.
func ignoreEntry(r *resource, fields []drift.Field) evidence.IgnoredDifference {
	manager := soleManager(fields)
	if manager == "" {
		return byPath(r, fields)
	}
	out := byPath(r, nil)
	out.ManagedFieldsManagers = []string{manager}
	return out
}

// byPath is the entry for these fields, each by its path.
func byPath(r *resource, fields []drift.Field) evidence.IgnoredDifference {
	out := evidence.IgnoredDifference{Group: r.Ref.Group, Kind: r.Ref.Kind, Name: r.Ref.Name, Namespace: r.Ref.Namespace}
	if statement.ClusterScoped(r.Ref.Kind) {
		out.Namespace = "" // Argo CD compares it with that of the object, which has none
	}
	add := func(list *[]string, expression string) {
		if !slices.Contains(*list, expression) {
			*list = append(*list, expression)
		}
	}
	for _, f := range fields {
		pointer, ok := f.Path.Pointer()
		switch {
		case ok:
			add(&out.JSONPointers, pointer)
		case f.InLive && !f.InDesired && f.Path.IsGenerated(): // the next one has another name
			add(&out.JQPathExpressions, f.Path.AnyJQ())
		default:
			add(&out.JQPathExpressions, f.Path.JQ())
		}
	}
	return out
}

// forAll makes an entry fit all Applications that an ApplicationSet generates: their resources are in other namespaces, and those that
// are named after one Application have other names.
func forAll(in *diagnose.In, e evidence.IgnoredDifference) evidence.IgnoredDifference {
	app := in.App().Metadata
	if app.ApplicationSet() == "" {
		return e
	}
	e.Namespace = ""
	if app.Name != app.ApplicationSet() && strings.Contains(e.Name, app.Name) {
		e.Name = ""
	}
	return e
}

// manyFields is how many fields are ignored by the manager that wrote them instead of one by one.
const manyFields = 4

// soleManager is the manager that wrote all fields, where an entry is better for what it writes: there are many fields, or one is at a
// place in a list that changes. Empty elsewhere, and for the names that many programs share.
func soleManager(fields []drift.Field) string {
	manager := writer(nil, &fields[0])
	moves := false
	for _, f := range fields {
		if o, _ := foreignWriter(&f); !f.InLive || !o.Exact || o.Manager != manager {
			return ""
		}
		moves = moves || f.Path.ByIndex()
	}
	if generic(manager) || !moves && len(fields) < manyFields {
		return ""
	}
	return manager
}
