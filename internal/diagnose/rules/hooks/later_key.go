package hooks

import (
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pods"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/evidence/clean"
)

// newKey is the key of a ConfigMap or Secret that a line names, that Git's version of it has and the live one has not; empty where there
// is none, or where the two were not read.
func newKey(in *diagnose.In, ref evidence.Ref, line string) string {
	if ref.Kind != "ConfigMap" && ref.Kind != "Secret" {
		return ""
	}
	managed, _ := diagnose.Look(in, evidence.FactManaged)
	for i := range managed {
		if d := &managed[i]; d.Ref().Same(ref) {
			live := keysOf(d.LiveState)
			for _, key := range keysOf(d.TargetState) {
				if !slices.Contains(live, key) && namesKey(line, key) {
					return key
				}
			}
		}
	}
	return ""
}

// keysOf are the keys of a ConfigMap or Secret, in order.
func keysOf(state evidence.State) []string {
	o := clean.State(state)
	var out []string
	for _, field := range []string{"data", "stringData", "binaryData"} {
		values, _ := o.At(field).(map[string]any)
		for key := range values {
			out = append(out, key)
		}
	}
	slices.Sort(out)
	return out
}

// namesKey reports whether a line has the key as a word of its own. A short one may be anything.
func namesKey(line, key string) bool {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_"
	if len(key) < 3 {
		return false
	}
	for rest := line; ; {
		before, after, ok := strings.Cut(rest, key)
		if !ok {
			return false
		}
		if (before == "" || !strings.Contains(letters, before[len(before)-1:])) && (after == "" || !strings.Contains(letters, after[:1])) {
			return true
		}
		rest = after
	}
}

// references are the Secrets and ConfigMaps that the pod refers to, read from the pod, or else from the template of its resource.
func (w wait) references() []evidence.Ref {
	if refs := pods.References(w.seen.Object); len(refs) > 0 {
		return refs
	}
	managed, _ := diagnose.Look(w.in, evidence.FactManaged)
	for i := range managed {
		if d := &managed[i]; d.Ref().Same(w.ref) {
			template, _ := clean.State(d.LiveState).At("spec", "template").(map[string]any)
			return pods.References(evidence.Object(template))
		}
	}
	return nil
}

// laterKey is what a crashing pod of a wave lacks by the words of its log, and the later wave's object that Git has it in; nil where that
// is not so.
func (w wait) laterKey() (*evidence.ResourceStatus, string) {
	if w.seen == nil || w.seen.Pod == nil {
		return nil, ""
	}
	own := w.in.Resource(w.ref)
	line, names := message.Telling(w.seen.Log.Text)
	if own == nil || !names {
		return nil, ""
	}
	for _, ref := range w.references() {
		r := laterResource(w.in, ref.Kind, w.ref.Namespace, ref.Name)
		if r == nil || r.SyncWave <= own.SyncWave {
			continue
		}
		if key := newKey(w.in, r.Ref(), line); key != "" {
			return r, key
		}
	}
	return nil, ""
}
