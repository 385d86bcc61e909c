package apply

import (
	"slices"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/drift"
	"github.com/argo-why/argo-why/internal/evidence"
)

// changedInSpec are the fields right below spec in which Git and the live object differ; none while that is not known. Of a
// StatefulSet the API server only says which fields may change, so nothing but the comparison has the one that did.
func changedInSpec(in *diagnose.In, ref evidence.Ref) []string {
	managed, _ := diagnose.Get(in, evidence.FactManaged)
	i := slices.IndexFunc(managed, func(d evidence.ResourceDiff) bool { return d.Ref().Same(ref) })
	if i < 0 {
		return nil
	}
	compared, err := drift.Compare(managed[i])
	if err != nil { // what cannot be compared is not known
		return nil
	}
	var out []string
	for _, f := range compared.Fields {
		if len(f.Path) > 1 && f.Path[0].Field == "spec" && !slices.Contains(out, f.Path[1].Field) {
			out = append(out, f.Path[1].Field)
		}
	}
	return out
}
