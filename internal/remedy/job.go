package remedy

import (
	"strings"

	"github.com/argo-why/argo-why/internal/evidence"
)

// JobOf reads from a live object what matters of a Job: nil when it is none. Whether the object came from the cluster or
// through Argo CD makes no difference.
func JobOf(o evidence.Object) *Job {
	ref := o.Ref()
	if ref.Group != "batch" || ref.Kind != "Job" {
		return nil
	}
	hook := strings.Join(phasesOf(o.Annotation(annotationHook), o.Annotation(annotationHelmHook)), ",")
	j := &Job{Ref: ref, UID: o.Text("metadata", "uid"), Hook: hook, TrackedBy: trackerOf(o), Deleting: o.Text("metadata", "deletionTimestamp") != ""}
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

// BelongsTo reports whether Argo CD takes the Job for the application's. Argo CD calls an application by its name where it is
// in Argo CD's own namespace (controllerNamespace, "" where that is not known), else by "namespace_name".
func (j *Job) BelongsTo(app App, controllerNamespace string) bool {
	if controllerNamespace == "" {
		controllerNamespace = "argocd"
	}
	called := app.Name
	if app.Namespace != "" && app.Namespace != controllerNamespace {
		called = app.Namespace + "_" + app.Name
	}
	return called != "" && j.TrackedBy == called
}

// trackerOf is the application that Argo CD takes the object for, as Argo CD calls it. What has an owner is that one's, and a
// mark that was copied along with the rest of another object is no mark: https://github.com/argoproj/argo-cd/issues/8683
func trackerOf(o evidence.Object) string {
	if len(o.List("metadata", "ownerReferences")) > 0 {
		return ""
	}
	if id := o.Annotation("argocd.argoproj.io/tracking-id"); id != "" {
		return trackedBy(id, o)
	}
	// Which label counts is a setting of Argo CD. Who gave Argo CD one of its own did so because charts set the other one.
	for _, label := range []string{"argocd.argoproj.io/instance", "app.kubernetes.io/instance"} {
		if app := o.Text("metadata", "labels", label); app != "" {
			return app
		}
	}
	return ""
}

// trackedBy reads a tracking ID, "APP:GROUP/KIND:NAMESPACE/NAME", which has to name the object itself. A hook that has its
// name of Argo CD (generateName) is marked before it has one.
func trackedBy(id string, o evidence.Object) string {
	ref := o.Ref()
	app, named, _ := strings.Cut(id, ":")
	of := ref.Group + "/" + ref.Kind + ":" + ref.Namespace + "/"
	prefix := o.Text("metadata", "generateName")
	switch {
	case named == of+ref.Name:
		return app
	case named == of && prefix != "" && strings.HasPrefix(ref.Name, prefix):
		return app
	}
	return ""
}
