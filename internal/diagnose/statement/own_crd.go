package statement

import (
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
)

// LateCRD is the CRD of a kind where it is a resource of the application that waits to be synced, and whether Git's version of it has a
// field that the live one lacks. The zero reference is none. The rule needs the managed resources.
func LateCRD(in *diagnose.In, ref evidence.Ref, field string) (crd evidence.Ref, adds bool) {
	for _, r := range in.App().Status.Resources {
		plural, group, _ := strings.Cut(r.Name, ".")
		if r.Kind == "CustomResourceDefinition" && group == ref.Group && r.Status == "OutOfSync" && strings.HasPrefix(plural, strings.ToLower(ref.Kind)) && ref.Kind != "" {
			crd = r.Ref()
		}
	}
	if crd.IsZero() {
		return crd, false
	}
	managed, _ := diagnose.Get(in, evidence.FactManaged)
	for _, d := range managed {
		if d.Ref().Same(crd) {
			key := `"` + field + `"`
			return crd, d.TargetState.Mentions(key) && !d.LiveState.WithoutNotes().Mentions(key)
		}
	}
	return crd, false
}
