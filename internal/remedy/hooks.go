package remedy

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/argo-why/argo-why/internal/evidence"
)

// The annotations that make a hook of a resource, and say when it runs.
// https://argo-cd.readthedocs.io/en/stable/user-guide/resource_hooks/
// https://argo-cd.readthedocs.io/en/stable/user-guide/helm/#helm-hooks
const (
	annotationHook       = "argocd.argoproj.io/hook"
	annotationWave       = "argocd.argoproj.io/sync-wave"
	annotationHelmHook   = "helm.sh/hook"
	annotationHelmWeight = "helm.sh/hook-weight"
)

// phases are those of a sync, in their order.
var phases = []string{"PreSync", "Sync", "PostSync", "SyncFail"}

// otherHooks are Argo CD's further hook types: Skip is a resource that is not applied, PostDelete runs after deletion.
var otherHooks = []string{"Skip", "PostDelete"}

// helmPhases are the hooks of Helm that Argo CD runs. It knows the others as hooks, too, and never runs them.
var helmPhases = map[string]string{"pre-install": "PreSync", "pre-upgrade": "PreSync", "post-install": "PostSync", "post-upgrade": "PostSync"}

// hooksOf are the hooks that a sync of these manifests runs, in the order in which it runs them. One with several phases is
// in the list for each.
func hooksOf(manifests []evidence.Object) []Hook {
	var out []Hook
	for _, o := range manifests {
		ref := o.Ref()
		if ref.Name == "" {
			ref.Name = o.Text("metadata", "generateName") + "*" // Argo CD makes the rest up when it runs it
		}
		for _, phase := range phasesOf(o.Annotation(annotationHook), o.Annotation(annotationHelmHook)) {
			out = append(out, Hook{Ref: ref, Phase: phase, Wave: waveOf(o)})
		}
	}
	slices.SortFunc(out, func(a, b Hook) int {
		return cmp.Or(
			cmp.Compare(slices.Index(phases, a.Phase), slices.Index(phases, b.Phase)),
			cmp.Compare(a.Wave, b.Wave), cmp.Compare(a.Ref.Name, b.Ref.Name), compareRefs(a.Ref, b.Ref),
		)
	})
	return out
}

// phasesOf are the phases in which a resource with these annotations runs as a hook, in their order. Those of Helm count
// only where Argo CD's own says nothing.
func phasesOf(argo, helm string) []string {
	types := values(argo)
	if slices.Equal(types, []string{"Skip"}) {
		return nil
	}
	known := slices.DeleteFunc(types, func(t string) bool { return !slices.Contains(phases, t) && !slices.Contains(otherHooks, t) })
	if len(known) == 0 {
		for _, t := range values(helm) {
			known = append(known, helmPhases[t])
		}
	}
	return slices.DeleteFunc(slices.Clone(phases), func(phase string) bool { return !slices.Contains(known, phase) })
}

// isHook reports whether the value of a hook annotation, Argo CD's or Helm's, makes a hook.
func isHook(value string) bool {
	return slices.ContainsFunc(values(value), func(t string) bool { return t != "Skip" && t != "crd-install" })
}

// hookWords are the phases of a hook annotation's value, or that value where it has none.
func hookWords(value string) string {
	return cmp.Or(strings.Join(phasesOf(value, value), ", "), value)
}

// waveOf is the sync wave; Helm's weight counts where there is no number for it.
func waveOf(o evidence.Object) int {
	for _, annotation := range []string{annotationWave, annotationHelmWeight} {
		if n, err := strconv.Atoi(o.Annotation(annotation)); err == nil {
			return n
		}
	}
	return 0
}

// values are the parts of a list with commas, each once.
func values(list string) []string {
	var out []string
	for v := range strings.SplitSeq(list, ",") {
		if v = strings.TrimSpace(v); v != "" && !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	return out
}

func compareRefs(a, b evidence.Ref) int {
	return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Group, b.Group))
}
