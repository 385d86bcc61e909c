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
		if candidate = strings.TrimRight(candidate, ".,"); candidate != "" && !isSelf(in.App(), candidate) {
			return ref, candidate
		}
	}
	return ref, ""
}

// isSelf reports whether a name of Argo CD's is that of the application: "pay", "team-a/pay", or "team-a_pay" as resources are marked. A bare name
// is that of an application in Argo CD's own namespace, where another one may have the same.
func isSelf(app *evidence.Application, named string) bool {
	own := app.Metadata
	namespace, name, qualified := strings.Cut(strings.Replace(named, "_", "/", 1), "/")
	if qualified {
		return name == own.Name && (own.Namespace == "" || namespace == own.Namespace)
	}
	return named == own.Name && (!strings.Contains(app.Argument(), "/") || app.Status.ControllerNamespace == own.Namespace)
}
