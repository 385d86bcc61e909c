package evidence

import "slices"

// builtIn are the API groups of Kubernetes itself, the core group among them.
var builtIn = []string{
	"", "apps", "batch", "autoscaling", "policy", "networking.k8s.io", "rbac.authorization.k8s.io", "storage.k8s.io", "scheduling.k8s.io", "apiextensions.k8s.io", "admissionregistration.k8s.io",
	"coordination.k8s.io", "discovery.k8s.io", "node.k8s.io", "events.k8s.io", "certificates.k8s.io", "apiregistration.k8s.io", "flowcontrol.apiserver.k8s.io", "resource.k8s.io", "extensions",
}

// BuiltIn reports whether an API group is one of Kubernetes itself and not one of a CRD or an aggregated API.
func BuiltIn(group string) bool { return slices.Contains(builtIn, group) }
