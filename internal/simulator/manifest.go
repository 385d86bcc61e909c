package simulator

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	applicationpkg "github.com/argoproj/argo-cd/v2/pkg/apiclient/application"
	"github.com/argoproj/argo-cd/v2/pkg/apis/application/v1alpha1"
	"github.com/argoproj/gitops-engine/pkg/health"

	"github.com/argo-why/argo-why/internal/evidence"
)

// absent is how Argo CD writes a state that there is none of.
const absent = "null"

const lastApplied = "kubectl.kubernetes.io/last-applied-configuration"

// fill makes up what Argo CD has of each application that it could compare and the case lacks: the managed resources, as
// small as can be, equal on both sides where the status says so.
func (d *document) fill() {
	status := &d.Application.Status
	compared := status.Sync.Status == v1alpha1.SyncStatusCodeSynced || status.Sync.Status == v1alpha1.SyncStatusCodeOutOfSync
	if !d.whole || !compared || len(renderErrors(d.Application)) > 0 {
		return
	}
	var items []*v1alpha1.ResourceDiff
	if d.Managed != nil {
		items = slices.Clone(d.Managed.Items)
	}
	for i := range status.Resources {
		r := &status.Resources[i]
		if !r.Hook && !slices.ContainsFunc(items, func(m *v1alpha1.ResourceDiff) bool { return refOfDiff(m) == refOfStatus(r) }) {
			items = append(items, d.madeUp(r))
		}
	}
	d.Managed = &applicationpkg.ManagedResourcesResponse{Items: items}
}

func refOfDiff(r *v1alpha1.ResourceDiff) evidence.Ref {
	return evidence.Ref{Group: r.Group, Kind: r.Kind, Namespace: r.Namespace, Name: r.Name}
}

// madeUp is a managed resource of which only the status is known.
func (d *document) madeUp(r *v1alpha1.ResourceStatus) *v1alpha1.ResourceDiff {
	out := &v1alpha1.ResourceDiff{Group: r.Group, Kind: r.Kind, Namespace: r.Namespace, Name: r.Name, TargetState: absent}
	revision := revisionOf(&d.Application.Status.Sync)
	live := d.recordedLive(refOfStatus(r))
	target := wanted(live)
	if target == nil {
		deployed := revision
		if r.Status == v1alpha1.SyncStatusCodeOutOfSync && !isMissing(r) {
			deployed = d.earlier(d.name())
		}
		target, live = d.smallest(r, deployed), nil
	}
	if live == nil && !isMissing(r) {
		live = applied(target)
	}
	out.LiveState, out.NormalizedLiveState, out.PredictedLiveState = text(live), text(live), text(live)
	if r.RequiresPruning {
		out.PredictedLiveState, out.Modified = absent, true
		return out
	}
	out.TargetState = text(target)
	switch {
	case isMissing(r):
		out.LiveState, out.NormalizedLiveState, out.PredictedLiveState, out.Modified = absent, absent, out.TargetState, true
	case r.Status == v1alpha1.SyncStatusCodeOutOfSync:
		differ(out, revision)
	}
	return out
}

func isMissing(r *v1alpha1.ResourceStatus) bool {
	return r.Health != nil && r.Health.Status == health.HealthStatusMissing
}

// recordedLive is a live object that the case holds by value; nil without one.
func (d *document) recordedLive(ref evidence.Ref) map[string]any {
	for _, raw := range d.Resources {
		if o, err := evidence.DecodeObject(raw); err == nil && o.Ref() == ref {
			return object(string(raw))
		}
	}
	return nil
}

func object(text string) map[string]any {
	var out map[string]any
	if json.Unmarshal([]byte(text), &out) != nil {
		return nil
	}
	return out
}

func text(o map[string]any) string {
	if o == nil {
		return absent
	}
	out, err := json.Marshal(o)
	if err != nil {
		return absent
	}
	return string(out)
}

// wanted is what Git had when the live object was applied; nil where the object does not tell.
func wanted(live map[string]any) map[string]any {
	was, _ := inside(live, "metadata", "annotations")[lastApplied].(string)
	return object(was)
}

// smallest is an object that the API server would take, with a field that a person could change.
func (d *document) smallest(r *v1alpha1.ResourceStatus, revision string) map[string]any {
	version := r.Version
	if r.Group != "" {
		version = r.Group + "/" + r.Version
	}
	metadata := map[string]any{"name": r.Name, "labels": map[string]any{"app.kubernetes.io/instance": d.Application.Name}}
	if r.Namespace != "" {
		metadata["namespace"] = r.Namespace
	}
	out := map[string]any{"apiVersion": version, "kind": r.Kind, "metadata": metadata}
	labels := map[string]any{"app": r.Name}
	switch r.Kind {
	case "Deployment", "StatefulSet", "Rollout":
		out["spec"] = map[string]any{
			"replicas": 2.0, "selector": map[string]any{"matchLabels": labels},
			"template": map[string]any{
				"metadata": map[string]any{"labels": labels},
				"spec": map[string]any{"containers": []any{
					map[string]any{"name": r.Name, "image": fmt.Sprintf("registry.example.com/%s:%s", r.Name, tag(revision))},
				}},
			},
		}
	case "Service":
		out["spec"] = map[string]any{"selector": labels, "ports": []any{map[string]any{"name": "http", "port": 80.0}}}
	case "ConfigMap":
		out["data"] = map[string]any{"LOG_LEVEL": "info"}
	}
	return out
}

// applied is the object as the API server has it once Argo CD has applied it.
func applied(target map[string]any) map[string]any {
	live := object(text(target))
	metadata := inside(live, "metadata")
	metadata["annotations"] = map[string]any{lastApplied: text(target)}
	metadata["generation"] = 1.0
	written := map[string]any{}
	for key, value := range target {
		if key != "apiVersion" && key != "kind" && key != "metadata" {
			written["f:"+key] = fieldsOf(value)
		}
	}
	metadata["managedFields"] = []any{map[string]any{
		"apiVersion": target["apiVersion"], "fieldsType": "FieldsV1", "fieldsV1": written, "manager": "argocd-controller", "operation": "Update",
	}}
	return live
}

// fieldsOf are the fields of an object as the API server notes who wrote them.
func fieldsOf(value any) map[string]any {
	out := map[string]any{}
	switch v := value.(type) {
	case map[string]any:
		for key, each := range v {
			out["f:"+key] = fieldsOf(each)
		}
	case []any:
		for _, each := range v {
			member, _ := each.(map[string]any)
			name, named := member["name"].(string)
			if !named {
				return map[string]any{}
			}
			fields := fieldsOf(member)
			fields["."] = map[string]any{}
			out[fmt.Sprintf("k:{%q:%q}", "name", name)] = fields
		}
	}
	return out
}

// hooks are the manifests of those that the last sync ran and whose objects the case holds.
func (a *application) hooks() []string {
	recorded := a.git.ran.result
	if recorded == nil {
		return nil
	}
	var out []string
	for _, t := range tasks(recorded.Application.Status.OperationState) {
		live := recorded.recordedLive(t.Ref())
		if t.HookType == "" || live == nil {
			continue
		}
		was := inside(live, "metadata")
		metadata := map[string]any{"name": was["name"], "namespace": was["namespace"], "annotations": was["annotations"], "labels": was["labels"]}
		out = append(out, a.manifest(text(map[string]any{"apiVersion": live["apiVersion"], "kind": live["kind"], "metadata": metadata, "spec": live["spec"]})))
	}
	return out
}

// tag is that of the images that were built of a commit.
func tag(revision string) string { return revision[:min(7, len(revision))] }

// release makes an object the one of another commit: of a workload the image, of anything else the version.
func release(o map[string]any, revision string) {
	containers, _ := inside(o, "spec", "template", "spec")["containers"].([]any)
	for _, c := range containers {
		container, _ := c.(map[string]any)
		if image, _ := container["image"].(string); image != "" {
			container["image"] = repositoryOf(image) + ":" + tag(revision)
			return
		}
	}
	metadata := inside(o, "metadata")
	if metadata == nil {
		return
	}
	labels := maps.Clone(inside(metadata, "labels"))
	if labels == nil {
		labels = map[string]any{}
	}
	labels["app.kubernetes.io/version"] = tag(revision)
	metadata["labels"] = labels
}

// differ makes Git want the object of another commit.
func differ(r *v1alpha1.ResourceDiff, revision string) {
	target, live := object(r.TargetState), object(r.NormalizedLiveState)
	if target == nil {
		return
	}
	release(target, revision)
	if live == nil {
		r.PredictedLiveState = text(target)
	} else {
		release(live, revision)
		r.PredictedLiveState = text(live)
	}
	r.TargetState, r.Modified = text(target), true
}
