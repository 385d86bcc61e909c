package action

import (
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/evidence"
)

// Job is a live Job, as far as it matters whether it may be deleted.
type Job struct {
	Ref evidence.Ref `json:"ref"`
	UID string       `json:"uid"`
	// Hook is the value of its hook annotation ("PreSync"), "" if it has none. TrackedBy is the application that Argo CD's
	// tracking annotation or label names, "" if none.
	Hook      string `json:"hook,omitempty"`
	TrackedBy string `json:"trackedBy,omitempty"`
	// Active is the number of its pods that are not finished; Finished is its condition, Complete or Failed, "" while it has
	// none.
	Active   int    `json:"active,omitempty"`
	Finished string `json:"finished,omitempty"`
	// Deleting: its deletion was asked for already.
	Deleting bool `json:"deleting,omitempty"`
}

// JobOf reads from a live object what matters of a Job: nil when it is none. Whether the object came from the cluster or
// through Argo CD makes no difference.
func JobOf(o evidence.Object) *Job {
	ref := o.Ref()
	if ref.Group != "batch" || ref.Kind != "Job" {
		return nil
	}
	j := &Job{Ref: ref, UID: o.Text("metadata", "uid"), Hook: hookOf(o), TrackedBy: o.Tracker(), Deleting: o.Text("metadata", "deletionTimestamp") != ""}
	// Pods that are told to end still run until they have: https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/job-v1/#JobStatus
	for _, running := range []string{"active", "terminating"} {
		n, _ := o.Number("status", running)
		j.Active += int(n)
	}
	for _, end := range []string{"Complete", "Failed"} {
		if o.Condition(end).Text("status") == "True" {
			j.Finished = end
		}
	}
	return j
}

// BelongsTo reports whether Argo CD, which runs in namespace argo ("" where that is not known), takes the Job for the application's.
func (j *Job) BelongsTo(app App, argo string) bool {
	called := evidence.TrackedAs(app.Namespace, app.Name, argo)
	return called != "" && j.TrackedBy == called
}

// The phases that a hook can be for, and Helm's names of them: https://argo-cd.readthedocs.io/en/stable/user-guide/helm/#helm-hooks
var (
	hookPhases = []string{"PreSync", "Sync", "PostSync", "SyncFail"}
	helmPhases = map[string]string{"pre-install": "PreSync", "pre-upgrade": "PreSync", "post-install": "PostSync", "post-upgrade": "PostSync"}
)

// hookOf is for which phases Argo CD runs it as a hook: "PreSync", or several joined by ",". It reads Helm's annotation only
// where its own names no phase.
func hookOf(o evidence.Object) string {
	own := annotated(o, "argocd.argoproj.io/hook")
	phases := slices.DeleteFunc(slices.Clone(hookPhases), func(phase string) bool { return !slices.Contains(own, phase) })
	if len(phases) > 0 || slices.Contains(own, "Skip") {
		return strings.Join(phases, ",")
	}
	var helm []string
	for _, hook := range annotated(o, "helm.sh/hook") {
		helm = append(helm, helmPhases[hook])
	}
	phases = slices.DeleteFunc(slices.Clone(hookPhases), func(phase string) bool { return !slices.Contains(helm, phase) })
	return strings.Join(phases, ",")
}

// annotated are the values of an annotation that is a list.
func annotated(o evidence.Object, key string) []string {
	values := strings.Split(o.Annotation(key), ",")
	for i := range values {
		values[i] = strings.TrimSpace(values[i])
	}
	return values
}
