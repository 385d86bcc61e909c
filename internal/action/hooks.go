package action

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/argo-why/argo-why/internal/evidence"
)

// hooksOf are the hooks that a sync of these manifests runs, in the order in which it runs them. One with several phases is
// in the list for each.
func hooksOf(manifests []evidence.Object) []Hook {
	var out []Hook
	for _, o := range manifests {
		ref := o.Ref()
		if ref.Name == "" {
			ref.Name = o.Text("metadata", "generateName") + "*" // Argo CD makes the rest up when it runs it
		}
		for phase := range strings.SplitSeq(hookOf(o), ",") {
			if phase != "" {
				out = append(out, Hook{Ref: ref, Phase: phase, Wave: waveOf(o)})
			}
		}
	}
	slices.SortFunc(out, func(a, b Hook) int {
		return cmp.Or(
			cmp.Compare(slices.Index(hookPhases, a.Phase), slices.Index(hookPhases, b.Phase)),
			cmp.Compare(a.Wave, b.Wave), cmp.Compare(a.Ref.Name, b.Ref.Name), compareRefs(a.Ref, b.Ref),
		)
	})
	return out
}

// waveOf is the sync wave; Helm's weight counts where there is no number for it.
// https://argo-cd.readthedocs.io/en/stable/user-guide/helm/#helm-hooks
func waveOf(o evidence.Object) int {
	for _, annotation := range []string{"argocd.argoproj.io/sync-wave", "helm.sh/hook-weight"} {
		if n, err := strconv.Atoi(o.Annotation(annotation)); err == nil {
			return n
		}
	}
	return 0
}

func compareRefs(a, b evidence.Ref) int {
	return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Group, b.Group))
}
