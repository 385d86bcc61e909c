package statement

import (
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
)

// RefusedCRD is the CRD of a kind where the same sync failed on it: that the kind is unknown follows from that. Without a kind, it is any
// CRD of the API group. The zero reference is none.
func RefusedCRD(in *diagnose.In, kind, group string) evidence.Ref {
	if group == "" {
		return evidence.Ref{}
	}
	for _, r := range in.App().CurrentOperation().Results() {
		plural, of, _ := strings.Cut(r.Name, ".")
		if r.Kind == "CustomResourceDefinition" && r.Failed() && of == group && (kind == "" || isPlural(plural, strings.ToLower(kind))) {
			return r.Ref()
		}
	}
	return evidence.Ref{}
}

// isPlural reports whether a word is the regular plural of another, or the same.
func isPlural(plural, word string) bool {
	rest, ok := strings.CutPrefix(plural, strings.TrimSuffix(word, "y"))
	return ok && (plural == word || rest == "s" || rest == "es" || rest == "ies" || rest == "ys")
}
