package evidence

import (
	"cmp"
	"strings"
)

// Tracker is the application that Argo CD takes the object for, as Argo CD calls it. What has an owner is that one's, and a
// mark that was copied along with the rest of another object is no mark: https://github.com/argoproj/argo-cd/issues/8683
func (o Object) Tracker() string {
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
func trackedBy(id string, o Object) string {
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

// TrackedAs is how Argo CD calls an application in its marks: by its name where that is in Argo CD's own namespace (argo, the usual one if that is not
// known; the status says it as well, but is written by whoever may write the application), else by "namespace_name".
func TrackedAs(namespace, name, argo string) string {
	if namespace == "" || namespace == cmp.Or(argo, "argocd") {
		return name
	}
	return namespace + "_" + name
}
