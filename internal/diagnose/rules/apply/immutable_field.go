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
		Title:    "Change to an immutable field",
		What:     "Git changes a field that Kubernetes does not allow to change after creation: a selector, a Job's template, a StatefulSet's volume claims, a Service's clusterIP, a roleRef, a StorageClass's provisioner. Every sync fails in the same way.",
		Decisive: "\"field is immutable\", \"updates to … are forbidden\", \"cannot change roleRef\".",
		Example:  "Deployment.apps \"web\" is invalid: spec.selector: Invalid value: …: field is immutable",
		Fix:      "Restore the live value in Git; or delete the resource and sync, if you can accept what is lost with it.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/user-guide/sync-options/#replace-resource-instead-of-applying-changes"},
	},
	Sync:  advice.Pointless("the API server will refuse the change again unless the resource is deleted first"),
	Needs: statement.RefusalNeeds,
	Check: statement.Refused(func(_ *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		if s.Hook() || !statement.Immutable(&s.Failure) {
			return diagnose.Finding{}, false
		}
		ref := statement.Subject(s)
		if s.Failure.Mentions("immutable is set", "`immutable` is set") {
			return immutableObjectFinding(ref, s), true
		}
		v, _ := s.Failure.Invalid()
		if m := immutableField.FindStringSubmatch(s.Failure.Cause); m != nil { // the immutable one of several fields
			v.Field = m[1]
		}
		f := diagnose.Finding{
			Resource: ref, Confidence: diagnose.Certain,
			Title: of(statement.Name(s), v.Field+" is immutable"),
			Why:   fmt.Sprintf("Git has a different %s than the live %s, and Kubernetes does not allow this field to change after creation.", v.Field, cmp.Or(ref.Kind, "resource")),
			Fix: []diagnose.Fix{
				{Text: "Restore the live value in Git and push; this prints it", Command: diagnose.Shell("kubectl %sget %s -o jsonpath='{.%s}'", advice.InNamespace(ref), ref.Resource(), cmp.Or(topField(v.Field), "spec"))},
				{Text: deletionText(ref), Command: diagnose.Shell("kubectl %sdelete %s%s", advice.InNamespace(ref), ref.Resource(), orphanFlag(ref))},
			},
		}
		if v.Field == "" || v.Field == "spec" { // the text says more precisely which
			f.Title = of(statement.Name(s), "Git changes an immutable field")
			f.Why = "Kubernetes lets only some fields of this kind change after creation."
			f.Fix[0].Text = "Restore the live value of the field in Git and push; this prints the live spec"
			f.Says = statement.Says(s)
			f.Says.Text = after(f.Says.Text, "spec: Forbidden: ")
		}
		return f, true
	}),
}

var immutableField = regexp.MustCompile(`(?:, |\[)([a-z][A-Za-z]*(?:\.[A-Za-z]+)+): Invalid value: [^:]{0,80}: field is immutable`)

// immutableObjectFinding is the finding about a ConfigMap or Secret that is marked immutable.
func immutableObjectFinding(ref evidence.Ref, s *diagnose.Statement) diagnose.Finding {
	return diagnose.Finding{
		Resource: ref, Confidence: diagnose.Certain,
		Title: sentence(statement.Name(s), "is immutable, but Git changes it"),
		Why:   "The live object has immutable: true, so Kubernetes refuses any change to its data.",
		Fix: []diagnose.Fix{
			{Text: "Give it a new name in Git (as Kustomize's generators do), and update what references it"},
			{Text: "Or delete it and sync; if its content was generated in the cluster, save that first", Command: diagnose.Shell("kubectl %sdelete %s", advice.InNamespace(ref), ref.Resource())},
		},
	}
}

// topField leaves out indexes, which jsonpath writes differently.
func topField(field string) string {
	field, _, _ = strings.Cut(field, "[")
	return field
}

// deletionText is the step that deletes an object of this kind, with what that costs.
func deletionText(ref evidence.Ref) string {
	step := "Or delete it and sync: "
	switch ref.Kind {
	case "Deployment", "DaemonSet", "ReplicaSet":
		return step + "its pods go away, and the workload is down until new ones are ready"
	case "StatefulSet":
		return "Or delete only the StatefulSet and sync: its pods and volume claims stay"
	case "Service":
		return step + "it loses its cluster IP and load balancer address"
	case "Job":
		return step + "the Job runs again"
	case "PersistentVolumeClaim", "PersistentVolume":
		return step + "THIS DELETES THE DATA on the volume unless its reclaim policy is Retain"
	case "StorageClass":
		return step + "existing volumes are not affected"
	case "RoleBinding", "ClusterRoleBinding":
		return step + "the access it grants is gone until it is recreated"
	case "CustomResourceDefinition":
		return step + "THIS DELETES ALL OBJECTS of that kind"
	case "Namespace":
		return step + "THIS DELETES EVERYTHING in the namespace"
	case "Secret", "ConfigMap":
		return step + "its content comes back from Git, and pods may need a restart to see it"
	}
	return step + "its state in the cluster is lost"
}

func orphanFlag(ref evidence.Ref) diagnose.Raw {
	if ref.Kind == "StatefulSet" {
		return " --cascade=orphan"
	}
	return ""
}
