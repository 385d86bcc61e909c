package outofsync

import (
	"slices"

	"github.com/argo-why/argo-why/internal/diagnose/drift"
)

// fieldLabel is a field in a title.
func fieldLabel(f drift.Field) string {
	if short := f.Path.Short(); len(short) <= titleField {
		return short
	}
	if label := memberLabel(f.Path); label != "" {
		return label
	}
	if label := f.Path.Tail(titleField); len(label) <= titleField {
		return label
	}
	return lastField(f.Path)
}

// memberLabel is a member of a list, or a field of it whose name alone says nothing: "env LOG_LEVEL",
// "matchExpressions[key=control-plane]"; "" for all other fields.
func memberLabel(p drift.Path) string {
	at := len(p) - 1
	switch {
	case p[at].Member:
	case at > 0 && p[at-1].Member && slices.Contains([]string{"value", "values", "name", "key"}, p[at].Field):
		at--
	default:
		return ""
	}
	if at == 0 {
		return ""
	}
	if name, ok := p[at].Keys["name"].(string); ok && p[at-1].Field == "env" {
		return "env " + name
	}
	if label := p[at-1:].String(); len(label) <= titleMember {
		return label
	}
	return "an entry of " + p[at-1].Field
}
