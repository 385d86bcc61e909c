package outofsync

import (
	"slices"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
)

// checkExtras is a check of what exists and is not in Git: what Argo CD applied once, or what something else made.
func checkExtras(in *diagnose.In, generated bool, report func(in *diagnose.In, list []*resource) diagnose.Finding) diagnose.Outcome {
	d := look(in)
	if d == nil {
		return diagnose.Nothing
	}
	var list []*resource
	for _, r := range d.extra {
		if isGenerated(r) == generated {
			list = append(list, r)
		}
	}
	switch {
	case len(d.extra) > 0 && !d.compared && generated:
		return diagnose.Unknown
	case len(list) == 0:
		return diagnose.Nothing
	}
	// What contains data is named first, whatever its place in the application.
	slices.SortStableFunc(list, func(a, b *resource) int { return rankData(a.Ref) - rankData(b.Ref) })
	f := report(in, list)
	f.Resource, f.Others = refs(list)
	return diagnose.Found(f)
}

func rankData(r evidence.Ref) int {
	if r.HoldsData() {
		return 0
	}
	return 1
}

// isGenerated: Argo CD never applied it. Something copied the tracking mark onto an object of its own, perhaps with the last applied
// configuration of what it copied, which therefore proves nothing.
func isGenerated(r *resource) bool {
	owners := r.owners()
	return r.Live != nil && len(owners) > 0 && !slices.ContainsFunc(owners, isArgo)
}
