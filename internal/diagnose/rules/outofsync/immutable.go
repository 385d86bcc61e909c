package outofsync

import (
	"fmt"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/drift"
)

// changeableOfStatefulSet are the fields of its spec that the API server lets change.
var changeableOfStatefulSet = []string{"replicas", "ordinals", "template", "updateStrategy", "persistentVolumeClaimRetentionPolicy", "minReadySeconds", "revisionHistoryLimit"}

// isRefused reports whether the API server refuses to change the field to what Git has: then a sync fails.
func isRefused(r *resource, f *drift.Field) bool {
	if len(f.Path) < 2 || f.Path[0].Field != "spec" && r.Ref.Kind != "StorageClass" && r.Ref.Kind != "ConfigMap" && r.Ref.Kind != "Secret" {
		return false
	}
	top := f.Path[1].Field
	switch r.Ref.Group + "/" + r.Ref.Kind {
	case "apps/StatefulSet":
		return !slices.Contains(changeableOfStatefulSet, top)
	case "apps/Deployment", "apps/DaemonSet", "apps/ReplicaSet":
		return top == "selector"
	case "batch/Job":
		return top == "template" || top == "selector" || top == "completionMode"
	case "/PersistentVolumeClaim":
		return top != "resources" && top != "volumeAttributesClassName" || shrinks(f)
	case "/ConfigMap", "/Secret":
		immutable, _ := r.Live.At("immutable").(bool)
		return immutable && f.Path.Under("data")
	}
	return false
}

// shrinks reports whether Git asks for less storage than there is.
func shrinks(f *drift.Field) bool { return f.Path.Last() == "storage" && drift.Less(f.Desired, f.Live) }

// refused is the first resource and field whose change the API server refuses, unless the resource is recreated.
func (g *explained) refused() (*resource, drift.Field, bool) {
	for _, r := range g.resources {
		if strings.Contains(r.Target.Annotation("argocd.argoproj.io/sync-options"), "Force=true") || g.in.App().HasSyncOption("Force=true") {
			continue
		}
		for _, f := range g.fieldsOf(r) {
			if isRefused(r, &f) {
				return r, f, true
			}
		}
	}
	return nil, drift.Field{}, false
}

// withRefusal says of a finding about a change that the API server refuses that a sync fails.
func (g *explained) withRefusal(f diagnose.Finding) diagnose.Finding {
	r, field, ok := g.refused()
	if !ok || f.Sync.Verdict == diagnose.SyncPointless || f.Sync.Verdict == "" && g.rule.Sync.Verdict == diagnose.SyncPointless {
		return f
	}
	if r.Ref.Kind == "PersistentVolumeClaim" && shrinks(&field) {
		f.Sync = advice.Pointless("the API server will refuse to make a claim smaller")
		f.Why += " A claim cannot be made smaller."
	} else {
		f.Sync = advice.Pointless(fmt.Sprintf("the API server will refuse to change %s of an existing %s", fieldLabel(field), r.Ref.Kind))
		f.Why += fmt.Sprintf(" In an existing %s, the field is immutable.", r.Ref.Kind)
	}
	f.Fix = slices.DeleteFunc(f.Fix, func(s diagnose.Fix) bool { return strings.Contains(s.Command, "argocd app s") })
	if g.rule.ID == g.picture.ruleFor(byCommit) {
		f.Title = fmt.Sprintf("%s: Git changes %s, which is immutable", g.subject(), fieldLabel(field))
		f.Fix = append(f.Fix, g.commit("Restore the live value"), recreate(r))
	}
	return f
}

// recreate is the step that deletes a resource, so that the next sync creates it as Git has it.
func recreate(r *resource) diagnose.Fix {
	fix := diagnose.Fix{
		Text:    fmt.Sprintf("Or recreate %s on purpose: delete it, then sync", r.Ref),
		Command: diagnose.Shell("kubectl %sdelete %s", advice.InNamespace(r.Ref), r.Ref.Resource()),
	}
	switch {
	case r.Ref.Kind == "StatefulSet":
		fix.Text = fmt.Sprintf("Or recreate %s on purpose, which keeps its pods and claims: delete it, then sync", r.Ref)
		fix.Command += " --cascade=orphan"
	case r.Ref.HoldsData():
		fix.Text = fmt.Sprintf("Or recreate %s on purpose, which loses its data: delete it, then sync", r.Ref)
	}
	return fix
}
