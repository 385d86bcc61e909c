package diagnose

import (
	"slices"

	"github.com/argo-why/argo-why/internal/evidence"
)

// DropPrivate removes the commands and manifests that are about an application which the reader may not see: they would have what stands
// for its name. A step that had nothing else goes.
func (r *Report) DropPrivate() {
	for i := range r.Findings {
		f := &r.Findings[i]
		f.Fix = slices.DeleteFunc(slices.Clone(f.Fix), func(s Fix) bool {
			return s.Text == "" && (evidence.HasPrivate(s.Command) || evidence.HasPrivate(s.Patch))
		})
		for n := range f.Fix {
			s := &f.Fix[n]
			if evidence.HasPrivate(s.Command) {
				s.Command = ""
			}
			if evidence.HasPrivate(s.Patch) {
				s.Patch = ""
			}
		}
	}
	r.Actions = slices.DeleteFunc(slices.Clone(r.Actions), func(a Action) bool { return evidence.HasPrivate(a.Target.Name) })
}
