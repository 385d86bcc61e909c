package apply

import (
	"fmt"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
	"github.com/argo-why/argo-why/internal/evidence"
)

// recreate is the annotation that makes a sync delete and recreate a resource whenever it differs.
const recreate = "metadata:\n  annotations:\n    argocd.argoproj.io/sync-options: Force=true,Replace=true\n"

// adaptToKind puts first what is usually right for a kind.
func adaptToKind(f *diagnose.Finding, ref evidence.Ref, fields []string, said *message.Failure) {
	switch ref.Kind {
	case "Job": // a new image needs a new Job
		restore := f.Fix[0]
		restore.Text = "If the Job must not run again, restore" + strings.TrimPrefix(restore.Text, "Restore")
		if slices.Contains(fields, "spec.template") || slices.Contains(fields, "spec.selector") {
			restore.Text += ", with controller-uid labels that do not belong in Git"
		}
		remove := f.Fix[1]
		remove.Text = strings.TrimPrefix(remove.Text, "Or d")
		remove.Text = "D" + remove.Text
		again := f.Fix[2:]
		f.Fix = append([]diagnose.Fix{remove}, again...)
		f.Fix = append(f.Fix, diagnose.Fix{Text: "If it changes often, let each sync that changes the Job delete and recreate it: add to its manifest", Patch: recreate}, restore)
		if strings.Contains(said.Text, "spec.selector: Required value") { // then nothing in Git helps while it is replaced
			f.Fix[len(f.Fix)-1] = diagnose.Fix{Text: "Or sync it without Replace=true, and give each version of the Job a name of its own, or make it a hook with hook-delete-policy: BeforeHookCreation"}
			f.Why = "A Job cannot be replaced by the manifest in Git (Replace=true), because Kubernetes adds a selector and labels to it that are not in Git and may not change."
		}
	case "Deployment", "DaemonSet", "ReplicaSet":
		if slices.Contains(fields, "spec.selector") && f.Fix[0].Command != "" {
			f.Fix[0].Text = "Restore the live selector in Git and push (commonLabels in Kustomize and a renamed Helm release also change selectors); this prints it"
		}
	case "Service":
		if strings.Contains(said.Text, `spec.clusterIP: Invalid value: ""`) {
			f.Why = "The sync sends the Service without its clusterIP, which may not be removed: the manifest has an empty clusterIP, or Replace=true replaces the whole Service."
			f.Fix = append([]diagnose.Fix{{Text: "Remove an empty clusterIP from the manifest, and sync this Service without Replace=true"}}, f.Fix...)
			f.Fix[1].Text = "Or set the live value in Git and push"
			if f.Fix[1].Command != "" {
				f.Fix[1].Text += "; this prints it"
			}
		}
	}
}

// deletionText says what the deletion of an object of this kind costs; what names the object, or several.
func deletionText(ref evidence.Ref, what string, several bool) string {
	step, its, it, comes := "Or delete "+what+" and sync: ", "its", "it", "it is recreated"
	if several {
		its, it, comes = "their", "they", "they are recreated"
	}
	switch ref.Kind {
	case "Deployment":
		return step + its + " pods go away, and nothing serves until new ones are ready" + keepsPods
	case "DaemonSet", "ReplicaSet":
		return step + its + " pods go away, and the workload is down until new ones are ready"
	case "StatefulSet":
		if what == "it" || what == "them" {
			what = "only the StatefulSet"
			if several {
				what += "s"
			}
		} else {
			what = "only " + what
		}
		return "Or delete " + what + " and sync: " + its + " pods and volume claims stay"
	case "Service":
		return step + it + verb(several, " loses", " lose") + " " + its + " cluster IP and load balancer address"
	case "Job":
		return step + verb(several, "the Job runs", "the Jobs run") + " again"
	case "Pod":
		return step + verb(several, "the Pod is", "the Pods are") + " down until " + comes
	case "PersistentVolumeClaim":
		return step + "THIS DELETES THE DATA on the volume unless its reclaim policy is Retain, and waits until no pod uses the claim"
	case "PersistentVolume":
		return step + "THIS DELETES THE DATA on the volume unless its reclaim policy is Retain, and waits until no claim is bound to it"
	case "StorageClass":
		return step + "existing volumes are not affected, and new claims wait until " + comes
	case "PriorityClass":
		return step + "existing pods keep their priority"
	case "IngressClass":
		return step + its + " Ingresses may not be served until " + comes
	case "RoleBinding", "ClusterRoleBinding":
		return step + "the access " + it + verb(several, " grants", " grant") + " is gone until " + comes
	case "CustomResourceDefinition":
		return step + "THIS DELETES ALL OBJECTS of that kind"
	case "Namespace":
		return step + "THIS DELETES EVERYTHING in the namespace"
	case "Secret", "ConfigMap":
		return step + its + " content comes back from Git, and pods may need a restart to see it"
	case "PodDisruptionBudget":
		return step + "nothing limits evictions of " + its + " pods until " + comes
	}
	if evidence.BuiltIn(ref.Group) {
		return step + it + verb(several, " is", " are") + " missing until the sync recreates " + verb(several, "it", "them")
	}
	return step + "what " + its + " controller made for " + verb(several, "it", "them") + " may be deleted with it, DATA INCLUDED"
}

// verb is a word for one or for several.
func verb(several bool, one, many string) string {
	if several {
		return many
	}
	return one
}

// volumeSize is the finding about the size of a volume claim that cannot change to what Git has.
func volumeSize(ref evidence.Ref, s *diagnose.Statement) (diagnose.Finding, bool) {
	f := diagnose.Finding{Resource: ref, Confidence: diagnose.Certain}
	size := diagnose.Fix{Text: "Set a size in Git that is not less than the live one, then push; this prints it", Command: diagnose.Shell("kubectl %sget %s -o jsonpath='{.status.capacity.storage}'", advice.InNamespace(ref), ref.Resource())}
	switch said := &s.Failure; {
	case said.Has("can not be less than previous value", "can not be less than status.capacity"):
		f.Title = of(statement.Name(s), "Git makes the volume smaller")
		f.Why = "A volume can only become larger."
		f.Fix = []diagnose.Fix{size, {Text: "If it must be smaller, create a new claim, copy the data and use that one"}}
		f.Sync = advice.Pointless("a volume cannot become smaller")
	case said.Has("must support resize"):
		f.Title = of(statement.Name(s), "its StorageClass does not allow resizing")
		f.Why = "Git changes the size of the claim, and only volumes of a StorageClass with allowVolumeExpansion can become larger."
		size.Text = "Or restore the live size in Git and push; this prints it"
		f.Fix = []diagnose.Fix{
			{Text: "If its provisioner can do it, set allowVolumeExpansion: true on the StorageClass; this prints its name", Command: diagnose.Shell("kubectl %sget %s -o jsonpath='{.spec.storageClassName}'", advice.InNamespace(ref), ref.Resource())},
			size,
		}
		f.OutsideGit = true
		f.Sync = advice.Pointless(fmt.Sprintf("the StorageClass of %s does not allow resizing", statement.Name(s)))
	default:
		return diagnose.Finding{}, false
	}
	return f, true
}
