package evidence

import "slices"

// Outside is a kind of object that is read in the cluster itself, because an application can depend on one that is not part of it
// and that Argo CD does not show. A rule declares the kinds that it may ask for, and the roles in deploy/rbac are made of that: a kind
// that is not in [AllOutside] is never asked for, whatever the account may read.
type Outside struct {
	Group, Kind string
	// Resource is the kind in the paths of the API and in roles.
	Resource string
	// ClusterScoped: objects of the kind have no namespace.
	ClusterScoped bool
	// All: those of a namespace are listed. Otherwise one is read by its name.
	All bool
	// Only is the name of the one object of the kind that is read; empty for any.
	Only string
	// Optional: the right to read it gives more than is used of it, so it is only granted by those who want to.
	Optional bool
	// Named: the right is only granted in namespaces that are named, never in all of a cluster: such objects may have more in them than
	// is used of them.
	Named bool
	// Unknown is what a report does not say without it, to continue "reports do not say".
	Unknown string
}

// Verb is what is done to objects of the kind.
func (o Outside) Verb() string {
	if o.All {
		return "list"
	}
	return "get"
}

// The kinds that are read outside of an application.
var (
	OutsideHPA          = Outside{Group: "autoscaling", Kind: "HorizontalPodAutoscaler", Resource: "horizontalpodautoscalers", All: true, Unknown: "which HorizontalPodAutoscaler outside the application sets replicas that differ from Git"}
	OutsideScaledObject = Outside{Group: "keda.sh", Kind: "ScaledObject", Resource: "scaledobjects", All: true, Unknown: "which ScaledObject of KEDA outside the application sets replicas that differ from Git"}
	OutsideVPA          = Outside{Group: "autoscaling.k8s.io", Kind: "VerticalPodAutoscaler", Resource: "verticalpodautoscalers", All: true, Unknown: "which VerticalPodAutoscaler outside the application sets resource requests that differ from Git"}
	OutsideEvent        = Outside{Kind: "Event", Resource: "events", All: true, Unknown: "what happened to objects that Argo CD does not show, such as the deleted pod of a hook, an issuer or a secret store"}
	OutsideJob          = Outside{Group: "batch", Kind: "Job", Resource: "jobs", Unknown: "whether a hook Job that Argo CD does not show still exists, and what holds it"}
	// What charts make hooks of. Only what holds such an object in deletion is looked at.
	OutsideServiceAccount = Outside{Kind: "ServiceAccount", Resource: "serviceaccounts", Unknown: "which finalizer holds a ServiceAccount that is an old hook"}
	OutsideRole           = Outside{Group: "rbac.authorization.k8s.io", Kind: "Role", Resource: "roles", Unknown: "which finalizer holds a Role that is an old hook"}
	OutsideRoleBinding    = Outside{Group: "rbac.authorization.k8s.io", Kind: "RoleBinding", Resource: "rolebindings", Unknown: "which finalizer holds a RoleBinding that is an old hook"}

	OutsideConfigMap = Outside{Kind: "ConfigMap", Resource: "configmaps", Named: true, Unknown: "which keys a ConfigMap outside the application has, when a pod asks for one that it lacks"}
	// OutsideSecret is optional because the API has no right to the keys alone: who can read them can read the values. The bot drops
	// those before it keeps, records or shows anything.
	OutsideSecret = Outside{Kind: "Secret", Resource: "secrets", Optional: true, Unknown: "which keys a Secret outside the application has, when a pod asks for one that it lacks"}

	OutsideIssuer             = Outside{Group: "cert-manager.io", Kind: "Issuer", Resource: "issuers", Unknown: "why the Issuer of a Certificate does not work"}
	OutsideClusterIssuer      = Outside{Group: "cert-manager.io", Kind: "ClusterIssuer", Resource: "clusterissuers", ClusterScoped: true, Unknown: "why the ClusterIssuer of a Certificate does not work"}
	OutsideSecretStore        = Outside{Group: "external-secrets.io", Kind: "SecretStore", Resource: "secretstores", Unknown: "why the SecretStore of an ExternalSecret does not work"}
	OutsideClusterSecretStore = Outside{Group: "external-secrets.io", Kind: "ClusterSecretStore", Resource: "clustersecretstores", ClusterScoped: true, Unknown: "why the ClusterSecretStore of an ExternalSecret does not work"}
	OutsideNode               = Outside{Kind: "Node", Resource: "nodes", ClusterScoped: true, All: true, Unknown: "which label, taint or cordon keeps a pod off each node"}
	OutsideVolume             = Outside{Kind: "PersistentVolume", Resource: "persistentvolumes", ClusterScoped: true, All: true, Unknown: "what keeps a claim from each volume: class, size, access mode, labels, or another claim that has it"}
	// OutsideArgoBinding is the binding that Argo CD's own manifests give its controller.
	OutsideArgoBinding = Outside{
		Group: "rbac.authorization.k8s.io", Kind: "ClusterRoleBinding", Resource: "clusterrolebindings", ClusterScoped: true, Only: "argocd-application-controller",
		Unknown: "that Argo CD lacks its rights because its ClusterRoleBinding names another namespace",
	}
)

// OutsideAutoscalers are the kinds that [Cluster.Autoscalers] lists.
var OutsideAutoscalers = []Outside{OutsideHPA, OutsideScaledObject, OutsideVPA}

// AllOutside are all of them, in the order of roles and pages.
var AllOutside = slices.Concat(OutsideAutoscalers, []Outside{
	OutsideEvent, OutsideConfigMap, OutsideJob, OutsideServiceAccount, OutsideRole, OutsideRoleBinding,
	OutsideIssuer, OutsideClusterIssuer, OutsideSecretStore, OutsideClusterSecretStore, OutsideNode, OutsideVolume, OutsideArgoBinding, OutsideSecret,
})

// OutsideOf is the declaration that an object falls under; ok is false for one that is never asked of the cluster.
func OutsideOf(r Ref) (o Outside, ok bool) {
	i := slices.IndexFunc(AllOutside, func(o Outside) bool {
		return o.Kind == r.Kind && o.Group == r.Group && !o.All && (o.Only == "" || o.Only == r.Name)
	})
	if i < 0 {
		return Outside{}, false
	}
	return AllOutside[i], true
}
