package hooks

import (
	"slices"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/pods"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/evidence/clean"
)

const waveAnnotation = "argocd.argoproj.io/sync-wave"

// restsOn are the resources of this application without which one of them does nothing, by what Git has: the volume of a claim, its storage
// class, the store of an ExternalSecret, the issuer of a Certificate. They have to come no later than it.
func restsOn(in *diagnose.In, ref evidence.Ref) []evidence.Ref {
	switch ref.Kind {
	case "PersistentVolumeClaim", "ExternalSecret", "Certificate", "RoleBinding", "ClusterRoleBinding":
	default:
		return nil
	}
	managed, ok := diagnose.Look(in, evidence.FactManaged)
	if !ok {
		return nil
	}
	index := evidence.IndexOf(managed)
	o := clean.Target(index.Find(ref))
	var out []evidence.Ref
	add := func(kind, namespace, name string) {
		if name == "" || kind == "" {
			return
		}
		if r := statement.OwnIn(in, kind, namespace, name); r != nil && !r.Ref().Same(ref) && !slices.Contains(out, r.Ref()) {
			out = append(out, r.Ref())
		}
	}
	switch ref.Kind {
	case "PersistentVolumeClaim":
		add("PersistentVolume", "", o.Text("spec", "volumeName"))
		add("StorageClass", "", o.Text("spec", "storageClassName"))
		for i := range in.App().Status.Resources { // a volume may be reserved for the claim instead
			r := in.App().Status.Resources[i].Ref()
			if claim := clean.Target(index.Find(r)); r.Kind == "PersistentVolume" && claim.Text("spec", "claimRef", "name") == ref.Name && claim.Text("spec", "claimRef", "namespace") == ref.Namespace {
				add(r.Kind, "", r.Name)
			}
		}
	case "ExternalSecret", "Certificate":
		refers := unhealthy.RefersTo(ref, o)
		add(refers.Kind, refers.Namespace, refers.Name)
	case "RoleBinding", "ClusterRoleBinding":
		add(o.Text("roleRef", "kind"), ref.Namespace, o.Text("roleRef", "name"))
	}
	return out
}

// missingSource is the application's own resource that should make a missing Secret and is not in the cluster; nil where there is none.
func (w wait) missingSource(kind, name string) *evidence.ResourceStatus {
	if kind != "Secret" {
		return nil
	}
	for _, source := range secretSources {
		if r := laterResource(w.in, source, w.ref.Namespace, name); r != nil && (r.Health == nil || r.Health.Status == "Missing") {
			return r
		}
	}
	return nil
}

// lacked is what the resource lacks by the words of Kubernetes, or what makes that, where this sync has not applied it; nil where that is not so.
func (w wait) lacked() *evidence.ResourceStatus {
	if w.seen == nil {
		return nil
	}
	kind, name, _, ok := pods.Missing(w.seen.Symptom.Text)
	if !ok || name == "" {
		return nil
	}
	if r := laterResource(w.in, kind, w.ref.Namespace, name); r != nil {
		return r
	}
	return w.missingSource(kind, name)
}

// isNewer reports whether a resource that the running sync did not apply comes only with the commit that Git was compared at since: an
// operation stays on its own, and applies all of a wave before it waits.
func (w wait) isNewer(r, own *evidence.ResourceStatus) bool {
	op := w.in.App().Status.OperationState
	if !op.Running() || r.Status != "OutOfSync" || own == nil || r.SyncWave > own.SyncWave || len(op.Results()) == 0 {
		return false
	}
	if op.Revision() == "" || op.Revision() == w.in.App().Status.Sync.At() {
		return false
	}
	return !slices.ContainsFunc(op.Results(), func(done evidence.ResourceResult) bool { return done.Ref().Same(r.Ref()) })
}
