package apply

import (
	"fmt"
	"maps"
	"slices"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/evidence/clean"
)

// unquoted are the values of a manifest in Git that are a number or a boolean where Kubernetes takes text: of labels, annotations and
// variables. Each with its place: "env ENABLE_CACHE of container web is true". None while the manifest is not known.
func unquoted(in *diagnose.In, ref evidence.Ref) []string {
	managed, _ := diagnose.Get(in, evidence.FactManaged)
	i := slices.IndexFunc(managed, func(d evidence.ResourceDiff) bool { return d.Ref().Same(ref) })
	if i < 0 {
		return nil
	}
	o := clean.State(managed[i].TargetState)
	out := append(unquotedIn(o, "label", "metadata", "labels"), unquotedIn(o, "annotation", "metadata", "annotations")...)
	out = append(out, unquotedIn(o, "label of the pod", "spec", "template", "metadata", "labels")...)
	out = append(out, unquotedIn(o, "annotation of the pod", "spec", "template", "metadata", "annotations")...)
	out = append(out, unquotedIn(o, "nodeSelector", "spec", "template", "spec", "nodeSelector")...)
	for _, list := range []string{"initContainers", "containers"} {
		for _, c := range o.List("spec", "template", "spec", list) {
			for _, e := range c.List("env") {
				if v := e.At("value"); v != nil && !isText(v) {
					out = append(out, fmt.Sprintf("env %s of container %s is %v", e.Text("name"), c.Text("name"), v))
				}
			}
		}
	}
	return out
}

// unquotedIn are those of one map.
func unquotedIn(o evidence.Object, what string, path ...string) []string {
	values, _ := o.At(path...).(map[string]any)
	var out []string
	for _, key := range slices.Sorted(maps.Keys(values)) {
		if v := values[key]; v != nil && !isText(v) {
			out = append(out, fmt.Sprintf("%s %s is %v", what, key, v))
		}
	}
	return out
}

func isText(v any) bool {
	_, ok := v.(string)
	return ok
}
