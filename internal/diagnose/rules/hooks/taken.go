package hooks

import (
	"fmt"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/pods"
	"github.com/argo-why/argo-why/internal/text"
)

// taken is what the rules about health find at the hook, told of the hook. What has to be done with the hook afterwards depends on its delete
// policy and on the sync, so those steps are left to the rules about hooks.
func (h *run) taken(in *diagnose.In) diagnose.Finding {
	f := *h.cause
	f.Resource, f.Role, f.Kind, f.Sync, f.Offers = h.ref, diagnose.RoleCause, diagnose.KindFailure, diagnose.Advice{}, nil
	named := ""
	title := strings.TrimPrefix(f.Title, "PVC/"+h.ref.Name)
	if what := strings.TrimPrefix(title, h.ref.String()); what != f.Title {
		f.Short = ""
		f.Title, named = h.titled(strings.Replace(strings.TrimSpace(what), ": container: ", ": ", 1))
	} else {
		named = fmt.Sprintf("%s %s is %s.", h.phaseTitle(), h.ref.Name, h.ref)
	}
	f.Why = text.Paragraph(named, f.Why)
	f.Fix = slices.DeleteFunc(slices.Clone(f.Fix), func(step diagnose.Fix) bool {
		return strings.HasPrefix(step.Command, "argocd app sync ") || strings.Contains(step.Command, " delete "+h.ref.Resource())
	})
	for i := range f.Fix {
		if step := &f.Fix[i]; step.Patch != "" && fromChart(in) {
			step.Text += ". The manifest comes from a chart: change it in its values, or with a patch over it"
		}
	}
	return f
}

// unclaimed adds what helps a claim that waits for the first pod that uses it, while that pod waits for the hook.
func (h *run) unclaimed(f diagnose.Finding) diagnose.Finding {
	if h.ref.Kind == "PersistentVolumeClaim" && strings.Contains(strings.ToLower(f.Says.Text), "waiting for first consumer") {
		f.Why = text.Paragraph(f.Why, "A hook of this kind finishes only when Argo CD considers it healthy.")
		f.Fix[0] = diagnose.Fix{Text: "In Git, remove the hook annotation from the claim: it stays unbound until a pod uses it"}
		f.Fix = slices.DeleteFunc(f.Fix, listsClasses)
	}
	return f
}

// listsClasses reports whether a step lists the storage classes, of which the steps for a claim that waits for its pod have their own, or no need.
func listsClasses(step diagnose.Fix) bool { return step.Command == "kubectl get storageclass" }

// tells reports whether what the rules about health find says all that keeps the hook from its work: Kubernetes names it, and not the program.
func (h *run) tells() bool {
	if h.cause == nil {
		return false
	}
	switch h.trouble {
	case pods.NodeDown, pods.KilledByProbe, pods.OutOfMemory, pods.NotCreated:
		return true
	case pods.NoTrouble, pods.Crash, pods.Leaving, pods.NotReady, pods.ImagePull, pods.ConfigMissing, pods.Unscheduled, pods.VolumePending, pods.Sandbox, pods.Evicted:
	}
	return false
}
