package rules

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/evidence"
)

var applyImmutableField = &diagnose.Rule{
	ID: "apply/immutable-field",
	Doc: diagnose.Doc{
		Title:    "A field that cannot be changed has changed",
		What:     "Git changes a field that Kubernetes fixes when the object is created: a selector, a Job's template, a StatefulSet's volume claims, a Service's clusterIP, a roleRef, a StorageClass' provisioner. Every sync fails in the same way.",
		Decisive: "\"field is immutable\", \"updates to … are forbidden\", \"cannot change roleRef\".",
		Example:  "Deployment.apps \"web\" is invalid: spec.selector: Invalid value: …: field is immutable",
		Fix:      "Put the live value back into Git; or delete the object on purpose and sync, knowing what is lost.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/user-guide/sync-options/#replace-resource-instead-of-applying-changes"},
	},
	Sync:  pointless("the API server refuses the change again; only deleting the object gets past it"),
	Needs: refusalNeeds,
	Check: refused(func(_ *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		if s.Hook() || !immutable(&s.Failure) {
			return diagnose.Finding{}, false
		}
		ref := subject(s)
		v, _ := s.Failure.Invalid()
		if m := immutableField.FindStringSubmatch(s.Failure.Cause); m != nil { // of several fields the one that is immutable
			v.Field = m[1]
		}
		field := cmp.Or(v.Field, "a field")
		if s.Failure.Mentions("immutable is set", "`immutable` is set") {
			return frozen(ref, s), true
		}
		why := fmt.Sprintf("Git changes %s of %s, which Kubernetes fixes when the object is created.", field, called(s))
		if v.Field == "" || v.Field == "spec" { // the text says more precisely which
			why += " " + words(s)
		}
		return diagnose.Finding{
			Resource: ref, Confidence: diagnose.Certain,
			Title: fmt.Sprintf("%s: %s cannot be changed", called(s), field),
			Why:   why,
			Fix: []diagnose.Fix{
				{Text: "Put the live value back into Git; this prints it", Command: diagnose.Shell("kubectl %sget %s -o jsonpath='{.%s}'", inNamespace(ref), ref.Resource(), cmp.Or(topField(v.Field), "spec"))},
				{Text: "Or delete the object and sync, which loses " + lostBy(ref), Command: diagnose.Shell("kubectl %sdelete %s%s", inNamespace(ref), ref.Resource(), orphan(ref))},
			},
		}, true
	}),
}

var immutableField = regexp.MustCompile(`(?:, |\[)([a-z][A-Za-z]*(?:\.[A-Za-z]+)+): Invalid value: [^:]{0,80}: field is immutable`)

// frozen is a ConfigMap or Secret that says of itself that it is immutable.
func frozen(ref evidence.Ref, s *diagnose.Statement) diagnose.Finding {
	return diagnose.Finding{
		Resource: ref, Confidence: diagnose.Certain,
		Title: called(s) + " is marked immutable, and Git changes it",
		Why:   fmt.Sprintf("%s has immutable: true in the cluster, so that Kubernetes refuses any change of its data.", called(s)),
		Fix: []diagnose.Fix{
			{Text: "Give the changed object a new name (as Kustomize's generators do) and change what refers to it"},
			{Text: "Or delete it and sync; if something in the cluster generated its content, save that first", Command: diagnose.Shell("kubectl %sdelete %s", inNamespace(ref), ref.Resource())},
		},
	}
}

func immutable(f *message.Failure) bool {
	return f.Has("field is immutable", "is immutable", "immutable field", "are immutable", "cannot change roleref", "updates to statefulset spec", "may not be changed", "cannot be changed", "can't be changed", "can not be changed",
		"may not change once set", "cannot be updated", "cannot be modified", "not be changed after", "can not be unset", "may not be unset", "forbidden: updates to", "pod updates may not change", "immutable after creation", "can only be set at creation", "cannot be removed once") &&
		!f.Has("denied the request")
}

// topField leaves out indexes, which jsonpath writes in another way.
func topField(field string) string {
	field, _, _ = strings.Cut(field, "[")
	return field
}

// lostBy says what deleting an object of this kind costs.
func lostBy(ref evidence.Ref) string {
	switch ref.Kind {
	case "Deployment", "DaemonSet", "ReplicaSet":
		return "its pods: the workload is down until new ones are ready"
	case "StatefulSet":
		return "no data as long as its volume claims stay; with --cascade=orphan not even its pods"
	case "Service":
		return "its cluster IP and load balancer address"
	case "Job":
		return "the record of its run: it runs again"
	case "PersistentVolumeClaim", "PersistentVolume":
		return "THE DATA on the volume, unless its reclaim policy is Retain"
	case "StorageClass":
		return "nothing that exists: volumes keep what they have"
	case "RoleBinding", "ClusterRoleBinding":
		return "the rights it grants until it is there again"
	case "CustomResourceDefinition":
		return "ALL OBJECTS of that kind"
	case "Namespace":
		return "EVERYTHING in the namespace"
	case "Secret", "ConfigMap":
		return "nothing but its content, which Git has; pods see the new one after a restart"
	}
	return "its state in the cluster"
}

func orphan(ref evidence.Ref) diagnose.Raw {
	if ref.Kind == "StatefulSet" {
		return " --cascade=orphan"
	}
	return ""
}
