package apply

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
	"github.com/argo-why/argo-why/internal/evidence"
)

var ImmutableField = &diagnose.Rule{
	ID: "apply/immutable-field",
	Doc: diagnose.Doc{
		Title:    "A field that cannot be changed has changed",
		What:     "Git changes a field that Kubernetes fixes when the object is created: a selector, a Job's template, a StatefulSet's volume claims, a Service's clusterIP, a roleRef, a StorageClass' provisioner. Every sync fails in the same way.",
		Decisive: "\"field is immutable\", \"updates to … are forbidden\", \"cannot change roleRef\".",
		Example:  "Deployment.apps \"web\" is invalid: spec.selector: Invalid value: …: field is immutable",
		Fix:      "Put the live value back into Git; or delete the object on purpose and sync, knowing what is lost.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/user-guide/sync-options/#replace-resource-instead-of-applying-changes"},
	},
	Sync:  advice.Pointless("the API server refuses the change again; only deleting the object gets past it"),
	Needs: statement.RefusalNeeds,
	Check: statement.Refused(func(_ *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		if s.Hook() || !statement.Immutable(&s.Failure) {
			return diagnose.Finding{}, false
		}
		ref := statement.Subject(s)
		v, _ := s.Failure.Invalid()
		if m := immutableField.FindStringSubmatch(s.Failure.Cause); m != nil { // of several fields the one that is immutable
			v.Field = m[1]
		}
		field := cmp.Or(v.Field, "a field")
		if s.Failure.Mentions("immutable is set", "`immutable` is set") {
			return immutableObjectFinding(ref, s), true
		}
		why := fmt.Sprintf("Git changes %s of %s, which Kubernetes fixes when the object is created.", field, statement.Name(s))
		if v.Field == "" || v.Field == "spec" { // the text says more precisely which
			why += " " + statement.Words(s)
		}
		return diagnose.Finding{
			Resource: ref, Confidence: diagnose.Certain,
			Title: fmt.Sprintf("%s: %s cannot be changed", statement.Name(s), field),
			Why:   why,
			Fix: []diagnose.Fix{
				{Text: "Put the live value back into Git; this prints it", Command: diagnose.Shell("kubectl %sget %s -o jsonpath='{.%s}'", advice.InNamespace(ref), ref.Resource(), cmp.Or(topField(v.Field), "spec"))},
				{Text: "Or delete the object and sync, which loses " + lossText(ref), Command: diagnose.Shell("kubectl %sdelete %s%s", advice.InNamespace(ref), ref.Resource(), orphanFlag(ref))},
			},
		}, true
	}),
}

var immutableField = regexp.MustCompile(`(?:, |\[)([a-z][A-Za-z]*(?:\.[A-Za-z]+)+): Invalid value: [^:]{0,80}: field is immutable`)

// immutableObjectFinding is a ConfigMap or Secret that says of itself that it is immutable.
func immutableObjectFinding(ref evidence.Ref, s *diagnose.Statement) diagnose.Finding {
	return diagnose.Finding{
		Resource: ref, Confidence: diagnose.Certain,
		Title: statement.Name(s) + " is marked immutable, and Git changes it",
		Why:   fmt.Sprintf("%s has immutable: true in the cluster, so that Kubernetes refuses any change of its data.", statement.Name(s)),
		Fix: []diagnose.Fix{
			{Text: "Give the changed object a new name (as Kustomize's generators do) and change what refers to it"},
			{Text: "Or delete it and sync; if something in the cluster generated its content, save that first", Command: diagnose.Shell("kubectl %sdelete %s", advice.InNamespace(ref), ref.Resource())},
		},
	}
}

// topField leaves out indexes, which jsonpath writes in another way.
func topField(field string) string {
	field, _, _ = strings.Cut(field, "[")
	return field
}

// lossText says what deleting an object of this kind costs.
func lossText(ref evidence.Ref) string {
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

func orphanFlag(ref evidence.Ref) diagnose.Raw {
	if ref.Kind == "StatefulSet" {
		return " --cascade=orphan"
	}
	return ""
}
