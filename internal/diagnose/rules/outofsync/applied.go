package outofsync

import (
	"reflect"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/drift"
	"github.com/argo-why/argo-why/internal/evidence"
)

// isCustomKind reports whether a kind is one of a CustomResourceDefinition, whose schema drops what it does not know.
func isCustomKind(ref evidence.Ref) bool {
	return strings.Contains(ref.Group, ".") && !strings.HasSuffix(ref.Group, ".k8s.io")
}

// serverSideApplied reports whether Argo CD applied the resource server-side, which leaves no copy of what it applied.
func serverSideApplied(r *resource) bool {
	return slices.ContainsFunc(r.owners(), func(o drift.Owner) bool { return isArgo(o) && o.Operation == "Apply" })
}

// appliedLast reports whether the last sync applied the resource.
func appliedLast(in *diagnose.In, ref evidence.Ref) bool {
	applied, _ := diagnose.Once(in, "applied last", func() (map[evidence.Ref]bool, bool) {
		out := map[evidence.Ref]bool{}
		for _, t := range in.App().Status.OperationState.Results() {
			if t.Status == evidence.ResultSynced {
				out[t.Ref()] = true
			}
		}
		return out, true
	})
	return applied[ref]
}

// triedLast reports whether the last sync has come to a resource, whatever became of it.
func triedLast(in *diagnose.In, ref evidence.Ref) bool {
	tried, _ := diagnose.Once(in, "tried last", func() (map[evidence.Ref]bool, bool) {
		out := map[evidence.Ref]bool{}
		for _, t := range in.App().Status.OperationState.Results() {
			out[t.Ref()] = true
		}
		return out, true
	})
	return tried[ref]
}

// isRenderedDifferently: what Git has is not what was applied last, and nobody else wrote to it.
func isRenderedDifferently(r *resource, f *drift.Field) bool {
	_, strange := foreignWriter(f)
	_, clientSide := r.Live.At("metadata", "annotations", drift.LastApplied).(string)
	switch {
	case strange, isUnknown(f):
		return false
	case isSecret(r.Ref): // what was applied is masked
		return f.InLive && f.InDesired
	case f.WasApplied:
		return !reflect.DeepEqual(f.Applied, f.Desired) && !(drift.Empty(f.Applied) && drift.Empty(f.Desired))
	case clientSide:
		return f.InDesired && !drift.Empty(f.Desired)
	case !serverSideApplied(r):
		return false
	case f.InDesired:
		return !drift.Empty(f.Desired) && (f.InLive || !isCustomKind(r.Ref))
	}
	// Argo CD owns what it applied: Git had the field then.
	return slices.ContainsFunc(f.Owners, func(o drift.Owner) bool { return isArgo(o) && o.Operation == "Apply" && o.Exact })
}

// sourceChanged reports whether the Application's own values, parameters or images are others than those synced last: then the same
// revision renders to something else.
func sourceChanged(in *diagnose.In) bool {
	spec, op := in.App().Spec, in.App().Status.OperationState
	if op == nil || op.SyncResult == nil {
		return false
	}
	then := op.SyncResult.Sources
	if s := op.SyncResult.Source; s != nil && spec.Source != nil {
		return changed(*s, *spec.Source)
	}
	for i := range min(len(then), len(spec.Sources)) {
		if changed(then[i], spec.Sources[i]) {
			return true
		}
	}
	return false
}

// changed reports whether two sources set different things.
func changed(a, b evidence.ApplicationSource) bool {
	return !sameSettings(a.Helm, b.Helm) || !sameSettings(a.Kustomize, b.Kustomize)
}

// sameSettings compares settings of which none and empty ones are the same.
func sameSettings[T any](a, b *T) bool {
	var x, y T
	if a != nil {
		x = *a
	}
	if b != nil {
		y = *b
	}
	return reflect.DeepEqual(x, y)
}

// gitMoved reports whether something else is rendered than what was synced last: another revision, or the same one with other settings.
func gitMoved(in *diagnose.In) bool {
	if sourceChanged(in) {
		return true
	}
	st := in.App().Status
	if st.OperationState != nil {
		return in.App().MovedOn()
	}
	last := in.App().LastDeployment()
	return last == nil || last.At() != st.Sync.At()
}

func selfHeals(in *diagnose.In) bool {
	return in.App().AutoSync() && in.App().Spec.SyncPolicy.Automated.SelfHeal
}
