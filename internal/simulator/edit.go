package simulator

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	applicationpkg "github.com/argoproj/argo-cd/v2/pkg/apiclient/application"
	"github.com/argoproj/argo-cd/v2/pkg/apis/application/v1alpha1"

	"github.com/argo-why/argo-why/internal/evidence"
)

// Edit is a change that somebody made in the cluster and not in Git.
type Edit struct {
	Object   evidence.Ref
	Field    string // "spec.replicas"
	From, To string
	Manager  string // the field manager that the API server notes: "kubectl-edit"
}

func (e Edit) String() string {
	return fmt.Sprintf("%s %s: %s %s → %s", e.Object.Kind, e.Object.Name, e.Field, e.From, e.To)
}

// Edit changes a managed object of an application by hand, with kubectl: the replicas of a workload, else the image of one,
// else a value of a ConfigMap, whichever Git sets. The application is out of sync until a sync reverts it. It fails where the
// case holds no such object in sync.
func (s *Server) Edit(name Name) (Edit, error) {
	done, found := Edit{}, false
	err := s.change(name, func(app *application) { done, found = app.edit(s.now()) })
	if err == nil && !found {
		err = fmt.Errorf("simulated Argo CD: application %s has no synced workload or ConfigMap to edit", name)
	}
	return done, err
}

func (a *application) edit(now time.Time) (Edit, bool) {
	if a.Managed == nil {
		return Edit{}, false
	}
	autoscaled := a.node(func(n v1alpha1.ResourceNode) bool { return n.Kind == "HorizontalPodAutoscaler" }) != nil
	for _, way := range []func(*handEdit) bool{(*handEdit).scale, (*handEdit).image, (*handEdit).value} {
		for i, r := range a.Managed.Items {
			h := &handEdit{at: now.UTC().Truncate(time.Second), autoscaled: autoscaled}
			h.Object = evidence.Ref{Group: r.Group, Kind: r.Kind, Namespace: r.Namespace, Name: r.Name}
			if r.NormalizedLiveState != r.PredictedLiveState || !h.read(r) || !way(h) {
				continue
			}
			a.edited(i, h)
			return h.Edit, true
		}
	}
	return Edit{}, false
}

// edited puts the object in place of what was live.
func (a *application) edited(at int, h *handEdit) {
	live, err := json.Marshal(h.live)
	if err != nil {
		return // it was read from JSON
	}
	h.undo() // what a sync would make of it
	predicted, err := json.Marshal(h.live)
	if err != nil {
		return
	}
	diff := *a.Managed.Items[at]
	diff.LiveState, diff.NormalizedLiveState, diff.PredictedLiveState, diff.Modified = string(live), string(live), string(predicted), true
	items := slices.Clone(a.Managed.Items)
	items[at] = &diff
	a.Managed = &applicationpkg.ManagedResourcesResponse{Items: items}
	a.replace(h.Object, live)
	status := &a.Application.Status
	status.Sync.Status = v1alpha1.SyncStatusCodeOutOfSync
	for i := range status.Resources {
		if refOfStatus(&status.Resources[i]) == h.Object {
			status.Resources[i].Status = v1alpha1.SyncStatusCodeOutOfSync
		}
	}
}

// handEdit is one object and what kubectl changes of it.
type handEdit struct {
	Edit
	at           time.Time
	autoscaled   bool // what scales it is not a person
	target, live map[string]any
	undo         func() // sets the field back
}

func (h *handEdit) read(r *v1alpha1.ResourceDiff) bool {
	return json.Unmarshal([]byte(r.TargetState), &h.target) == nil && json.Unmarshal([]byte(r.NormalizedLiveState), &h.live) == nil &&
		h.target != nil && h.live != nil
}

func inside(object map[string]any, path ...string) map[string]any {
	for _, key := range path {
		object, _ = object[key].(map[string]any)
	}
	return object
}

func (h *handEdit) isWorkload() bool {
	return h.Object.Kind == "Deployment" || h.Object.Kind == "StatefulSet"
}

// scale is `kubectl scale`. The pods come at once.
func (h *handEdit) scale() bool {
	spec := inside(h.live, "spec")
	was, set := spec["replicas"].(float64)
	if _, inGit := inside(h.target, "spec")["replicas"]; !h.isWorkload() || h.autoscaled || !set || !inGit {
		return false
	}
	is := was + 3
	spec["replicas"] = is
	h.undo = func() { spec["replicas"] = was }
	for _, count := range []string{"replicas", "readyReplicas", "availableReplicas", "updatedReplicas", "currentReplicas"} {
		if status := inside(h.live, "status"); status[count] == was {
			status[count] = is
		}
	}
	h.wrote("kubectl", "scale", "spec.replicas", was, is, "f:spec", "f:replicas")
	return true
}

// image is `kubectl set image`.
func (h *handEdit) image() bool {
	if !h.isWorkload() {
		return false
	}
	containers, _ := inside(h.live, "spec", "template", "spec")["containers"].([]any)
	for _, c := range containers {
		container, _ := c.(map[string]any)
		was, _ := container["image"].(string)
		name, _ := container["name"].(string)
		if was == "" || name == "" {
			continue
		}
		is := repositoryOf(was) + ":hotfix"
		container["image"] = is
		h.undo = func() { container["image"] = was }
		key := fmt.Sprintf("k:{%q:%q}", "name", name)
		h.wrote("kubectl-set", "", "containers["+name+"].image", was, is, "f:spec", "f:template", "f:spec", "f:containers", key, "f:image")
		return true
	}
	return false
}

// repositoryOf is an image without its tag and digest.
func repositoryOf(image string) string {
	repository, _, _ := strings.Cut(image, "@")
	if at := strings.LastIndex(repository, ":"); at > strings.LastIndex(repository, "/") {
		return repository[:at]
	}
	return repository
}

// value is `kubectl edit configmap`.
func (h *handEdit) value() bool {
	data, wanted := inside(h.live, "data"), inside(h.target, "data")
	if h.Object.Kind != "ConfigMap" {
		return false
	}
	for _, key := range slices.Sorted(maps.Keys(wanted)) {
		was, _ := data[key].(string)
		if was == "" || strings.Contains(was, "\n") {
			continue
		}
		is := changedValue(was)
		data[key] = is
		h.undo = func() { data[key] = was }
		h.wrote("kubectl-edit", "", "data."+key, was, is, "f:data", "f:"+key)
		return true
	}
	return false
}

// changedValue is one that somebody might set for a night.
func changedValue(was string) string {
	opposites := map[string]string{"true": "false", "false": "true", "on": "off", "off": "on", "info": "debug"}
	if is, ok := opposites[was]; ok {
		return is
	}
	var n int
	if _, err := fmt.Sscanf(was, "%d", &n); err == nil && fmt.Sprint(n) == was {
		return fmt.Sprint(n * 10)
	}
	return was + "-test"
}

// wrote notes who wrote the field, as the API server does: nobody else owns it from then on.
func (h *handEdit) wrote(manager, subresource, field string, from, to any, path ...string) {
	h.Manager, h.Field, h.From, h.To = manager, field, fmt.Sprint(from), fmt.Sprint(to)
	metadata := inside(h.live, "metadata")
	if metadata == nil {
		return
	}
	if generation, ok := metadata["generation"].(float64); ok {
		metadata["generation"] = generation + 1
		if status := inside(h.live, "status"); status["observedGeneration"] == generation {
			status["observedGeneration"] = generation + 1
		}
	}
	entries, _ := metadata["managedFields"].([]any)
	for _, e := range entries {
		entry, _ := e.(map[string]any)
		delete(inside(entry, append([]string{"fieldsV1"}, path[:len(path)-1]...)...), path[len(path)-1])
	}
	var fields any = map[string]any{}
	for _, key := range slices.Backward(path) {
		fields = map[string]any{key: fields}
	}
	entry := map[string]any{
		"apiVersion": h.live["apiVersion"], "fieldsType": "FieldsV1", "fieldsV1": fields, "manager": manager, "operation": "Update",
		"time": h.at.Format(time.RFC3339),
	}
	if subresource != "" {
		entry["subresource"] = subresource
	}
	metadata["managedFields"] = append(entries, entry)
}
