package statement

import (
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/evidence"
)

var partOf = pattern.MustCompile(`([A-Z][A-Za-z0-9]*)/([A-Za-z0-9.:_\-]+) is part of (?:applications (\S+) and (\S+)|a different application: (\S+))`)

// SharedBy reads the object and the other application out of the warning; the kind's group comes from the application's own list.
func SharedBy(in *diagnose.In, text string) (ref evidence.Ref, other string) {
	m := partOf.FindStringSubmatch(text)
	if m == nil {
		return ref, ""
	}
	ref = evidence.Ref{Kind: m[1], Name: m[2]}
	if res := in.Resource(ref); res != nil {
		ref = res.Ref()
	}
	for _, candidate := range m[3:] {
		if candidate = strings.TrimRight(candidate, ".,"); candidate != "" && !strings.HasSuffix("/"+candidate, "/"+in.App().Metadata.Name) {
			return ref, candidate
		}
	}
	return ref, ""
}
