package statement

import (
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
)

// OwnResource finds a resource of the application by the lower-case kind that messages use ("secret", "serviceaccount")
// and its name, where the text does not say in which namespace; nil when the application has none.
func OwnResource(in *diagnose.In, kind, name string) *evidence.ResourceStatus {
	return ownWhere(in, kind, name, func(string) bool { return true })
}

// OwnIn is the same for one namespace: what has that kind and name in another one is another object. An empty namespace is one that
// is not known, or that the kind does not have.
func OwnIn(in *diagnose.In, kind, namespace, name string) *evidence.ResourceStatus {
	return ownWhere(in, kind, name, func(its string) bool { return its == namespace || its == "" || namespace == "" })
}

// OwnElsewhere is a resource of that kind and name that the application has in another namespace only.
func OwnElsewhere(in *diagnose.In, kind, namespace, name string) *evidence.ResourceStatus {
	if name == "" || OwnIn(in, kind, namespace, name) != nil {
		return nil
	}
	return OwnResource(in, kind, name)
}

func ownWhere(in *diagnose.In, kind, name string, isIn func(namespace string) bool) *evidence.ResourceStatus {
	for i := range in.App().Status.Resources {
		r := &in.App().Status.Resources[i]
		if r.Name == name && (strings.EqualFold(r.Kind, strings.TrimSuffix(kind, "s")) || strings.EqualFold(r.Kind, kind)) && isIn(r.Namespace) {
			return r
		}
	}
	return nil
}

// InWrongNamespace says that the application has what is missing in another namespace, and what to do about it.
func InWrongNamespace(r *evidence.ResourceStatus, namespace string) (why string, fix diagnose.Fix) {
	return fmt.Sprintf("This application has a %s of that name only in namespace %s.", r.Kind, r.Namespace), diagnose.Fix{
		Text:  fmt.Sprintf("In Git, give %s the namespace of the pods that use it; if both namespaces need it, add a second one", r.Ref()),
		Patch: fmt.Sprintf("# on %s\nmetadata:\n  namespace: %s\n", r.Ref(), namespace),
	}
}
