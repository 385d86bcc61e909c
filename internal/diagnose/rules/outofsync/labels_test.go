package outofsync

import (
	"testing"

	"github.com/argo-why/argo-why/internal/diagnose/drift"
)

func TestLabelOfAListMemberSaysWhichOne(t *testing.T) {
	field := func(name string) drift.Segment { return drift.Segment{Field: name} }
	member := func(key string, value any) drift.Segment {
		return drift.Segment{Member: true, Keys: map[string]any{key: value}}
	}
	for want, path := range map[string]drift.Path{
		"env LOG_FORMAT":               {field("containers"), member("name", "api"), field("env"), member("name", "LOG_FORMAT"), field("value")},
		"env CACHE":                    {field("containers"), member("name", "api"), field("env"), member("name", "CACHE")},
		"volumes[name=scratch]":        {field("spec"), field("template"), field("metadata"), field("volumes"), member("name", "scratch")},
		"an entry of matchExpressions": {field("webhooks"), member("name", "hook.example.com"), field("matchExpressions"), member("key", "kubernetes.io/metadata.name")},
		"image":                        {field("spec"), field("template"), field("spec"), field("initContainers"), member("name", "migrate"), field("image")},
	} {
		if got := fieldLabel(drift.Field{Path: path}); got != want {
			t.Errorf("fieldLabel(%s) = %q, want %q", path, got, want)
		}
	}
}
