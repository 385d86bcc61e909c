package diagnose

import (
	"slices"

	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

// aboutPrivate says of a failure that no rule knows that it is one of resources which the reader may not see, where all are: their errors are not
// there to be recognised.
func aboutPrivate(f *Finding, open []Statement) {
	failed := 0
	for _, s := range open {
		if !evidence.HasPrivate(s.Resource.Name) {
			return
		}
		failed += 1 + len(s.others)
	}
	if failed == 0 {
		return
	}
	f.Title = text.Count(failed, "private resource", "private resources") + " failed to sync"
	f.Why = "The names and errors are not shown here: not everyone who reads this has access to them."
	f.Sync.Why = "the error is not shown here"
	f.Fix = append([]Fix{{Text: "Ask someone who has access"}}, f.Fix...)
}

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
