package apply

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
)

// removal is a version of a kind of Kubernetes' own that it no longer serves.
type removal struct {
	kind, old, since string
	// now is the version that replaces it; empty where nothing does.
	now string
}

// removals are the versions that Kubernetes removed, by version and kind.
// https://kubernetes.io/docs/reference/using-api/deprecation-guide/
var removals = func() map[[2]string]removal {
	out := map[[2]string]removal{}
	for _, r := range []struct{ since, old, now, kinds string }{
		{"1.16", "extensions/v1beta1", "apps/v1", "DaemonSet Deployment ReplicaSet"},
		{"1.16", "extensions/v1beta1", "networking.k8s.io/v1", "NetworkPolicy"},
		{"1.16", "apps/v1beta1", "apps/v1", "Deployment StatefulSet"},
		{"1.16", "apps/v1beta2", "apps/v1", "DaemonSet Deployment ReplicaSet StatefulSet"},
		{"1.21", "batch/v2alpha1", "batch/v1", "CronJob"},
		{"1.22", "extensions/v1beta1", "networking.k8s.io/v1", "Ingress"},
		{"1.22", "networking.k8s.io/v1beta1", "networking.k8s.io/v1", "Ingress IngressClass"},
		{"1.22", "admissionregistration.k8s.io/v1beta1", "admissionregistration.k8s.io/v1", "MutatingWebhookConfiguration ValidatingWebhookConfiguration"},
		{"1.22", "apiextensions.k8s.io/v1beta1", "apiextensions.k8s.io/v1", "CustomResourceDefinition"},
		{"1.22", "apiregistration.k8s.io/v1beta1", "apiregistration.k8s.io/v1", "APIService"},
		{"1.22", "certificates.k8s.io/v1beta1", "certificates.k8s.io/v1", "CertificateSigningRequest"},
		{"1.22", "coordination.k8s.io/v1beta1", "coordination.k8s.io/v1", "Lease"},
		{"1.22", "rbac.authorization.k8s.io/v1beta1", "rbac.authorization.k8s.io/v1", "ClusterRole ClusterRoleBinding Role RoleBinding"},
		{"1.22", "scheduling.k8s.io/v1beta1", "scheduling.k8s.io/v1", "PriorityClass"},
		{"1.22", "storage.k8s.io/v1beta1", "storage.k8s.io/v1", "CSIDriver CSINode StorageClass VolumeAttachment"},
		{"1.25", "batch/v1beta1", "batch/v1", "CronJob"},
		{"1.25", "discovery.k8s.io/v1beta1", "discovery.k8s.io/v1", "EndpointSlice"},
		{"1.25", "autoscaling/v2beta1", "autoscaling/v2", "HorizontalPodAutoscaler"},
		{"1.25", "policy/v1beta1", "policy/v1", "PodDisruptionBudget"},
		{"1.25", "policy/v1beta1", "", "PodSecurityPolicy"},
		{"1.25", "extensions/v1beta1", "", "PodSecurityPolicy"},
		{"1.25", "node.k8s.io/v1beta1", "node.k8s.io/v1", "RuntimeClass"},
		{"1.26", "autoscaling/v2beta2", "autoscaling/v2", "HorizontalPodAutoscaler"},
		{"1.26", "flowcontrol.apiserver.k8s.io/v1beta1", "flowcontrol.apiserver.k8s.io/v1", "FlowSchema PriorityLevelConfiguration"},
		{"1.27", "storage.k8s.io/v1beta1", "storage.k8s.io/v1", "CSIStorageCapacity"},
		{"1.29", "flowcontrol.apiserver.k8s.io/v1beta2", "flowcontrol.apiserver.k8s.io/v1", "FlowSchema PriorityLevelConfiguration"},
		{"1.32", "flowcontrol.apiserver.k8s.io/v1beta3", "flowcontrol.apiserver.k8s.io/v1", "FlowSchema PriorityLevelConfiguration"},
	} {
		for _, kind := range strings.Fields(r.kinds) {
			out[[2]string{r.old, kind}] = removal{kind: kind, old: r.old, since: r.since, now: r.now}
		}
	}
	return out
}()

// removalOf is the removal that a refusal is about. A text that names no version is about that of the manifest.
func removalOf(in *diagnose.In, s *diagnose.Statement) (removal, bool) {
	k := unknownKindOf(s)
	kind, group, version := k.kind, k.group, k.version
	if version == "" && !s.Resource.IsZero() {
		kind, group = s.Resource.Kind, s.Resource.Group
		if s.Result != nil {
			version = s.Result.Version
		} else if r := in.Resource(s.Resource); r != nil {
			version = r.Version
		}
	}
	r, ok := removals[[2]string{group + "/" + version, kind}]
	return r, ok
}

// removedAPIs completes the finding about a version that Kubernetes itself removed: there is no CRD to install. It says the same for all of
// them in the application, as one change of the manifests repairs them.
func removedAPIs(in *diagnose.In, own removal, out *diagnose.Finding) {
	all := []removal{own}
	said := in.Statements()
	for i := range said {
		s := said[i]
		if !statement.IsRefusal(&s) || !isUnknownKind(&s.Failure) {
			continue
		}
		s.Resource = statement.Resolve(in, statement.Subject(&s))
		if r, ok := removalOf(in, &s); ok && (r.now == "") == (own.now == "") && !slices.Contains(all, r) {
			all = append(all, r)
		}
	}
	slices.SortFunc(all, func(a, b removal) int { return cmp.Or(cmp.Compare(a.old, b.old), cmp.Compare(a.kind, b.kind)) })
	var gone, since, now []string
	command := apiResources(group(all[0].old))
	for _, r := range all {
		gone = append(gone, r.kind+" "+r.old)
		if !slices.Contains(since, r.since) {
			since = append(since, r.since)
		}
		version := r.now
		if len(all) > 1 {
			version = fmt.Sprintf("%s for %s", r.now, r.kind)
		}
		now = append(now, version)
		if r.now != "" && group(r.now) != group(all[0].now) || len(all) > 1 && group(r.old) != group(all[0].old) {
			command = "kubectl api-versions"
		} else if r.now != "" {
			command = apiResources(group(r.now))
		}
	}
	out.Sync = advice.Pointless("the cluster will refuse the version again")
	if own.now == "" {
		out.Sync = advice.Pointless("the cluster will refuse the kind again")
		out.Why = "Kubernetes removed PodSecurityPolicy in 1.25 without another version of it."
		out.Fix = []diagnose.Fix{{Text: "Remove the PodSecurityPolicy from Git, then push; Pod Security admission replaces it (labels on the Namespace)"}}
		if chart := advice.Chart(in); chart != "" {
			out.Fix[0].Text = fmt.Sprintf("Use a version of chart %s that has no PodSecurityPolicy, or turn it off in its values; Pod Security admission replaces it (labels on the Namespace)", chart)
		}
		return
	}
	out.Why = fmt.Sprintf("Kubernetes removed %s in %s.", list(gone), list(since))
	out.Fix = []diagnose.Fix{
		{Text: newerVersion(in, list(now))},
		{Text: "List the versions that the cluster serves", Command: command},
	}
}

// group is that of an apiVersion.
func group(version string) string {
	before, _, ok := strings.Cut(version, "/")
	if !ok {
		return ""
	}
	return before
}

// removedTitle is what is wrong with a resource in a removed version.
func removedTitle(s *diagnose.Statement, r removal) string {
	wrong := "Kubernetes removed its API version"
	if r.now == "" {
		wrong = "Kubernetes removed this kind"
	}
	if s.Resource.IsZero() {
		return fmt.Sprintf("Kubernetes removed %s %s", r.kind, r.old)
	}
	return of(statement.Name(s), wrong)
}
